import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type IndexHtmlTransformContext, type Plugin, type ResolvedConfig, runnerImport } from 'vite';
import { CARD_TEMPLATES_PATH, type CardTemplatesFile } from '#contract/first-posts.ts';
import { FALLBACK_LANGUAGE, LANGUAGES, type Language } from '#contract/language.ts';
import { compileCriticalCss } from './critical-css.ts';
import { fillInEnglish } from './fill-in-english.ts';
import { type FirstPaint, firstPaintScript } from './first-paint-script.ts';

const DATA = 'app/query-provider.tsx';

/** What `web/app/prerender.tsx` makes. */
type PrerenderedPage = { path: string; titles: Record<Language, string>; markup: Record<Language, string> };
type BuiltScreen = {
  path: string;
  component: string;
  texts: readonly string[];
  needs: 'server data' | 'nothing';
  firstRequest?: string;
};
type Rendered = { prerenderedPages: PrerenderedPage[]; cardTemplates: CardTemplatesFile; builtScreens: BuiltScreen[] };
type Bundle = NonNullable<IndexHtmlTransformContext['bundle']>;
type Chunk = Extract<Bundle[string], { type: 'chunk' }>;

/**
 * Puts the screens that visitors open first, in every language, into a page each: the home page and the critical CSS of
 * all of them into index.html, the others beside it (`/login` is answered with login.html), and the hashes of what is
 * inline into the policy in `_headers`. Beside them stands what the Worker makes cards from. index.html answers for every other address, where its screen does not show.
 */
export function prerenderPages(): Plugin {
  let config: ResolvedConfig;
  let pages: PrerenderedPage[] = [];
  let cards = '';
  const hashes = { script: '', style: '' };
  return {
    name: 'prerender-pages',
    apply: 'build',
    configResolved(resolved) {
      config = resolved;
    },
    transformIndexHtml: {
      order: 'post',
      async handler(html, { bundle = {} }) {
        const rendered = await renderPages(config);
        pages = rendered.prerenderedPages;
        const markup = pages.map(wrapLanguages).join('');
        cards = JSON.stringify(rendered.cardTemplates);
        // The styles of the first posts too, which the Worker puts into a page.
        const cardMarkup = Object.values(rendered.cardTemplates[FALLBACK_LANGUAGE].cards).join('');
        const style = await compileCriticalCss(join(config.root, 'app/styles.css'), markup + cardMarkup);
        const script = firstPaintScript({
          entry: findEntry(bundle),
          screens: chunksOfScreens(rendered.builtScreens, bundle),
          texts: chunksOfTexts(rendered.builtScreens, bundle),
          data: firstRequests(rendered.builtScreens),
        });
        hashes.script = hashOf(script);
        hashes.style = hashOf(style);
        return compose(html, { style, script });
      },
    },
    async writeBundle({ dir = config.build.outDir }) {
      const template = await readFile(join(dir, 'index.html'), 'utf8');
      for (const page of pages) {
        const name = page.path === '/' ? 'index' : page.path.slice(1);
        await writeFile(join(dir, `${name}.html`), fillIn(template, page));
      }
      await writeFile(join(dir, CARD_TEMPLATES_PATH), cards);
      const headers = await readFile(join(config.publicDir, '_headers'), 'utf8');
      const filled = headers.replace('SCRIPT_HASH', hashes.script).replace('STYLE_HASH', hashes.style);
      await writeFile(join(dir, '_headers'), filled);
    },
  };
}

/** Styles have no place in markup, and Vite's own handling of them none in a runner within a build. */
const withoutStyles: Plugin = {
  name: 'without-styles',
  enforce: 'pre',
  resolveId: (source) => (source.endsWith('.css') ? '\0style' : null),
  load: (id) => (id === '\0style' ? '' : null),
};

async function renderPages({ root, env }: ResolvedConfig): Promise<Rendered> {
  const { module } = await runnerImport<Rendered>(join(root, 'app/prerender.tsx'), {
    root,
    configFile: false,
    logLevel: 'error',
    define: {
      'process.env.NODE_ENV': '"production"',
      // Vite reads no environment in a runner; the pages show the same as the app (web/lib/support-addresses.ts).
      ...Object.fromEntries(
        Object.entries(env).map(([name, value]) => [`import.meta.env.${name}`, JSON.stringify(value)]),
      ),
    },
    plugins: [withoutStyles, fillInEnglish()],
  });
  return module;
}

/**
 * The style sheet goes below the markup, so that the markup is painted before the sheet arrives. The inline script, which
 * requests the other scripts, stands above the inline styles, so that it does not wait for those to arrive.
 */
function compose(html: string, { style, script }: Record<'style' | 'script', string>): string {
  const sheets = [...html.matchAll(/\s*<link rel="stylesheet"[^>]*>/g)].map(([link]) => link);
  let page = html;
  for (const sheet of sheets) page = page.replace(sheet, '');
  return page
    .replaceAll(/\s*<(script type="module"[^>]*><\/script|link rel="modulepreload"[^>]*)>/g, '')
    .replace('</title>', () => `</title>\n    <script>${script}</script>\n    <style>${style}</style>`)
    .replace('<div id="root"></div>', (slot) => `${SLOT}${slot}${sheets.join('')}`);
}

const SLOT = '<!-- prerendered -->';

function fillIn(template: string, page: PrerenderedPage): string {
  const titles = Object.entries(page.titles).map(
    ([language, title]) => ` data-${language}="${escapeAttribute(title)}"`,
  );
  return template
    .replace('<html lang="en">', `<html lang="en" data-page="${page.path}">`)
    .replace(
      /<title>.*?<\/title>/,
      () => `<title${titles.join('')}>${escapeAttribute(page.titles[FALLBACK_LANGUAGE])}</title>`,
    )
    .replace(SLOT, () => wrapLanguages(page));
}

function wrapLanguages({ markup }: PrerenderedPage): string {
  return Object.entries(markup).map(wrapLanguage).join('');
}

/** Ids may stand once in a document: these get the name of their language, as those of the app to come have none. */
function wrapLanguage([language, markup]: [string, string]): string {
  const own = markup.replace(
    / (id|for|href|aria-controls|aria-describedby|aria-labelledby)="(#?)([\w-]+)"/g,
    (_all, name: string, hash: string, id: string) =>
      name === 'href' && hash === '' ? _all : ` ${name}="${hash}${id}-${language}"`,
  );
  return `<div data-prerendered="${language}" lang="${language}">${own}</div>`;
}

function escapeAttribute(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
}

function findEntry(bundle: Bundle): string[] {
  const entry = Object.values(bundle).find((output) => output.type === 'chunk' && output.isEntry);
  if (entry?.type !== 'chunk') throw new Error('The bundle has no entry');
  return [entry.fileName, ...entry.imports].map((file) => `/${file}`);
}

/** By address, each screen's chunks: they are found by the component that the screen's own one exports. */
function chunksOfScreens(screens: BuiltScreen[], bundle: Bundle): FirstPaint['screens'] {
  const data = findChunk(bundle, DATA, ({ facadeModuleId }) => isSource(facadeModuleId, DATA));
  const listed = screens.filter(({ path }) => path !== '*');
  const lists = listed.map(({ path, component, needs, texts }) => {
    const own = findChunk(bundle, component, ({ exports }) => exports.includes(component));
    return [path, { code: filesOf(needs === 'nothing' ? [own] : [data, own], bundle), texts }];
  });
  return Object.fromEntries(lists);
}

/** By language and namespace, the chunk of what a screen shows. */
function chunksOfTexts(screens: BuiltScreen[], bundle: Bundle): FirstPaint['texts'] {
  const namespaces = new Set(['common', ...screens.flatMap(({ texts }) => texts)]);
  const texts = LANGUAGES.map((language) => {
    const files = [...namespaces].map((namespace) => {
      const source = `locales/${language}/${namespace}.`;
      const { fileName } = findChunk(bundle, source, (chunk) => chunk.facadeModuleId?.includes(`/${source}`) ?? false);
      return [namespace, `/${fileName}`];
    });
    return [language, Object.fromEntries(files)];
  });
  return Object.fromEntries(texts);
}

function firstRequests(screens: BuiltScreen[]): Record<string, string> {
  return Object.fromEntries(
    screens.flatMap(({ path, firstRequest }) => (firstRequest ? [[path, `/api${firstRequest}`]] : [])),
  );
}

function chunksIn(bundle: Bundle): Chunk[] {
  return Object.values(bundle).filter((output) => output.type === 'chunk');
}

function findChunk(bundle: Bundle, what: string, isIt: (chunk: Chunk) => boolean): Chunk {
  const chunk = chunksIn(bundle).find((one) => one.isDynamicEntry && isIt(one));
  if (!chunk) throw new Error(`No chunk is made of ${what}`);
  return chunk;
}

function isSource(moduleId: string | null, source: string): boolean {
  return moduleId?.endsWith(`/${source}`) ?? false;
}

/** The chunks with all that they import, but for what the entry brings. */
function filesOf(wanted: Chunk[], bundle: Bundle): string[] {
  const entry = findEntry(bundle);
  const withImports = (name: string): string[] => {
    const imports = chunksIn(bundle).find(({ fileName }) => fileName === name)?.imports ?? [];
    return [`/${name}`, ...imports.flatMap(withImports)];
  };
  const files = wanted.flatMap(({ fileName }) => withImports(fileName));
  return [...new Set(files)].filter((file) => !entry.includes(file));
}

function hashOf(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}
