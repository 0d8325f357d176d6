/** The only exports that other nouns may import. */
export { blockData } from './personal-data.ts';
