import { sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import type { Language } from '#contract/language.ts';
import { RESET_CODE_LIFETIME_SECONDS } from '#contract/limits.ts';
import type { NumberCodeKind } from '#contract/whatsapp.ts';
import type { Db } from '#worker/db/client.ts';
import { flag, queryRows } from '#worker/db/rows.ts';
import { type Allowance, countIf, hasRoom, readCount } from '#worker/limits/allowance.ts';
import { countEvent, hasTurn, type Turns, takeTurnIfLeft } from '#worker/limits/turns.ts';

const CODE_LIFETIME_MS = RESET_CODE_LIFETIME_SECONDS * 1000;
/** At one code by everybody together; higher than one person's tries, so that a stranger cannot use up somebody's code. */
const MAX_WRONG_TRIES = 20;

export type NewCode = {
  id: string;
  kind: NumberCodeKind;
  subject: string;
  number: string;
  codeDigest: string;
  language: Language;
};

/**
 * Counts the request and, within the limits, stores its code, which replaces the previous one.
 * @returns until when it has to wait otherwise.
 */
export async function insertCode(db: Db, code: NewCode, turns: Turns, now: number) {
  const [[wait]] = await db.batch([
    ...takeTurnIfLeft(db, turns, now),
    db.run(sql`
      insert into number_codes (id, kind, subject, number, code_digest, issued_at, language, updated_at)
      select ${code.id}, ${code.kind}, ${code.subject}, ${code.number}, ${code.codeDigest}, ${now}, ${code.language}, ${now}
      where changes() > 0`),
  ]);
  return wait;
}

const judgedRow = () => z.object({ id: z.string(), number: z.string(), is_right: flag() });
const stateRow = () => z.object({ used_by: z.nullable(z.string()) });

export type Guess = {
  kind: NumberCodeKind;
  subject: string;
  codeDigest: string;
  /** Limits on wrong guesses: by this person at one code, whose id the keys need appended, and by everybody at this subject. */
  byGuesser: Turns;
  bySubject: Allowance;
  now: number;
};

/**
 * Checks a guess at the subject's latest code and counts it if it is wrong, in one guarded statement, so that concurrent
 * guesses cannot exceed the limits.
 */
export async function judgeGuess(db: Db, { kind, subject, codeDigest, byGuesser, bySubject, now }: Guess) {
  const latest = sql`(
    select id from number_codes where kind = ${kind} and subject = ${subject} order by issued_at desc, rowid desc limit 1)`;
  const isRight = sql`(code_digest = ${codeDigest})`;
  // Keys of their own for each code, so that wrong guesses at one never block the next.
  const ofCode = sql`(':' || ${latest})`;
  const [[judged], , , [state], [counted]] = await db.batch([
    queryRows(db, judgedRow)`
      update number_codes set wrong_tries = wrong_tries + (not ${isRight})
      where id = ${latest} and used_by is null and wrong_tries < ${MAX_WRONG_TRIES}
        and issued_at > ${now - CODE_LIFETIME_MS} and ${hasTurn(byGuesser, now, ofCode)} and ${hasRoom(bySubject, now)}
      returning id, number, ${isRight} as is_right`,
    // Each depends on `changes()` of the statement before it.
    countEvent(
      db,
      byGuesser,
      sql`changes() > 0 and exists (select 1 from number_codes where id = ${latest} and not ${isRight})`,
      now,
      ofCode,
    ),
    countIf(db, bySubject, sql`changes() > 0`, now),
    queryRows(db, stateRow)`select used_by from number_codes where id = ${latest}`,
    readCount(db, bySubject, now),
  ]);
  return { judged, hasExpired: judged === undefined && state !== undefined && state.used_by === null, counted };
}
