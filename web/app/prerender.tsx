import { renderToStaticMarkup } from 'react-dom/server';
import { StaticRouter, useRoutes } from 'react-router';
import { changeLanguage, startI18n } from '#web/lib/i18n.ts';
import { paths } from '#web/lib/paths.ts';
import { LANGUAGES, type Language } from '#worker/contract/language.ts';
import { preloadScreen } from './lazy-screen.tsx';
import { routes } from './router.tsx';

/**
 * The markup of the home page in every language, as React will render it for a visitor. Runs in the build, and with
 * the import itself: the build's module runner is closed once that is done, and could load no screen later.
 */
export const homePages = await renderHome();

async function renderHome(): Promise<Record<Language, string>> {
  await startI18n();
  await preloadScreen(routes, paths.home);
  const pages = { en: '', sw: '' } satisfies Record<Language, string>;
  for (const language of LANGUAGES) {
    await changeLanguage(language);
    pages[language] = renderToStaticMarkup(
      <StaticRouter location={paths.home}>
        <Screens />
      </StaticRouter>,
    );
  }
  return pages;
}

function Screens() {
  return useRoutes(routes);
}
