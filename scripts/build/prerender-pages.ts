import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { compile, optimize } from '@tailwindcss/node';
import { type IndexHtmlTransformContext, type Plugin, type ResolvedConfig, runnerImport } from 'vite';
import { CARD_TEMPLATES_PATH, type CardTemplatesFile } from '#contract/first-posts.ts';
import { FALLBACK_LANGUAGE, LANGUAGES, type Language } from '#contract/language.ts';
import { type FirstPaint, firstPaintScript } from './first-paint-script.ts';

const DATA = 'app/query-provider.tsx';

/** The types of what `web/app/prerender.tsx` exports. */
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
 * Writes a page for each screen that visitors open first, in every language. index.html contains the home page; other
 * pages are files beside it, such as login.html for /login. For every URL without such a file the server sends
 * index.html, in which the home page is then hidden. Adds the hashes of inline code to the Content Security Policy in
 * `_headers`, and writes the card templates for the Worker.
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
        // The Worker adds cards of posts to a page, so the inline styles must cover the cards too.
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

/**
 * Ignores imports of style sheets: the markup needs no styles, and Vite's module runner fails on these imports during a
 * build.
 */
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
      // Vite's module runner reads no `.env` files, but the prerendered pages must show the same support addresses as
      // the app (web/home/support-addresses.ts).
      ...Object.fromEntries(
        Object.entries(env).map(([name, value]) => [`import.meta.env.${name}`, JSON.stringify(value)]),
      ),
    },
    plugins: [withoutStyles, fillInEnglish()],
  });
  return module;
}

/**
 * Moves the style sheet below the markup, so that the browser paints the markup before the sheet arrives. Places the
 * inline script above the inline styles, because a script waits for the styles above it.
 */
function compose(html: string, { style, script }: Record<'style' | 'script', string>): string {
  const sheets = [...html.matchAll(/\s*<link rel="stylesheet"[^>]*>/g)].map(([link]) => link);
  let page = html;
  for (const sheet of sheets) page = page.replace(sheet, '');
  return page
    .replaceAll(/\s*<(script type="module"[^>]*><\/script|link rel="modulepreload"[^>]*)>/g, '')
    .replace('</title>', () => `</title>\n    <script>${script}</script>\n    <style>${style}</style>`)
    .replace('</head>', `  ${PAINT_ONCE_READ}\n  </head>`)
    .replace('<div id="root"></div>', (slot) => `${SLOT}${slot}${sheets.join('')}`);
}

const SLOT = '<!-- prerendered -->';
/**
 * Delays the first paint until the browser has read the whole page. If the browser painted half a page, centred and
 * right-aligned parts would move when the other half arrives. The delay costs no time, because the page arrives in one
 * piece.
 */
const PAINT_ONCE_READ = '<link rel="expect" href="#root" blocking="render">';

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

/** Prefixes ids with the language, because the document contains every language and an id must be unique. */
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

/**
 * Returns the chunks that each screen needs, by the screen's path. A screen's own chunk is the one that exports the
 * screen's component.
 */
function chunksOfScreens(screens: BuiltScreen[], bundle: Bundle): FirstPaint['screens'] {
  const data = findChunk(bundle, DATA, ({ facadeModuleId }) => isSource(facadeModuleId, DATA));
  const listed = screens.filter(({ path }) => path !== '*');
  const lists = listed.map(({ path, component, needs, texts }) => {
    const own = findChunk(bundle, component, ({ exports }) => exports.includes(component));
    return [path, { code: filesOf(needs === 'nothing' ? [own] : [data, own], bundle), texts }];
  });
  return Object.fromEntries(lists);
}

/** Returns, for each language, the chunk of each namespace of texts. */
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

/** Returns the files of the chunks and of all their imports, without the files that the entry loads. */
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

const READERS_LANGUAGE = LANGUAGES.map((language) => `html[lang=${language}] [data-prerendered=${language}]`);

/**
 * Styles that only prerendered pages need. They hide the texts of all languages except the user's. They hide the
 * screen's content if the page's address is not the one that the screen was prerendered for.
 */
const PRERENDERED = `
#root:empty,[data-prerendered]{display:none}
${READERS_LANGUAGE.join(',')}{display:flex;min-height:100dvh;flex-direction:column}
html:not([data-page]) [data-prerendered] main{visibility:hidden;max-height:0;overflow:hidden}
html:not([data-page]) [data-prerendered] [aria-current]{background:none;color:inherit}
html[data-signed-in] [data-prerendered] nav{visibility:hidden}
`;

/** Compiles the app's style sheet, reduced to the classes in this markup. */
async function compileCriticalCss(styleSheet: string, markup: string): Promise<string> {
  const source = await readFile(styleSheet, 'utf8');
  const compiler = await compile(source, { base: dirname(styleSheet), onDependency: () => undefined });
  const classes = new Set(
    [...markup.matchAll(/class="([^"]*)"/g)].flatMap(([, names = '']) => decode(names).split(/\s+/)),
  );
  return optimize(compiler.build([...classes]) + PRERENDERED, { minify: true }).code.trim();
}

function decode(attribute: string): string {
  return attribute.replaceAll('&amp;', '&').replaceAll('&#x27;', "'").replaceAll('&quot;', '"').replaceAll('&gt;', '>');
}

const TEXTS = /\/locales\/[\w-]+\/((?:outside\/)?[\w-]+\.json)$/;

/** Fills in English for missing translations, because the app loads only the files of the user's language. */
export function fillInEnglish(): Plugin {
  return {
    name: 'fill-in-english',
    enforce: 'pre',
    transform: {
      filter: { id: TEXTS },
      async handler(texts, id) {
        const english = id.replace(TEXTS, `/locales/${FALLBACK_LANGUAGE}/$1`);
        this.addWatchFile(english);
        return JSON.stringify(fillInTexts(JSON.parse(texts), JSON.parse(await readFile(english, 'utf8'))));
      },
    },
  };
}

/**
 * Fills in English for missing translations. A list of texts, such as a page's paragraphs, never mixes two languages:
 * if the translation contains the list, nothing is added to the list.
 */
function fillInTexts(texts: unknown, english: unknown): unknown {
  if (!isGroup(texts) || !isGroup(english)) return texts ?? english;
  return {
    ...texts,
    ...Object.fromEntries(Object.entries(english).map(([key, text]) => [key, fillInTexts(texts[key], text)])),
  };
}

function isGroup(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
