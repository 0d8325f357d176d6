import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type IndexHtmlTransformContext, type Plugin, type ResolvedConfig, runnerImport } from 'vite';
import type { Language } from '#contract/language.ts';
import { compileCriticalCss } from './critical-css.ts';
import { type ChunkLists, firstPaintScript } from './first-paint-script.ts';

const DATA = 'app/query-provider.tsx';
/** What is asked for while the page is still being read: the screens that a first visit may open. */
const SCREENS = {
  '/': ['home/home-screen.tsx'],
  '/view-posts': [DATA, 'posts/view-posts-screen.tsx'],
  '/posts/*': [DATA, 'posts/post-screen.tsx'],
  '/my-posts': [DATA, 'posts/my-posts-screen.tsx'],
  '/create-post': [DATA, 'posts/create-post-screen.tsx'],
  '/login': [DATA, 'accounts/login-screen.tsx'],
  '/register': [DATA, 'accounts/register-screen.tsx'],
  '/forgot-password': [DATA, 'recovery/forgot-password-screen.tsx'],
  '/communities': [DATA, 'communities/communities-screen.tsx'],
};
const LANGUAGES = {
  en: ['locales/en/first.ts'],
  sw: ['locales/sw/first.ts'],
};
const SCREEN_TEXTS = { en: ['locales/en/index.ts'], sw: ['locales/sw/index.ts'] };

/** What `web/app/prerender.tsx` makes. */
type PrerenderedPage = { path: string; titles: Record<Language, string>; markup: Record<Language, string> };
type Bundle = NonNullable<IndexHtmlTransformContext['bundle']>;

/**
 * Puts the screens that visitors open first, in both languages, into a page each: the home page and the critical CSS of
 * all of them into index.html, the others beside it (`/login` is answered with login.html), and the hashes of what is
 * inline into the policy in `_headers`. index.html answers for every other address, where its screen does not show.
 */
export function prerenderPages(): Plugin {
  let config: ResolvedConfig;
  let pages: PrerenderedPage[] = [];
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
        pages = await renderPages(config.root);
        const markup = pages.map(wrapLanguages).join('');
        const style = await compileCriticalCss(join(config.root, 'app/styles.css'), markup);
        const script = firstPaintScript({
          entry: findEntry(bundle),
          screens: findChunks(SCREENS, bundle),
          languages: findChunks(LANGUAGES, bundle),
          screenTexts: findChunks(SCREEN_TEXTS, bundle),
          data: { '/view-posts': `${config.env.VITE_API_BASE ?? '/api'}/posts` },
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
      const headers = await readFile(join(config.publicDir, '_headers'), 'utf8');
      const filled = headers.replace('SCRIPT_HASH', hashes.script).replace('STYLE_HASH', hashes.style);
      await writeFile(join(dir, '_headers'), filled);
    },
  };
}

async function renderPages(root: string): Promise<PrerenderedPage[]> {
  const { module } = await runnerImport<{ prerenderedPages: PrerenderedPage[] }>(join(root, 'app/prerender.tsx'), {
    root,
    configFile: false,
    logLevel: 'error',
    define: { 'process.env.NODE_ENV': '"production"' },
  });
  return module.prerenderedPages;
}

/** The style sheet goes below the markup, which so is painted before it comes; the scripts come as the inline one says. */
function compose(html: string, { style, script }: Record<'style' | 'script', string>): string {
  const sheets = [...html.matchAll(/\s*<link rel="stylesheet"[^>]*>/g)].map(([link]) => link);
  let page = html;
  for (const sheet of sheets) page = page.replace(sheet, '');
  return page
    .replaceAll(/\s*<(script type="module"[^>]*><\/script|link rel="modulepreload"[^>]*)>/g, '')
    .replace('</title>', () => `</title>\n    <style>${style}</style>\n    <script>${script}</script>`)
    .replace('<div id="root"></div>', (slot) => `${SLOT}${slot}${sheets.join('')}`);
}

const SLOT = '<!-- prerendered -->';

function fillIn(template: string, page: PrerenderedPage): string {
  const titles = Object.entries(page.titles).map(
    ([language, title]) => ` data-${language}="${escapeAttribute(title)}"`,
  );
  return template
    .replace('<html lang="en">', `<html lang="en" data-page="${page.path}">`)
    .replace(/<title>.*?<\/title>/, () => `<title${titles.join('')}>${escapeAttribute(page.titles.en)}</title>`)
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

/** The chunks of each list of sources, with all that they import, but for what the entry brings. */
function findChunks(wanted: Record<string, string[]>, bundle: Bundle): ChunkLists {
  const chunks = Object.values(bundle).filter((output) => output.type === 'chunk');
  const entry = findEntry(bundle);
  const withImports = (name: string): string[] => {
    const imports = chunks.find(({ fileName }) => fileName === name)?.imports ?? [];
    return [`/${name}`, ...imports.flatMap(withImports)];
  };
  const filesOf = (source: string) => {
    const chunk = chunks.find(({ facadeModuleId }) => facadeModuleId?.endsWith(`/web/${source}`));
    if (!chunk) throw new Error(`No chunk is made of ${source}`);
    return withImports(chunk.fileName).filter((file) => !entry.includes(file));
  };
  return Object.fromEntries(
    Object.entries(wanted).map(([key, sources]) => [key, [...new Set(sources.flatMap(filesOf))]]),
  );
}

function hashOf(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}
