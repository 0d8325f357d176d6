/** What other nouns may use of this one. */
export { blockData } from './personal-data.ts';
