import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type IndexHtmlTransformContext, type Plugin, type ResolvedConfig, runnerImport } from 'vite';
import { compileCriticalCss } from './critical-css.ts';
import { firstPaintScript, type RouteChunks } from './first-paint-script.ts';

const SCREENS = {
  '/': ['home/home-screen.tsx'],
  '/view-posts': ['app/query-provider.tsx', 'posts/view-posts-screen.tsx'],
  '/my-posts': ['app/query-provider.tsx', 'posts/my-posts-screen.tsx'],
  '/create-post': ['app/query-provider.tsx', 'posts/create-post-screen.tsx'],
  '/login': ['app/query-provider.tsx', 'accounts/login-screen.tsx'],
};
const LANGUAGES = {
  en: ['locales/en/first.ts'],
  sw: ['locales/sw/first.ts'],
};
const SCREEN_TEXTS = { en: ['locales/en/index.ts'], sw: ['locales/sw/index.ts'] };
const TITLES = { en: 'Lost and found in Tanzania · Patikana', sw: 'Vilivyopotea na kuokotwa Tanzania · Patikana' };

type Bundle = NonNullable<IndexHtmlTransformContext['bundle']>;
type Prerender = { homePages: Record<string, string> };

/**
 * Puts the home page, in both languages, and its critical CSS into index.html, and the hashes of what is inline into
 * the policy in `_headers`. The same file answers for every other address, where the home page does not show.
 */
export function prerenderHome(): Plugin {
  let config: ResolvedConfig;
  const hashes = { script: '', style: '' };
  return {
    name: 'prerender-home',
    apply: 'build',
    configResolved(resolved) {
      config = resolved;
    },
    transformIndexHtml: {
      order: 'post',
      async handler(html, { bundle = {} }) {
        const pages = await renderPages(config.root);
        const body = Object.entries(pages).map(wrapPage).join('');
        const style = await compileCriticalCss(join(config.root, 'app/styles.css'), body);
        const script = firstPaintScript({
          titles: TITLES,
          screens: findChunks(SCREENS, bundle),
          languages: findChunks(LANGUAGES, bundle),
          screenTexts: findChunks(SCREEN_TEXTS, bundle),
        });
        hashes.script = hashOf(script);
        hashes.style = hashOf(style);
        return compose(html, { body, style, script });
      },
    },
    async writeBundle({ dir = config.build.outDir }) {
      const template = await readFile(join(config.publicDir, '_headers'), 'utf8');
      const filled = template.replace('SCRIPT_HASH', hashes.script).replace('STYLE_HASH', hashes.style);
      await writeFile(join(dir, '_headers'), filled);
    },
  };
}

async function renderPages(root: string): Promise<Record<string, string>> {
  const { module } = await runnerImport<Prerender>(join(root, 'app/prerender.tsx'), {
    root,
    configFile: false,
    logLevel: 'error',
    define: { 'process.env.NODE_ENV': '"production"' },
  });
  return module.homePages;
}

/** Ids may stand once in a document: the second language's get its name. */
function wrapPage([language, markup]: [string, string]): string {
  const page =
    language === 'en'
      ? markup
      : markup.replace(/ (id|for|aria-controls|href)="(#?)(content|menu|_[^"]*_)"/g, ` $1="$2$3-${language}"`);
  return `<div data-prerendered="${language}" lang="${language}">${page}</div>`;
}

/** The style sheet goes below the markup, which so is painted before it comes. */
function compose(html: string, { body, style, script }: Record<'body' | 'style' | 'script', string>): string {
  const sheets = [...html.matchAll(/\s*<link rel="stylesheet"[^>]*>/g)].map(([link]) => link);
  let page = html;
  for (const sheet of sheets) page = page.replace(sheet, '');
  return page
    .replace('<html lang="en">', '<html lang="en" data-home>')
    .replace('</title>', () => `</title>\n    <style>${style}</style>\n    <script>${script}</script>`)
    .replace('<div id="root"></div>', () => `<div id="root">${body}</div>${sheets.join('')}`);
}

function findChunks(wanted: Record<string, string[]>, bundle: Bundle): RouteChunks {
  const chunks = Object.values(bundle).filter((output) => output.type === 'chunk');
  const entry = chunks.find(({ isEntry }) => isEntry);
  const alreadyLoaded = new Set(entry ? [entry.fileName, ...entry.imports] : []);
  const filesOf = (source: string) => {
    const chunk = chunks.find(({ facadeModuleId }) => facadeModuleId?.endsWith(`/web/${source}`));
    if (!chunk) throw new Error(`No chunk is made of ${source}`);
    return [chunk.fileName, ...chunk.imports].filter((file) => !alreadyLoaded.has(file));
  };
  return Object.fromEntries(
    Object.entries(wanted).map(([key, sources]) => [
      key,
      [...new Set(sources.flatMap(filesOf))].map((file) => `/${file}`),
    ]),
  );
}

function hashOf(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}
