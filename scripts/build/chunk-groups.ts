import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { PROJECT_ROOT } from '#scripts/command/command.ts';

type ModuleInfo = { dynamicImporters: readonly string[] };
type Bundle = { getModuleInfo: (moduleId: string) => ModuleInfo | null };
type ChunkGroup = { name: (moduleId: string, bundle: Bundle) => string | null; priority: number };

/**
 * The chunks that screens share: a few large files compress better than many small ones, and each file costs a request.
 * A chunk contains the listed folders and modules and everything that they import. It omits modules of an earlier
 * chunk, and modules of a listed folder that an `import()` loads. The bundler divides all other modules into a file for
 * each screen and each late part, and files that some of these share.
 */
const CHUNKS: Record<string, string> = {
  // For every visit. The controls of the home screen and `durations` are listed, because they would otherwise be in the
  // chunk for server data, which the home screen does not load.
  app: `node_modules/react-dom/ web/app/ web/home/support-addresses web/ui/banner web/ui/field web/ui/legal-links
    contract/durations`,
  // Screens with server data.
  data: `node_modules/@tanstack/ web/app/query-provider web/lib/ web/ui/badge web/ui/choice-fields web/ui/dialogs
    web/ui/late web/ui/query-state web/communities/queries web/posts/queries web/matches/api web/matches/reason-list
    web/posts/post/contact-links web/posts/post/this-is-mine contract/kinds`,
  // Forms that validate with a schema.
  forms: 'contract/fields web/ui/form',
  // Lists of posts.
  posts: 'web/matches/ web/posts/post/ web/posts/form/community-field web/posts/list/load-more',
  // Sending and opening photos.
  photos: 'web/offline/photo-sender',
  // Writing a post, and sending it later.
  outbox: 'web/offline/outbox-changes web/posts/form/came-through',
  // The screens of a single own post.
  'one-post': 'web/posts/form/post-draft',
};

export function chunkGroups(): ChunkGroup[] {
  const chunks = Object.entries(CHUNKS);
  return chunks.map(([name, paths], index) => toGroup(name, chunks.length - index, paths));
}

/** @throws if a path does not exist: otherwise a renamed file would silently drop out of its chunk. */
export function toGroup(name: string, priority: number, paths: string): ChunkGroup {
  const found = paths.split(/\s+/).map(find);
  const folders = found.filter((path) => path.endsWith('/'));
  const files = found.filter((path) => !path.endsWith('/'));
  const isInFolder = (id: string) => !id.endsWith('.css') && folders.some((folder) => id.includes(folder));
  const isLate = (id: string, bundle: Bundle) => Boolean(bundle.getModuleInfo(id)?.dynamicImporters.length);
  return {
    name: (id, bundle) =>
      files.some((file) => id.endsWith(file)) || (isInFolder(id) && !isLate(id, bundle)) ? name : null,
    priority,
  };
}

function find(path: string): string {
  const endings = path.endsWith('/') ? [''] : ['.ts', '.tsx'];
  const found = endings.map((ending) => path + ending).find((file) => existsSync(join(PROJECT_ROOT, file)));
  if (!found) throw new Error(`A chunk is to hold ${path}, which is not there`);
  return `/${found}`;
}
