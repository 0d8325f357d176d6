import type { WordAnswerJob } from '#contract/whatsapp.ts';
import type { Db } from '#worker/db/client.ts';
import type { Env } from '#worker/env.ts';
import { log } from '#worker/errors/log.ts';
import { newId } from '#worker/identity/ids.ts';
import type { IncomingText } from './incoming-rules.ts';
import { queueKept } from './queue-kept.ts';
import { isTimely, readWord } from './word-rules.ts';
import { findSender, recordWord } from './word-store.ts';

/** Handles an incoming text: carries out and answers a STOP or START from a proven number, and ignores everything else. */
export async function receiveWord(env: Env, db: Db, text: IncomingText, now: number): Promise<void> {
  const isOn = readWord(text.text);
  if (isOn === null || text.from === null || !isTimely(text.sentAt, now)) return;
  const sender = await findSender(db, text.from);
  if (!sender) return;
  const { user_id: recipientId, language } = sender;
  const answer: WordAnswerJob = { kind: isOn ? 'started' : 'stopped', messageId: newId(), recipientId, language };
  const { isHeard, isAnswered } = await recordWord(db, { text, isOn, answer }, now);
  if (isHeard) log.info('whatsapp_word_heard', { kind: answer.kind });
  if (isAnswered) await queueKept(env, db, answer);
}
