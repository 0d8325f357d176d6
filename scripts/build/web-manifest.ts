import type { ManifestOptions } from 'vite-plugin-pwa';

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
