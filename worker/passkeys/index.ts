/** What other nouns may use of this one. */
export { passkeyData } from './personal-data.ts';
export { requireStepUp } from './require-step-up.ts';
export { clearExpired } from './store.ts';
