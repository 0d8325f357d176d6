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
  // react-i18next takes this hook from a package for React 17, which weighs 0.3 kB.
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
      // The app registers it once the page is up: an inline script would need a hash in the Content-Security-Policy.
      injectRegister: null,
      manifest: webManifest,
      includeManifestIcons: false,
      injectManifest: {
        globPatterns: ['index.html', 'assets/*.{js,css}', '*.svg'],
        manifestTransforms: [shell.transform],
        // The content of a file with a hashed name never changes.
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
  // A test may start the build: with the test's NODE_ENV it would contain React's development build, and the next deployment
  // would publish that.
  if (command === 'build') process.env.NODE_ENV = 'production';
  return config;
});
