/** What other nouns may use of this one. */
export { passkeyData } from './personal-data.ts';
export { clearExpired } from './store.ts';
