import { sql } from 'drizzle-orm';
import type { Language } from '#contract/language.ts';
import { PROOF_LIFETIME_SECONDS, PROOF_MESSAGE_LIFETIME_SECONDS } from '#contract/limits.ts';
import type { NumberProof, StartedProof } from '#contract/recovery.ts';
import en from '#locales/en/outside/whatsapp.json' with { type: 'json' };
import sw from '#locales/sw/outside/whatsapp.json' with { type: 'json' };
import { batch, type Db } from '#worker/db/client.ts';
import { queryFirst, type RowOf, rowOf } from '#worker/db/statements.ts';
import { numberProofs } from '#worker/db/tables/people.ts';
import type { Config } from '#worker/env.ts';
import { AppError } from '#worker/errors/app-error.ts';
import { type AppContext, clientAddress } from '#worker/http/context.ts';
import { randomCode } from '#worker/identity/codes.ts';
import { fingerprint, isSameText, newId } from '#worker/identity/digests.ts';
import { allowancesOf } from '#worker/limits/allowance.ts';
import { assertTurn, type Turns, takeTurnIfLeft } from '#worker/limits/attempts.ts';
import { refuseBarredNumber } from '#worker/limits/bars.ts';
import { type IncomingText, recordIncoming } from '#worker/whatsapp/webhook.ts';

/**
 * @throws AppError suspended (the number is barred: limits/bars.ts), proof_unavailable (we cannot receive messages), or
 * too_many_requests.
 */
export async function startProof(c: AppContext, number: string): Promise<StartedProof> {
  const { config, db, language } = c.var;
  const now = Date.now();
  await refuseBarredNumber(db, config, number, now);
  const ours = config.whatsapp.displayNumber;
  if (ours === null) throw new AppError('proof_unavailable');
  const id = newId();
  const secret = newId();
  const text = composeText(language, number);
  const proof = {
    id,
    secretDigest: digestSecret(config.keys.code, secret),
    number,
    textDigest: digestText(config.keys.code, text),
  };
  const turns = allowancesOf(config, 'proof_address', clientAddress(c));
  assertTurn(await insertProof(db, proof, turns, now), now);
  const expiresAt = new Date(now + MESSAGE_LIFETIME_MS).toISOString();
  return { id, secret, url: `https://wa.me/${ours}?text=${encodeURIComponent(text)}`, expires_at: expiresAt };
}

/** Handles an incoming message. If its text belongs to a proof of the sender's number, the number is proven. */
export async function receiveProof(db: Db, config: Config, text: IncomingText, now: number): Promise<void> {
  await recordText(db, text, digestText(config.keys.code, text.text), now);
}

/** WhatsApp gives the time of a message in whole seconds, so the time may be up to a second before the proof began. */
const SECOND_MS = 1000;

type NewProof = { id: string; secretDigest: string; number: string; textDigest: string };

/**
 * Counts the request and stores the proof if the client's IP address is within the limit.
 * @returns `until`: the time at which the next request is allowed; null if this request was within the limit.
 */
async function insertProof(db: Db, proof: NewProof, turns: Turns, now: number) {
  const { turn } = await batch(db, {
    turn: takeTurnIfLeft(db, turns, now),
    insertProof: db.run(sql`
      insert into number_proofs (id, secret_digest, number, text_digest, created_at)
      select ${proof.id}, ${proof.secretDigest}, ${proof.number}, ${proof.textDigest}, ${now} where changes() > 0`),
  });
  return turn.wait;
}

const PROOF_COLUMNS = sql.raw('id, number, status, created_at, proven_at, used_by');

export async function findProof(db: Db, id: string) {
  const row = await queryFirst(db, proofRow)`select ${PROOF_COLUMNS} from ${numberProofs} where id = ${id}`;
  return row;
}

/** Reads a proof for the client that started it and has its secret. */
export async function findOwnProof(db: Db, id: string, secretDigest: string) {
  const row = await queryFirst(db, proofRow)`
    select ${PROOF_COLUMNS} from ${numberProofs} where id = ${id} and secret_digest = ${secretDigest}`;
  return row;
}

/**
 * Records an incoming message whose text belongs to a proof, and updates the proof. A message that WhatsApp delivers
 * again changes nothing. The message may arrive late, but must have been sent in time. A proof that has succeeded does
 * not change any more.
 */
async function recordText(db: Db, { id, from, sentAt }: IncomingText, textDigest: string, now: number) {
  const isOfProof = sql`exists (select 1 from number_proofs where text_digest = ${textDigest})`;
  await batch(db, {
    recordIncoming: recordIncoming(db, id, isOfProof, now),
    updateNumberProofs: db.run(sql`
      update number_proofs set
        status = case when ${from} is null then 'number_hidden' when number = ${from} then 'proven' else 'other_number' end,
        proven_at = iif(number = ${from}, ${now}, null)
      where changes() > 0 and text_digest = ${textDigest} and proven_at is null
        and ${sentAt} > created_at - ${SECOND_MS} and ${sentAt} <= created_at + ${MESSAGE_LIFETIME_MS}`),
  });
}

const MESSAGE_LIFETIME_MS = PROOF_MESSAGE_LIFETIME_SECONDS * 1000;
export const PROOF_LIFETIME_MS = PROOF_LIFETIME_SECONDS * 1000;

/**
 * The text that a person sends us to prove a phone number. The text says what it is for, as a warning to a person whom
 * a stranger asks to send the text.
 */
const SENTENCES: Record<Language, string> = { en: en.proof, sw: sw.proof };
const GROUP_CHARS = 4;

/** Composes the message that a person sends us to prove a phone number: one of `SENTENCES`, with a unique code. */
function composeText(language: Language, number: string): string {
  const code = ['PK', randomCode(GROUP_CHARS), randomCode(GROUP_CHARS)].join('-');
  return SENTENCES[language].replace('{number}', number).replace('{code}', code);
}

/** Returns the digest of a message's text, to look up its proof. Normalises white space, which apps change. */
function digestText(secret: string, text: string): string {
  return fingerprint(secret, 'proof-text', text.trim().replace(/\s+/g, ' '));
}

export function digestSecret(secret: string, proofSecret: string): string {
  return fingerprint(secret, 'proof-secret', proofSecret);
}

/**
 * Makes the value that a client sends instead of a verification code, as evidence that a phone number is proven. The
 * value is signed with our secret, so the database need not store the value.
 */
export function toProof(secret: string, id: string): string {
  return `${id}.${fingerprint(secret, 'number-proof', id)}`;
}

/** @returns the id of the proof, or null if `proof` is not signed with our secret. */
export function readProofId(secret: string, proof: string): string | null {
  const [id = ''] = proof.split('.', 1);
  return isSameText(proof, toProof(secret, id)) ? id : null;
}

const proofRow = rowOf(numberProofs, 'id', 'number', 'status', 'created_at', 'proven_at', 'used_by');
type ProofRow = RowOf<typeof proofRow>;

export function presentProof(secret: string, { id, status, created_at }: ProofRow, now: number): NumberProof {
  if (status === 'proven') return { status, proof: toProof(secret, id) };
  return { status: created_at <= now - MESSAGE_LIFETIME_MS ? 'expired' : status, proof: null };
}
