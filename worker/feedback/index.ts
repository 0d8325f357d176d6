/** The only exports that other nouns may import. */
export { feedbackData } from './personal-data.ts';
export { clearExpired } from './store.ts';
