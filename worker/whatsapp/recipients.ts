import { eq, type SQL, sql } from 'drizzle-orm';
import type { WhatsappJob } from '#contract/jobs.ts';
import type { Db, Handle } from '#worker/db/client.ts';
import { deleteSome } from '#worker/db/statements.ts';
import { whatsappRecipients } from '#worker/db/tables/notices.ts';
import type { Config } from '#worker/env.ts';
import { countRows, countSoFar, takeBack } from '#worker/limits/allowance.ts';
import { dayOf, endOfDay, maxInForce } from '#worker/limits/limits.ts';
import { messageIdOf } from './queue-message.ts';

/**
 * Meta limits how many different people we write to per day. Most purposes may use only a share of this limit, so that
 * password resets remain possible. An unproven phone number may be invented, so a password reset for such a number
 * counts towards the share of `proof`.
 */
const SHARES = { reset: 1, proof: 0.3, notice: 0.4 } as const;
type Share = keyof typeof SHARES;
const PURPOSES: Record<WhatsappJob['kind'], Share | null> = {
  reset_code: 'reset',
  prove_number: 'proof',
  change_number: 'proof',
  community_decision: 'notice',
  match_notice: 'notice',
  // Answers to people who have just written to us have no share, because Meta does not count them.
  stopped: null,
  started: null,
};

/**
 * Condition: the phone number is already counted as one of the day's recipients. A number counts once a day, regardless
 * of how many messages are sent to it.
 */
export function isRecipient(kind: WhatsappJob['kind'], number: SQL, now: number): SQL {
  if (PURPOSES[kind] === null) return sql`true`;
  return sql`exists (select 1 from whatsapp_recipients where day = ${dayOf(now)} and number = ${number})`;
}

/**
 * Statements: count a message's recipient before sending, unless a limit is reached. If Meta refuses the message,
 * `giveBackRecipient` undoes the count. If Meta accepts it, `keepRecipient` makes the count final.
 * @param recipient selects a phone number, or nothing if nothing will be sent.
 */
export function countRecipient(db: Db, config: Config, job: WhatsappJob, recipient: SQL, now: number) {
  const purpose = PURPOSES[job.kind];
  const counted = purpose === null ? sql`select null as number where false` : recipient;
  const [day, messageId] = [dayOf(now), messageIdOf(job)];
  return {
    // A phone number counts once a day. If several messages to one number are sent at the same time, only a refusal
    // of the last message undoes the count.
    passOn: db.run(sql`
      update whatsapp_recipients set message_id = ${messageId}
      where day = ${day} and number in (${counted}) and message_id is not null`),
    insertRecipient: db.run(sql`
      insert into whatsapp_recipients (day, number, share, message_id)
      select ${day}, r.number, r.share, ${messageId}
      from (select c.number, ${shareOf(purpose ?? 'reset', sql`c.number`)} as share from (${counted}) c) r
      where ${countSoFar(keyOf('all', day), now)} < ${maxOf(config, 'reset')}
        and ${countSoFar(keyOf(sql`r.share`, day), now)} < ${maxOfShare(config)}
      on conflict (day, number) do nothing`),
    count: db.run(
      countRows(
        sql`
          select ${keyOf(sql`c.value`, day)}, 1, ${endOfDay(now)}
          from whatsapp_recipients r join json_each(json_array('all', r.share)) c
          where changes() > 0 and r.day = ${day} and r.message_id = ${messageId}`,
        now,
      ),
    ),
  };
}

/** Statement: the phone number stays counted as a recipient, because Meta has accepted a message to the number. */
export function keepRecipient(db: Handle, number: string, now: number) {
  const day = dayOf(now);
  // A message that was counted before midnight may be accepted after midnight, so yesterday's count is included.
  return db.run(sql`
    update whatsapp_recipients set message_id = null where day in (${day - 1}, ${day}) and number = ${number}`);
}

/**
 * Statements: no longer count the recipient of a message that Meta refused, unless Meta accepted another message to
 * this recipient.
 */
export function giveBackRecipient(db: Handle, job: WhatsappJob) {
  const messageId = messageIdOf(job);
  return {
    takeBack: takeBack(
      db,
      sql`
        select ${keyOf(sql`c.value`, sql`r.day`)}
        from whatsapp_recipients r join json_each(json_array('all', r.share)) c where r.message_id = ${messageId}`,
      1,
    ),
    deleteRecipient: db.delete(whatsappRecipients).where(eq(whatsappRecipients.messageId, messageId)),
  };
}

export function clearRecipients(db: Db, now: number) {
  return deleteSome(db, whatsappRecipients, sql`day < ${dayOf(now)}`);
}

function shareOf(purpose: Share, number: SQL): SQL {
  if (purpose !== 'reset') return sql`${purpose}`;
  return sql`iif(exists (
    select 1 from phone_numbers n where n.number = ${number} and n.proven_at is not null), 'reset', 'proof')`;
}

/**
 * Expression: the key of a counter. The day is written as text, because D1 binds numbers as floats, which would appear
 * as "20600.0".
 */
function keyOf(name: SQL | string, day: SQL | number): SQL {
  return sql`('whatsapp_recipients:' || ${typeof day === 'number' ? String(day) : day} || ':' || ${name})`;
}

/** Expression: the maximum number of recipients per day for the share that the row `r` contains. */
function maxOfShare(config: Config): SQL {
  return sql`case r.share when 'proof' then ${maxOf(config, 'proof')} when 'notice' then ${maxOf(config, 'notice')}
    else ${maxOf(config, 'reset')} end`;
}

function maxOf(config: Config, share: Share): number {
  return maxInForce(config, Math.floor(config.whatsapp.dailyRecipients * SHARES[share]));
}
