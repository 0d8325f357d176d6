/** What other nouns and the sweep may use of this one. */
export { deleteOldExports } from './delete-old-exports.ts';
export { listErased, noteErased } from './erased.ts';
export { clearExpired } from './store.ts';
export { writeExport } from './write-export.ts';
