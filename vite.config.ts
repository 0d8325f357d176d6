import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig, type UserConfig } from 'vite';
import { VitePWA } from 'vite-plugin-pwa';
import { chunkGroups } from './scripts/build/chunk-groups.ts';
import { fillInEnglish, prerenderPages } from './scripts/build/prerender-pages.ts';
import { previewPictures } from './scripts/build/preview-pictures.ts';
import { shellFiles, webManifest } from './scripts/build/shell-files.ts';

const shell = shellFiles();

const config: UserConfig = {
  root: 'web',
  // The .env files with the public addresses (docs/deploy.md) are next to package.json.
  envDir: '..',
  // react-i18next imports `useSyncExternalStore` from this package of 0.3 kB, which React 17 needs. Newer versions of
  // React contain the hook.
  resolve: { alias: { 'use-sync-external-store/shim': 'react' } },
  plugins: [
    react(),
    tailwindcss(),
    fillInEnglish(),
    prerenderPages(),
    previewPictures(),
    shell.plugin,
    VitePWA({
      strategies: 'injectManifest',
      srcDir: 'service-worker',
      filename: 'service-worker.ts',
      // The app registers the service worker once the page is shown. An inline script that does so would need a hash in
      // the Content-Security-Policy.
      injectRegister: null,
      manifest: webManifest,
      includeManifestIcons: false,
      injectManifest: {
        globPatterns: ['index.html', 'assets/*.{js,css}', '*.svg'],
        manifestTransforms: [shell.transform],
        // Files with a hash in their names are cached under the name alone, because their content never changes.
        dontCacheBustURLsMatching: /^assets\//,
      },
    }),
  ],
  build: {
    outDir: '../dist',
    emptyOutDir: true,
    target: 'es2022',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: { output: { codeSplitting: { groups: chunkGroups() } } },
  },
};

export default defineConfig(({ command }) => {
  // A test may run a build. With the test's NODE_ENV the build would contain React's development version, and the next
  // deployment would publish it.
  if (command === 'build') process.env.NODE_ENV = 'production';
  return config;
});
