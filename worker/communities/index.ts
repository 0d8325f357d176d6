/** What other nouns may use of this one. */
export { parseCode } from './codes.ts';
export { communityData } from './personal-data.ts';
