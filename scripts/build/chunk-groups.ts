import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { PROJECT_ROOT } from '#scripts/command/command.ts';

type ModuleInfo = { dynamicImporters: readonly string[] };
type Bundle = { getModuleInfo: (moduleId: string) => ModuleInfo | null };
type ChunkGroup = { name: (moduleId: string, bundle: Bundle) => string | null; priority: number };

/**
 * The chunks that several screens share, each with its folders. Few large files compress better than many small ones,
 * and each file costs a request. A chunk also contains everything that its modules import. A module that two chunks
 * need is in the chunk that is listed first. Modules that an `import()` loads are omitted, even if their folder is
 * listed.
 */
const CHUNKS: Record<string, string[]> = {
  // The app and the home screen's parts, which every visit loads.
  app: ['node_modules/react-dom', 'web/app', 'web/home'],
  // The chunk for screens that show server data.
  data: ['node_modules/@tanstack', 'web/api', 'web/lib'],
  // The chunk for screens that show posts.
  posts: ['web/posts/post'],
};

/** @throws if a folder does not exist: otherwise the modules of a renamed folder would silently leave their chunk. */
export function chunkGroups(chunks = CHUNKS): ChunkGroup[] {
  const missing = Object.values(chunks)
    .flat()
    .find((folder) => !existsSync(join(PROJECT_ROOT, folder)));
  if (missing) throw new Error(`A chunk is to hold ${missing}, which is not there`);
  return Object.entries(chunks).map(([name, folders], index, { length }) => ({
    name: (id, bundle) => (isInside(folders, id) && !isLate(bundle, id) ? name : null),
    priority: length - index,
  }));
}

function isInside(folders: string[], id: string): boolean {
  return !id.endsWith('.css') && folders.some((folder) => id.includes(`/${folder}/`));
}

function isLate(bundle: Bundle, id: string): boolean {
  return Boolean(bundle.getModuleInfo(id)?.dynamicImporters.length);
}
