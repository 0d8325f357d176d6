import type { Language } from '#worker/contract/language.ts';

/** What a request hands to the queue's consumer. It names the code by its row, so that no queue or dead letter holds one. */
export type WhatsappJob = { kind: 'reset_code'; requestId: string; language: Language };
