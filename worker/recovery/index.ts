/** The only exports that other nouns may import. */
export { recoveryData } from './personal-data.ts';
export { clearExpired } from './store.ts';
