import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { PROJECT_ROOT } from '#scripts/command/command.ts';

type ChunkGroup = { name: string; priority: number; test: (moduleId: string) => boolean };
/** The modules of a group by folder, without their extensions. */
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
    // In this group, because late code formats times and must not load the group for server data.
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
/** Shared by the code that uploads photos and the code that shows them. */
const PHOTOS: Contents = {
  packages: '',
  modules: {
    'web/offline': 'photo-queue photo-sender',
  },
};
/** Shared by the form of a post and the code that sends it later. */
const OUTBOX: Contents = {
  packages: '',
  modules: {
    'web/offline': 'outbox-changes',
    'web/posts/form': 'came-through',
  },
};
/** Shared by the screens of one of the user's own posts. */
const ONE_POST: Contents = {
  packages: '',
  modules: {
    'web/posts/form': 'post-draft',
  },
};

/**
 * Returns the chunks for modules that several screens share: a few large files compress better than many small ones,
 * and each file costs a request. The lists are manual, because the bundler does not know when a module is needed: code
 * that runs after the first paint must not load these chunks.
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

/** @throws Error if a module does not exist: otherwise a renamed file would silently leave its group. */
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
