import { sql } from 'drizzle-orm';
import type { Db } from '#worker/db/client.ts';
import { queryRows } from '#worker/db/rows.ts';
import { numberProofs } from '#worker/db/schema.ts';
import { type Turns, takeTurnIfLeft } from '#worker/limits/turns.ts';
import type { IncomingText } from '#worker/whatsapp/index.ts';
import { MESSAGE_LIFETIME_MS, proofRow } from './proof-rules.ts';

/** Messages have their time in whole seconds. */
const SECOND_MS = 1000;

type NewProof = { id: string; secretDigest: string; number: string; textDigest: string };

/**
 * Counts the request and stores the proof if the address is within the limit.
 * @returns until when it has to wait otherwise.
 */
export async function insertProof(db: Db, proof: NewProof, turns: Turns, now: number) {
  const [[wait]] = await db.batch([
    ...takeTurnIfLeft(db, turns, now),
    db.run(sql`
      insert into number_proofs (id, secret_digest, number, text_digest, created_at)
      select ${proof.id}, ${proof.secretDigest}, ${proof.number}, ${proof.textDigest}, ${now} where changes() > 0`),
  ]);
  return wait;
}

const PROOF_COLUMNS = sql.raw('id, number, status, created_at, proven_at, used_by');

export async function findProof(db: Db, id: string) {
  const [row] = await queryRows(db, proofRow)`select ${PROOF_COLUMNS} from ${numberProofs} where id = ${id}`;
  return row;
}

/** For the client that started the proof, which has its secret. */
export async function findOwnProof(db: Db, id: string, secretDigest: string) {
  const [row] = await queryRows(db, proofRow)`
    select ${PROOF_COLUMNS} from ${numberProofs} where id = ${id} and secret_digest = ${secretDigest}`;
  return row;
}

/**
 * Records a message whose text is a proof's. Each message counts once, by its own time, and a proof that has succeeded is
 * not changed by another message.
 */
export async function recordText(db: Db, { id, from, sentAt }: IncomingText, textDigest: string, now: number) {
  await db.batch([
    db.run(sql`
      insert into whatsapp_incoming (id, received_at)
      select ${id}, ${now} where exists (select 1 from number_proofs where text_digest = ${textDigest})
      on conflict (id) do nothing`),
    db.run(sql`
      update number_proofs set
        status = case when ${from} is null then 'number_hidden' when number = ${from} then 'proven' else 'other_number' end,
        proven_at = iif(number = ${from}, ${now}, null)
      where changes() > 0 and text_digest = ${textDigest} and proven_at is null
        and ${sentAt} > created_at - ${SECOND_MS} and ${sentAt} <= created_at + ${MESSAGE_LIFETIME_MS}`),
  ]);
}
