import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { PROJECT_ROOT } from '#scripts/command/command.ts';

type ChunkGroup = { name: string; priority: number; test: (moduleId: string) => boolean };
/** Modules by folder, without their extensions. */
type Contents = { packages: string; modules: Record<string, string> };

const APP: Contents = {
  packages: 'i18next react react-dom react-i18next react-router scheduler',
  modules: {
    'web/api': 'session',
    'web/app': 'app error-boundary layout nav-bar router screens',
    'web/home': 'support-addresses',
    'web/lib': 'i18n late new-version notice-signals online paths store title',
    'web/offline': 'outbox photos-here',
    'web/ui': 'banner button empty-state field icon legal-links toast',
    // Code that runs after the page has rendered formats times, and so does the code that loads server data.
    contract: 'durations',
  },
};
const DATA: Contents = {
  packages: '@tanstack/query-core @tanstack/react-query',
  modules: {
    'web/api': 'client me queries query-keys',
    'web/app': 'query-provider',
    'web/communities': 'queries',
    'web/lib': 'address format phone-storage share-text',
    'web/matches': 'api reason-list',
    'web/offline': 'seen-posts',
    'web/posts': 'queries',
    'web/posts/post': 'contact-links this-is-mine',
    'web/ui': 'badge choice-fields dialogs form late query-state',
  },
};
const FORMS: Contents = {
  packages: 'zod',
  modules: {
    contract: 'fields typed-numbers',
  },
};
const POSTS: Contents = {
  packages: '',
  modules: {
    'web/matches': 'match-list',
    'web/posts': 'api',
    'web/posts/form': 'community-field',
    'web/posts/list': 'load-more',
    'web/posts/post': 'contact post-card post-parts report-and-block',
  },
};
/** For sending and opening photos. */
const PHOTOS: Contents = {
  packages: '',
  modules: {
    'web/offline': 'photo-queue photo-sender',
  },
};
/** For writing a post, and for sending it later. */
const OUTBOX: Contents = {
  packages: '',
  modules: {
    'web/offline': 'outbox-changes',
    'web/posts/form': 'came-through',
  },
};
/** For the screens of a single own post. */
const ONE_POST: Contents = {
  packages: '',
  modules: {
    'web/posts/form': 'post-draft',
  },
};

/**
 * The table of screens makes each screen a file of its own. These groups hold what screens share: a few large files
 * compress better than many small ones, and each file costs a request. There is one group for every screen, one for
 * screens with server data, one for lists of posts, and one for forms. The lists are kept manually, because the number
 * of screens that share a module does not show when it is needed: code that runs after the page has rendered must not
 * load these groups.
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
