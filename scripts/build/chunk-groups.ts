const APP_PACKAGES = 'react|react-dom|scheduler|react-router|i18next|react-i18next|i18next-browser-languagedetector';
const APP_MODULES = [
  'app/(app|background|error-boundary|error-screen|language-toggle|layout|lazy-screen|nav-bar|router|use-scroll-memory)',
  'ui/(banner|button|empty-state|field|icon|logo|toast)\\.tsx',
  'lib/(api-client|bases|i18n|new-version|paths|session|stale-chunk|use-online|use-title)',
];

/**
 * Few files compress better than many, and each costs a request: what every screen needs is one file, and so is what
 * every screen with server data needs. What runs once the page is up must not drag the latter along.
 */
export const chunkGroups = [
  { name: 'app', priority: 3, test: new RegExp(`node_modules/(${APP_PACKAGES})/|/web/(${APP_MODULES.join('|')})`) },
  { name: 'outbox', priority: 2, test: /\/web\/lib\/outbox/ },
  {
    name: 'data',
    priority: 1,
    test: /node_modules\/@tanstack\/|\/web\/(app\/query-provider|lib\/(query-client|seen-posts))/,
  },
];
