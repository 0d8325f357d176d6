/** The only exports that other nouns may import. */
export { deriveCode, digestResetCode } from './code.ts';
export { consumeDeadMessages, consumeMessages } from './consume.ts';
export { clearExpired } from './expiry-store.ts';
export type { IncomingText } from './incoming-rules.ts';
export { keepMessage } from './outbox-store.ts';
export { whatsappData } from './personal-data.ts';
export { queueCode } from './queue-code.ts';
export { finishQueueing, queueKept } from './queue-kept.ts';
export { endResetCodes, startCode } from './reset-code-store.ts';
