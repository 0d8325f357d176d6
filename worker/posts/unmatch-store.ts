import { type SQL, sql } from 'drizzle-orm';
import type { Handle } from '#worker/db/client.ts';

/** Statements: exclude posts from matching, as new posts are compared with these rows. @param seqs selects their `seq`. */
export function unmatchStatements(db: Handle, seqs: SQL) {
  return [
    db.run(sql`delete from match_terms where post_seq in (${seqs})`),
    db.run(sql`delete from match_readings where post_seq in (${seqs})`),
  ] as const;
}
