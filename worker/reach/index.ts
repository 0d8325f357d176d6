/** The only exports that other nouns may import. */
export { type Look, lookAgain } from './look-again.ts';
export { reachData } from './personal-data.ts';
export { queueTellings } from './queue-tellings.ts';
export { hasLostPhone, readReach } from './reach-store.ts';
export { switchChannel, wantsWhatsapp } from './settings-store.ts';
