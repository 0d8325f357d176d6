import { sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import type { Language } from '#contract/language.ts';
import { RESET_CODE_LIFETIME_SECONDS } from '#contract/limits.ts';
import type { NumberCodeKind } from '#contract/whatsapp.ts';
import type { Db } from '#worker/db/client.ts';
import { flag, queryRows } from '#worker/db/rows.ts';
import {
  type Allowance,
  areWithin,
  countEach,
  countIf,
  countOne,
  hasRoom,
  readCount,
} from '#worker/limits/allowance.ts';

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

/** Counts the request and, within both limits, stores its code, which replaces the previous one. */
export async function insertCode(db: Db, code: NewCode, [first, second]: readonly [Allowance, Allowance], now: number) {
  const [[byFirst], [bySecond]] = await db.batch([
    countOne(db, first, now),
    countOne(db, second, now),
    db.run(sql`
      insert into number_codes (id, kind, subject, number, code_digest, issued_at, language, updated_at)
      select ${code.id}, ${code.kind}, ${code.subject}, ${code.number}, ${code.codeDigest}, ${now}, ${code.language}, ${now}
      where ${areWithin([first, second], now)}`),
  ]);
  return [byFirst, bySecond] as const;
}

const judgedRow = () => z.object({ id: z.string(), number: z.string(), is_right: flag() });
const stateRow = () => z.object({ used_by: z.nullable(z.string()) });

export type Guess = {
  kind: NumberCodeKind;
  subject: string;
  codeDigest: string;
  /** Limits on wrong guesses: by this person at one code, whose id the key needs appended, and by everybody at this subject. */
  byGuesser: Allowance;
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
  // A key of its own for each code, so that wrong guesses at one never block the next.
  const triesKey = sql`(${byGuesser.key} || ':' || id)`;
  const [[judged], , , [state], [counted]] = await db.batch([
    queryRows(db, judgedRow)`
      update number_codes set wrong_tries = wrong_tries + (not ${isRight})
      where id = ${latest} and used_by is null and wrong_tries < ${MAX_WRONG_TRIES}
        and issued_at > ${now - CODE_LIFETIME_MS} and ${hasRoom({ ...byGuesser, key: triesKey }, now)} and ${hasRoom(bySubject, now)}
      returning id, number, ${isRight} as is_right`,
    // Each depends on `changes()` of the statement before it.
    countEach(
      db,
      byGuesser,
      { from: sql`from number_codes where id = ${latest} and changes() > 0 and not ${isRight}`, key: triesKey },
      now,
    ),
    countIf(db, bySubject, sql`changes() > 0`, now),
    queryRows(db, stateRow)`select used_by from number_codes where id = ${latest}`,
    readCount(db, bySubject, now),
  ]);
  return { judged, hasExpired: judged === undefined && state !== undefined && state.used_by === null, counted };
}
