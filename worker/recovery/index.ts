/** What other nouns may use of this one. */
export { finishClosingSockets } from './close-sockets.ts';
export { recoveryData } from './personal-data.ts';
export { clearExpired } from './store.ts';
