/** The only exports that other nouns may import. */
export { passkeyData } from './personal-data.ts';
export { requireStepUp } from './require-step-up.ts';
export { clearExpired } from './store.ts';
