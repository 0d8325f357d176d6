/** What other nouns may use of this one. */
export { consume } from './consume.ts';
export { clearExpired } from './expiry-store.ts';
export { keepMessage } from './outbox-store.ts';
export { whatsappData } from './personal-data.ts';
export { queueWhatsapp } from './queue.ts';
export { finishQueueing, queueKept } from './queue-kept.ts';
export { deriveResetCode, digestResetCode } from './reset-code.ts';
export { startCode } from './reset-code-store.ts';
