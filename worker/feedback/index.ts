/** What other nouns may use of this one. */
export { feedbackData } from './personal-data.ts';
export { clearExpired } from './store.ts';
