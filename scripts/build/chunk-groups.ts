import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { PROJECT_ROOT } from '#scripts/command/project-root.ts';

type ChunkGroup = { name: string; priority: number; test: (moduleId: string) => boolean };
/** Modules by folder, without their extensions. */
type Contents = { packages: string; modules: Record<string, string> };

const APP: Contents = {
  packages: 'i18next react react-dom react-i18next react-router scheduler',
  modules: {
    'web/app':
      'app background error-boundary error-screen language-toggle layout lazy-screen log-out-button nav-bar router screens use-scroll-memory',
    'web/ui': 'banner button empty-state field icon legal-links logo toast',
    'web/lib':
      'held-notices i18n keep-on-phone new-version outbox paths photos-here saves-data session stale-chunk support-addresses use-late use-online use-title with-lock',
    // What runs after the page is up says times in it, as does the code that asks for server data.
    contract: 'durations',
  },
};
const DATA: Contents = {
  packages: '@tanstack/query-core @tanstack/react-query',
  modules: {
    'web/app': 'query-provider',
    'web/ui':
      'badge checkbox community-select confirm-buttons contact-limited contact-links dialog late-part load-failure more-button password-field reason-list search-field seen-before this-is-mine',
    'web/lib':
      'api-client can-be-claimed communities-query copy-text describe-failure format format-number matches-query me-query new-idempotency-key next-cursor own-path post-query query-client query-keys seen-posts use-debounced use-dialog-address use-failure use-redirect use-typed-param',
  },
};
const FORMS: Contents = {
  packages: 'zod',
  modules: {
    'web/lib': 'use-form use-kept-values',
    contract: 'paging text phone normalise-phone time',
  },
};
const POSTS: Contents = {
  packages: '',
  modules: {
    'web/posts':
      'api community-field contact load-more number-note post-card post-grid report-and-block use-list-error',
    'web/lib': 'matches-typed post-filter post-list-query use-part',
    'web/ui': 'match-list part-not-loaded post-badges post-facts post-link select-field thumbnail wanted-part',
    contract: 'identifiers written-fields',
  },
};
/** For sending and opening photos. */
const PHOTOS: Contents = {
  packages: '',
  modules: {
    'web/lib': 'photo-database photo-sender upload waiting-photos',
    'web/ui': 'use-blob-address',
  },
};
/** For writing a post, and for sending it later. */
const OUTBOX: Contents = {
  packages: '',
  modules: { 'web/lib': 'outbox-changes spent-key with-photos', 'web/ui': 'came-through' },
};
/** For the screens of a single own post. */
const ONE_POST: Contents = { packages: '', modules: { 'web/posts': 'post-draft use-one-post' } };

/**
 * Each screen is a file of its own by the table of screens, and what screens share is in these: a few large files compress
 * better than many small ones, and each costs a request. So there is one for what every screen needs, one for screens with
 * server data, one for lists of posts, and one for forms. The lists are made by hand, since how many screens share a module
 * does not tell when it is needed: code that runs only after the page is up must not pull these in.
 */
export function chunkGroups(): ChunkGroup[] {
  return [
    toGroup('app', 4, APP),
    toGroup('data', 2, DATA),
    toGroup('forms', 1, FORMS),
    toGroup('posts', 1, POSTS),
    toGroup('photos', 1, PHOTOS),
    toGroup('outbox', 1, OUTBOX),
    toGroup('one-post', 1, ONE_POST),
  ];
}

/** @throws if a module does not exist: otherwise a renamed file would silently drop out of its group. */
export function toGroup(name: string, priority: number, { packages, modules }: Contents): ChunkGroup {
  const folders = split(packages).map((one) => `/${find(`node_modules/${one}`, '/')}`);
  const files = Object.entries(modules).flatMap(([folder, names]) =>
    split(names).map((one) => `/${find(`${folder}/${one}`, '.ts', '.tsx')}`),
  );
  return {
    name,
    priority,
    test: (id) => files.some((file) => id.endsWith(file)) || folders.some((folder) => id.includes(folder)),
  };
}

function split(names: string): string[] {
  return names.split(' ').filter(Boolean);
}

function find(path: string, ...endings: string[]): string {
  const found = endings.map((ending) => path + ending).find((file) => existsSync(join(PROJECT_ROOT, file)));
  if (!found) throw new Error(`A chunk is to hold ${path}, which is not there`);
  return found;
}
