import { sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import { DAY_MS, MINUTE_MS } from '#contract/durations.ts';
import type { WordAnswerJob } from '#contract/jobs.ts';
import { LANGUAGES } from '#contract/language.ts';
import { batch, type Db } from '#worker/db/client.ts';
import { idRow, queryFirst, queryRows } from '#worker/db/statements.ts';
import type { Env } from '#worker/env.ts';
import { log } from '#worker/errors/log.ts';
import { newId } from '#worker/identity/digests.ts';
import { switchChannel, wantsWhatsapp } from '#worker/notices/settings.ts';
import { keepMessage, queueKept } from './queue-message.ts';
import { type IncomingText, recordIncoming } from './webhook.ts';

/**
 * Switches WhatsApp notices on or off after a STOP or START from a proven phone number, and answers the sender. Ignores
 * every other incoming text.
 */
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

/** The words that switch WhatsApp notices off and on. */
const WORDS = new Map([
  ['stop', false],
  ['acha', false],
  ['start', true],
  ['anza', true],
]);

/** Reads a STOP or START word. @returns true for on, false for off, null if the text is none of `WORDS`. */
export function readWord(text: string): boolean | null {
  return WORDS.get(text.trim().toLowerCase()) ?? null;
}

/** The shortest time for which the ids of incoming messages are stored, to recognise a redelivered message. */
const HEARD_FOR_MS = 7 * DAY_MS;
/** How far in the future a message's time may be, because Meta's clock and ours differ. */
const AHEAD_MS = MINUTE_MS;

/**
 * Whether a message is recent enough to be obeyed. Even a STOP that is days old is obeyed, because Meta redelivers
 * messages for a week.
 */
export function isTimely(sentAt: number, now: number): boolean {
  return sentAt > now - HEARD_FOR_MS && sentAt <= now + AHEAD_MS;
}

const senderRow = () => z.object({ user_id: z.string(), language: z.enum(LANGUAGES) });

/** Reads the person who has proven the phone number from which the message comes. */
async function findSender(db: Db, number: string) {
  const row = await queryFirst(db, senderRow)`
    select u.id as user_id, u.language from phone_numbers n join users u on u.id = n.user_id
    where n.number = ${number} and n.proven_at is not null and u.closed_at is null`;
  return row;
}

type Word = { text: IncomingText; isOn: boolean; answer: WordAnswerJob };

/**
 * Applies a STOP or START message once, unless the person has sent a newer one. Answers if the message changes the
 * setting, or does not repeat the person's previous STOP or START. A second STOP therefore gets no answer.
 */
async function recordWord(db: Db, { text: { id, sentAt }, isOn, answer }: Word, now: number) {
  const { recipientId } = answer;
  const userId = sql`${recipientId}`;
  const isLatest = sql`
    exists (select 1 from whatsapp_incoming where id = ${id} and received_at = ${now})
    and not exists (select 1 from whatsapp_words where user_id = ${userId} and sent_at > ${sentAt})`;
  const isHeard = sql`
    exists (select 1 from whatsapp_incoming where id = ${id} and received_at = ${now})
    and exists (select 1 from whatsapp_words where user_id = ${userId} and message_id = ${id})`;
  const isNews = sql`(${wantsWhatsapp(userId)} <> ${Number(isOn)} or not exists (
    select 1 from whatsapp_words where user_id = ${userId} and is_on = ${Number(isOn)}))`;
  const { heard, kept } = await batch(db, {
    recordIncoming: recordIncoming(db, id, sql`true`, now),
    keepMessage: keepMessage(db, answer, sql`${isLatest} and ${isNews}`, now),
    heard: queryRows(db, idRow)`
      insert into whatsapp_words (user_id, message_id, is_on, sent_at)
      select ${userId}, ${id}, ${Number(isOn)}, ${sentAt} where ${isLatest}
      on conflict (user_id) do update set message_id = excluded.message_id, is_on = excluded.is_on, sent_at = excluded.sent_at
      returning message_id as id`,
    switchChannel: switchChannel(db, sql`(select ${userId} where ${isHeard})`, 'whatsapp', isOn),
    kept: queryRows(db, idRow)`select message_id as id from whatsapp_outbox where message_id = ${answer.messageId}`,
  });
  return { isHeard: heard.length > 0, isAnswered: kept.length > 0 };
}
