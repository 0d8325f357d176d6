import type { NumberEvidence } from '#contract/numbers.ts';
import type { NumberCodeKind } from '#contract/whatsapp.ts';
import { AppError } from '#worker/errors/app-error.ts';
import type { AppContext } from '#worker/http/app-env.ts';
import { allowanceOf, assertRoom } from '#worker/limits/allowance.ts';
import { allowancesOf } from '#worker/limits/networks.ts';
import { digestCode } from './code-rules.ts';
import { judgeGuess } from './code-store.ts';
import { PROOF_LIFETIME_MS, readProofId } from './proof-rules.ts';
import { findProof } from './proof-store.ts';
import type { Evidence } from './take-number.ts';

/** What a code has to prove, and the address of who enters it; null if only the subject's own account can. */
export type Asked = { kind: NumberCodeKind; subject: string; address: string | null };

/**
 * Checks the evidence that a number is somebody's own: a proof by message, or a code.
 * @returns null when neither is given.
 * @throws AppError invalid_code, code_expired or too_many_requests.
 */
export async function judgeEvidence(
  c: AppContext,
  { number_proof, verification_code }: NumberEvidence,
  asked: Asked,
  now: number,
): Promise<Evidence | null> {
  if (number_proof !== null) return judgeProof(c, number_proof, now);
  return verification_code === null ? null : judgeCode(c, verification_code, asked, now);
}

async function judgeProof(c: AppContext, proof: string, now: number): Promise<Evidence> {
  const id = readProofId(c.var.config.keys.code, proof);
  const row = id === null ? undefined : await findProof(c.var.db, id);
  if (!row || row.proven_at === null || row.used_by !== null) throw new AppError('invalid_code');
  if (row.proven_at <= now - PROOF_LIFETIME_MS) throw new AppError('code_expired');
  return { record: 'number_proofs', id: row.id, number: row.number };
}

async function judgeCode(c: AppContext, code: string, { kind, subject, address }: Asked, now: number) {
  const { config, db } = c.var;
  const guessed = `${kind} ${subject}`;
  const bySubject = allowanceOf(config, 'number_code_guess', guessed);
  const { judged, hasExpired, counted } = await judgeGuess(db, {
    kind,
    subject,
    codeDigest: digestCode(config.keys.code, { kind, subject }, code),
    byGuesser:
      address === null
        ? [allowanceOf(config, 'number_code_try', guessed)]
        : allowancesOf(config, 'number_code_try', address, guessed),
    bySubject,
    now,
  });
  if (judged?.is_right === 1)
    return { record: 'number_codes', id: judged.id, number: judged.number } satisfies Evidence;
  if (!judged) assertRoom(bySubject, counted, now);
  throw new AppError(hasExpired ? 'code_expired' : 'invalid_code');
}
