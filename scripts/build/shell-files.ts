import type { Plugin } from 'vite';
import type { VitePWAOptions } from 'vite-plugin-pwa';

type ManifestTransform = NonNullable<VitePWAOptions['injectManifest']['manifestTransforms']>[number];

/** What a visitor pays for only when they use it, or when something breaks, whatever else is kept for them. */
const NEVER_KEPT = /\/html5-qrcode\/|\/canvas-confetti\/|\/web\/admin\/|\/locales\/\w+\/admin\.|\/report-error\./;
/** Beside the entry: a message is what tells that there is no network, and must not need one. */
const FIRST_SOURCES = ['/web/home/home-screen.tsx', '/web/ui/toaster.tsx'];
/** Only the reader's own language comes with the first visit; the page asks for it to be kept. */
const ONLY_LATER = /\/locales\/\w+\//;
const FIRST_FILES = /^(index\.html|icon\.svg|assets\/index-.*\.css)$/;

/**
 * Sorts the built files for the service worker: the first are kept with the first visit, which has them at hand; those
 * marked `#later` only for those who may post; the rest never.
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
        // A build for development leaves the files of the builds before it.
        .filter(({ url }) => !never.has(url) && (built.includes(url) || !url.startsWith('assets/')))
        .map((entry) => ({ ...entry, url: addressOf(entry.url, first.has(entry.url) || FIRST_FILES.test(entry.url)) })),
    }),
  };
}

function addressOf(file: string, isFirst: boolean): string {
  const path = file === 'index.html' ? '/' : `/${file}`;
  return isFirst ? path : `${path}#later`;
}
