/** The only exports that other nouns may import. */
export { consumeDeadEmails, consumeEmails } from './consume.ts';
export { clearExpired } from './expiry-store.ts';
export { emailData } from './personal-data.ts';
export { startFirstLink } from './send-link.ts';
