const APP_PACKAGES = 'react|react-dom|scheduler|react-router|i18next|react-i18next|i18next-browser-languagedetector';
const APP_MODULES = [
  'app/(app|background|error-boundary|error-screen|language-toggle|layout|lazy-screen|log-out-button|nav-bar|router|use-scroll-memory)',
  'ui/(banner|button|empty-state|field|icon|logo|toast)\\.tsx',
  'lib/(api-client|base-urls|held-notices|i18n|new-version|outbox|paths|session|stale-chunk|use-online|use-title)',
];

const DATA_MODULES = [
  'app/query-provider',
  'lib/(communities-query|format|matches-query|me-query|next-cursor|query-client|seen-posts|use-debounced|use-failure)',
  'ui/(badge|community-select|contact-links|dialog|load-failure|match-list|more-button|reason-list|search-field|seen-before)\\.tsx',
];
const POSTS_MODULES = 'api|community-field|contact|load-more|post-badges|post-card|post-facts|post-grid|use-list-error';

/**
 * Few files compress better than many, and each costs a request: what every screen needs is one file, and so is what
 * every screen with server data needs, every list of posts, every form. What runs once the page is up must not drag
 * these along.
 */
export const chunkGroups = [
  { name: 'app', priority: 4, test: new RegExp(`node_modules/(${APP_PACKAGES})/|/web/(${APP_MODULES.join('|')})`) },
  { name: 'data', priority: 2, test: new RegExp(`node_modules/@tanstack/|/web/(${DATA_MODULES.join('|')})`) },
  {
    name: 'forms',
    priority: 1,
    test: /node_modules\/zod\/|\/web\/lib\/use-form|\/contract\/(text|phone|normalise-phone)\.ts/,
  },
  { name: 'posts', priority: 1, test: new RegExp(`/web/posts/(${POSTS_MODULES})\\.`) },
];
