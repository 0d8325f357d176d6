import i18next from 'i18next';
import { renderToStaticMarkup } from 'react-dom/server';
import { StaticRouter, useRoutes } from 'react-router';
import { LANGUAGES } from '#contract/language.ts';
import { changeLanguage, startI18n } from '#web/lib/i18n.ts';
import { paths } from '#web/lib/paths.ts';
import { queryClient } from '#web/lib/query-client.ts';
import { titleOf } from '#web/lib/use-title.ts';
import { preloadScreen } from './lazy-screen.tsx';
import { routes } from './router.tsx';

/**
 * The pages that visitors open first, in every language, as React will render them for a visitor. Runs in the build,
 * and with the import itself: the build's module runner is closed once that is done, and could load no screen later.
 */
export const prerenderedPages = await renderPages();

async function renderPages() {
  await startI18n();
  const titleKeys = {
    [paths.home]: 'home:title',
    [paths.viewPosts]: 'posts:discoverTitle',
    [paths.login]: 'accounts:loginTitle',
    [paths.register]: 'accounts:registerTitle',
    [paths.forgotPassword]: 'recovery:forgotTitle',
    [paths.communities]: 'communities:title',
  } as const;
  const pages = Object.keys(titleKeys).map((path) => ({
    path: path as keyof typeof titleKeys,
    titles: { en: '', sw: '' },
    markup: { en: '', sw: '' },
  }));
  for (const language of LANGUAGES) {
    for (const { path, titles, markup } of pages) {
      await preloadScreen(routes, path);
      await changeLanguage(language);
      titles[language] = titleOf(i18next.t(titleKeys[path]));
      markup[language] = renderToStaticMarkup(
        <StaticRouter location={path}>
          <Screens />
        </StaticRouter>,
      );
    }
  }
  // What it holds on to for a while would keep the build from ending.
  queryClient.clear();
  return pages;
}

function Screens() {
  return useRoutes(routes);
}
