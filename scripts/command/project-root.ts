import { fileURLToPath } from 'node:url';

/** The checkout this script belongs to, whatever folder it was started from. */
export const PROJECT_ROOT = fileURLToPath(new URL('../..', import.meta.url));
