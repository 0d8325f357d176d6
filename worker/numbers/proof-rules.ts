import * as z from 'zod/mini';
import type { Language } from '#contract/language.ts';
import { PROOF_LIFETIME_SECONDS, PROOF_MESSAGE_LIFETIME_SECONDS } from '#contract/limits.ts';
import { type NumberProof, PROOF_OUTCOMES } from '#contract/numbers.ts';
import en from '#locales/en/outside/whatsapp.json' with { type: 'json' };
import sw from '#locales/sw/outside/whatsapp.json' with { type: 'json' };
import type { RowOf } from '#worker/db/rows.ts';
import { fingerprint } from '#worker/identity/fingerprint.ts';
import { randomCode } from '#worker/identity/random-code.ts';
import { isSameText } from '#worker/identity/same-text.ts';

export const MESSAGE_LIFETIME_MS = PROOF_MESSAGE_LIFETIME_SECONDS * 1000;
export const PROOF_LIFETIME_MS = PROOF_LIFETIME_SECONDS * 1000;

/** It says what it proves, to warn people whom a stranger asks to send it. */
const SENTENCES: Record<Language, string> = { en: en.proof, sw: sw.proof };
const GROUP_CHARS = 4;

/** The text that the person sends us: a sentence that says what it proves, with a unique code. */
export function composeText(language: Language, number: string): string {
  const code = ['PK', randomCode(GROUP_CHARS), randomCode(GROUP_CHARS)].join('-');
  return SENTENCES[language].replace('{number}', number).replace('{code}', code);
}

/** The digest by which a message is recognised: its whole text, with white space normalised, as apps may change it. */
export function digestText(secret: string, text: string): string {
  return fingerprint(secret, 'proof-text', text.trim().replace(/\s+/g, ' '));
}

export function digestSecret(secret: string, proofSecret: string): string {
  return fingerprint(secret, 'proof-secret', proofSecret);
}

/** The proof that a client sends instead of a code. It cannot be made without our secret, and is stored nowhere. */
export function toProof(secret: string, id: string): string {
  return `${id}.${fingerprint(secret, 'number-proof', id)}`;
}

/** @returns the proof's id, or null if we did not make it. */
export function readProofId(secret: string, proof: string): string | null {
  const [id = ''] = proof.split('.', 1);
  return isSameText(proof, toProof(secret, id)) ? id : null;
}

export const proofRow = () =>
  z.object({
    id: z.string(),
    number: z.string(),
    status: z.enum(PROOF_OUTCOMES),
    created_at: z.number(),
    proven_at: z.nullable(z.number()),
    used_by: z.nullable(z.string()),
  });
type ProofRow = RowOf<typeof proofRow>;

export function presentProof(secret: string, { id, status, created_at }: ProofRow, now: number): NumberProof {
  if (status === 'proven') return { status, proof: toProof(secret, id) };
  return { status: created_at <= now - MESSAGE_LIFETIME_MS ? 'expired' : status, proof: null };
}
