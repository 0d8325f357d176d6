import i18next from 'i18next';
import { renderToStaticMarkup } from 'react-dom/server';
import { StaticRouter, useRoutes } from 'react-router';
import type { CardTemplatesFile } from '#contract/first-posts.ts';
import { LANGUAGES, type Language } from '#contract/language.ts';
import { changeLanguage, startI18n } from '#web/lib/i18n.ts';
import { queryClient } from '#web/lib/query-client.ts';
import { titleOf } from '#web/lib/use-title.ts';
import { preloadScreen } from './lazy-screen.tsx';
import { routes } from './router.tsx';
import { screens } from './screens.ts';

/**
 * The pages that visitors open first, in every language, as React will render them for a visitor. Runs in the build,
 * and with the import itself: the build's module runner is closed once that is done, and could load no screen later.
 */
export const prerenderedPages = await renderPages();
/** What the Worker puts in the place of the list's skeleton. */
export const cardTemplates = await renderCards();
/** Every screen by the name of its component, which is what its chunk exports. */
export const builtScreens = await Promise.all(
  screens.map(async ({ load, ...screen }) => ({ ...screen, component: (await load()).name })),
);

async function renderPages() {
  await startI18n();
  const pages = screens
    .filter(({ prerendered }) => prerendered)
    .map(({ path, title }) => ({ path, title, titles: {} as Texts, markup: {} as Texts }));
  for (const language of LANGUAGES) {
    for (const { path, title, titles, markup } of pages) {
      await preloadScreen(routes, path);
      await changeLanguage(language);
      titles[language] = titleOf(i18next.t(title));
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

/** @returns by language, what the Worker fills in with the first posts. */
async function renderCards(): Promise<CardTemplatesFile> {
  const { renderCardTemplates } = await import('./card-templates.tsx');
  const templates = {} as CardTemplatesFile;
  for (const language of LANGUAGES) {
    await changeLanguage(language);
    templates[language] = renderCardTemplates();
  }
  return templates;
}

type Texts = Record<Language, string>;

function Screens() {
  return useRoutes(routes);
}
