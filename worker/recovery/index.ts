/** The only exports that other nouns may import. */
export { finishClosingSockets } from './close-sockets.ts';
export { recoveryData } from './personal-data.ts';
export { clearExpired } from './store.ts';
