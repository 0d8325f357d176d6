import type { Db } from '#worker/db/client.ts';
import type { Config } from '#worker/env.ts';
import type { IncomingText } from '#worker/whatsapp/index.ts';
import { digestText } from './proof-rules.ts';
import { recordText } from './proof-store.ts';

/** Handles an incoming text: it proves its sender's number if it is the text of a proof, and is ignored otherwise. */
export async function receiveProof(db: Db, config: Config, text: IncomingText, now: number): Promise<void> {
  await recordText(db, text, digestText(config.keys.code, text.text), now);
}
