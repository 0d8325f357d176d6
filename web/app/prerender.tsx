import i18next from 'i18next';
import { renderToStaticMarkup } from 'react-dom/server';
import { StaticRouter, useRoutes } from 'react-router';
import type { CardTemplatesFile } from '#contract/first-posts.ts';
import { LANGUAGES, type Language } from '#contract/language.ts';
import { queryClient } from '#web/api/queries.ts';
import { changeLanguage, startI18n } from '#web/lib/i18n.ts';
import { titleOf } from '#web/lib/title.ts';
import { preloadScreen, routes } from './router.tsx';
import { screens } from './screens.ts';

/**
 * The prerendered pages in every language, as a visitor sees them. Rendered while this module loads: afterwards the
 * build closes its module runner, and no screen could load.
 */
export const prerenderedPages = await renderPages();
/** The cards that the Worker fills with posts and shows in place of the list's skeleton. */
export const cardTemplates = await renderCards();
/** Every screen with the name of its component. The build finds the screen's chunk by this name. */
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
  // Clears the query client, whose timers would keep the build process running.
  queryClient.clear();
  return pages;
}

/** @returns for each language, the cards that the Worker fills with the first posts. */
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
