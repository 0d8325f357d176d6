/** What other nouns may use of this one. */
export { reachData } from './personal-data.ts';
export { queueTellings } from './queue-tellings.ts';
export { readReach } from './reach-store.ts';
export { switchChannel } from './settings-store.ts';
