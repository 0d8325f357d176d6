import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { PROJECT_ROOT } from '#scripts/command/command.ts';

type ModuleInfo = { dynamicImporters: readonly string[] };
type Bundle = { getModuleInfo: (moduleId: string) => ModuleInfo | null };
type ChunkGroup = { name: (moduleId: string, bundle: Bundle) => string | null; priority: number };

/**
 * The chunks that several screens share, each with its folders and modules. Few large files compress better than many
 * small ones, and each file costs a request.
 * A chunk also contains everything that its modules import. A module that belongs to two chunks is in the first one.
 * Modules that an `import()` loads are omitted, even if their folder is listed.
 */
const CHUNKS: Record<string, string> = {
  // The app, which every visit loads. The home screen's controls and `durations` are listed, because they would
  // otherwise be in the chunk `data`, which the home screen does not load.
  app: `node_modules/react-dom/ web/app/ web/home/support-addresses web/ui/banner web/ui/field web/ui/legal-links
    contract/durations`,
  // The chunk for screens that show server data.
  data: `node_modules/@tanstack/ web/app/query-provider web/lib/ web/ui/badge web/ui/choice-fields web/ui/dialogs
    web/ui/late web/ui/query-state web/communities/queries web/posts/queries web/matches/api web/matches/reason-list
    web/posts/post/contact-links web/posts/post/this-is-mine contract/kinds`,
  // The chunk for forms that validate their input with a schema.
  forms: 'contract/fields web/ui/form',
  // The chunk for screens that list posts.
  posts: 'web/matches/ web/posts/post/ web/posts/form/community-field web/posts/list/load-more',
  // The chunk for uploading and viewing photos.
  photos: 'web/offline/photo-sender',
  // The chunk for screens that use the outbox, in which posts wait on the phone for a network.
  outbox: 'web/offline/outbox-changes web/posts/form/came-through',
  // The chunk for the screens on which the user writes or edits a post.
  'one-post': 'web/posts/form/post-draft',
};

export function chunkGroups(): ChunkGroup[] {
  const chunks = Object.entries(CHUNKS);
  return chunks.map(([name, paths], index) => toGroup(name, chunks.length - index, paths));
}

/**
 * Resolves the paths of a chunk.
 * @throws if a path does not exist: otherwise a renamed file would silently drop out of its chunk.
 */
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
