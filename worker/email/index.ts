/** What other nouns may use of this one. */
export { consumeDeadEmails, consumeEmails } from './consume.ts';
export { clearExpired } from './expiry-store.ts';
export { emailData } from './personal-data.ts';
export { startFirstLink } from './send-link.ts';
