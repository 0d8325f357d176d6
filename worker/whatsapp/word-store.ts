import { sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import { LANGUAGES } from '#contract/language.ts';
import type { WordAnswerJob } from '#contract/whatsapp.ts';
import type { Db } from '#worker/db/client.ts';
import { idRow, queryRows } from '#worker/db/rows.ts';
import { switchChannel, wantsWhatsapp } from '#worker/reach/index.ts';
import type { IncomingText } from './incoming-rules.ts';
import { keepMessage } from './outbox-store.ts';

const senderRow = () => z.object({ user_id: z.string(), language: z.enum(LANGUAGES) });

/** The person whose proven number the message comes from. */
export async function findSender(db: Db, number: string) {
  const [row] = await queryRows(db, senderRow)`
    select u.id as user_id, u.language from phone_numbers n join users u on u.id = n.user_id
    where n.number = ${number} and n.proven_at is not null and u.closed_at is null`;
  return row;
}

type Word = { text: IncomingText; isOn: boolean; answer: WordAnswerJob };

/**
 * Carries out a word, once per message, and never an earlier one after a later one. It is answered if it changes
 * something or is the first of its kind, so a second STOP gets no answer.
 */
export async function recordWord(db: Db, { text: { id, sentAt }, isOn, answer }: Word, now: number) {
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
  const [, , heard, , kept] = await db.batch([
    db.run(sql`insert into whatsapp_incoming (id, received_at) values (${id}, ${now}) on conflict (id) do nothing`),
    keepMessage(db, answer, sql`${isLatest} and ${isNews}`, now),
    queryRows(db, idRow)`
      insert into whatsapp_words (user_id, message_id, is_on, sent_at)
      select ${userId}, ${id}, ${Number(isOn)}, ${sentAt} where ${isLatest}
      on conflict (user_id) do update set message_id = excluded.message_id, is_on = excluded.is_on, sent_at = excluded.sent_at
      returning message_id as id`,
    switchChannel(db, sql`(select ${userId} where ${isHeard})`, 'whatsapp', isOn),
    queryRows(db, idRow)`select message_id as id from whatsapp_outbox where message_id = ${answer.messageId}`,
  ]);
  return { isHeard: heard.length > 0, isAnswered: kept.length > 0 };
}
