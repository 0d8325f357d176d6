/** The only exports that other nouns and the sweep may import. */
export { deleteOldExports } from './delete-old-exports.ts';
export { listErased, noteErased } from './erased.ts';
export { clearExpired } from './store.ts';
export { writeExport } from './write-export.ts';
