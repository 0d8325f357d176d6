import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { prerenderHome } from './scripts/build/prerender-home.ts';

export default defineConfig({
  root: 'web',
  // VITE_API_BASE, VITE_AUTH_BASE and VITE_REALTIME_BASE may stand in a .env beside package.json.
  envDir: '..',
  plugins: [react(), tailwindcss(), prerenderHome()],
  build: {
    outDir: '../dist',
    emptyOutDir: true,
    target: 'es2022',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        // Few files compress better than many, and each costs a request: what every screen needs is one file, and
        // so is what every screen with server data needs.
        codeSplitting: {
          groups: [
            {
              name: 'app',
              test: /node_modules\/(react|react-dom|scheduler|react-router|i18next|react-i18next|i18next-browser-languagedetector)\/|web\/(app|ui|lib)\/(layout|nav-bar|language-toggle|error-|router|lazy-screen|use-scroll|icon|logo|button|toast\.tsx|banner|field|empty-state|session|i18n|paths|bases|api-client|use-title|stale-chunk)/,
            },
            { name: 'data', test: /node_modules\/@tanstack\/|web\/(app\/query-provider|lib\/query-client)/ },
          ],
        },
      },
    },
  },
});
