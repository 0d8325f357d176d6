import type { Plugin } from 'vite';
import type { ManifestOptions, VitePWAOptions } from 'vite-plugin-pwa';

type ManifestTransform = NonNullable<VitePWAOptions['injectManifest']['manifestTransforms']>[number];

/**
 * Files that the service worker caches only when they are used, because few users need them: rare features and error
 * handling.
 */
const NEVER_KEPT = /\/html5-qrcode\/|\/canvas-confetti\/|\/web\/admin\/|\/locales\/\w+\/admin\.|\/report-error\./;
/**
 * Source files whose chunks the first visit caches, besides the entry chunk. The toaster is one of them, because it
 * must report a missing network.
 */
const FIRST_SOURCES = ['/web/home/home-screen.tsx', '/web/ui/toaster.tsx'];
/**
 * Files with the app's texts. They are cached later, for signed-in users. The first visit caches only the text files
 * that the page has requested, in the user's language.
 */
const ONLY_LATER = /\/locales\/\w+\//;
const FIRST_FILES = /^(index\.html|icon\.svg|assets\/index-.*\.css)$/;

/**
 * Sorts the built files for the service worker into three groups: files that the first visit caches, files marked
 * `#later` that are cached for signed-in users, and files that are cached only when used.
 */
export function shellFiles(): { plugin: Plugin; transform: ManifestTransform } {
  const first = new Set<string>();
  const never = new Set<string>();
  let built: string[] = [];
  const plugin: Plugin = {
    name: 'shell-files',
    apply: 'build',
    generateBundle(_options, bundle) {
      first.clear();
      never.clear();
      const chunks = Object.values(bundle).filter((output) => output.type === 'chunk');
      for (const source of FIRST_SOURCES) {
        if (!chunks.some(({ facadeModuleId }) => facadeModuleId?.endsWith(source)))
          this.error(`No chunk is made of ${source}`);
      }
      for (const chunk of chunks) {
        const isFirst = chunk.isEntry || FIRST_SOURCES.some((source) => chunk.facadeModuleId?.endsWith(source));
        if (isFirst) for (const file of [chunk.fileName, ...chunk.imports]) first.add(file);
        if (chunk.moduleIds.some((id) => NEVER_KEPT.test(id))) never.add(chunk.fileName);
        if (chunk.moduleIds.some((id) => ONLY_LATER.test(id))) first.delete(chunk.fileName);
      }
    },
    writeBundle(_options, bundle) {
      built = Object.keys(bundle);
    },
  };
  return {
    plugin,
    transform: (entries) => ({
      manifest: entries
        // Omits files of earlier builds, which a development build does not delete.
        .filter(({ url }) => !never.has(url) && (built.includes(url) || !url.startsWith('assets/')))
        .map((entry) => ({ ...entry, url: addressOf(entry.url, first.has(entry.url) || FIRST_FILES.test(entry.url)) })),
    }),
  };
}

function addressOf(file: string, isFirst: boolean): string {
  const path = file === 'index.html' ? '/' : `/${file}`;
  return isFirst ? path : `${path}#later`;
}

/** How the app appears on a phone's home screen. */
export const webManifest: Partial<ManifestOptions> = {
  id: '/',
  name: 'Patikana',
  short_name: 'Patikana',
  description: 'Vilivyopotea na kuokotwa Tanzania. Lost and found in Tanzania.',
  lang: 'sw',
  start_url: '/',
  scope: '/',
  display: 'standalone',
  background_color: '#fdfaf5',
  theme_color: '#3b2f8f',
  categories: ['utilities', 'social'],
  icons: [
    { src: '/icon.svg', sizes: 'any', type: 'image/svg+xml' },
    { src: '/icon-192.png', sizes: '192x192', type: 'image/png' },
    { src: '/icon-512.png', sizes: '512x512', type: 'image/png' },
    { src: '/icon-maskable-512.png', sizes: '512x512', type: 'image/png', purpose: 'maskable' },
  ],
  shortcuts: [
    { name: 'Tangaza Kitu', url: '/create-post' },
    { name: 'Tafuta Vilivyopotea', url: '/view-posts' },
  ],
};
