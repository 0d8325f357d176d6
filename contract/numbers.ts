import * as z from 'zod/mini';
import { currentPasswordSchema } from './current-password.ts';
import { accountPhoneSchema } from './phone.ts';
import { timeSchema } from './time.ts';

// Showing that a WhatsApp number is one's own: by a message that its holder sends us, or by a code that we send there.

/** What has come of a proof so far; after the second and third the right message may still prove it. */
export const PROOF_OUTCOMES = ['waiting', 'other_number', 'number_hidden', 'proven'] as const;
export type ProofOutcome = (typeof PROOF_OUTCOMES)[number];

export const numberProofInputSchema = z.object({ whatsapp_number: accountPhoneSchema });

/** `POST /api/auth/number-proofs`. */
export const startedProofSchema = z.object({
  id: z.string(),
  /** Of whoever asked: goes back to us in `PROOF_SECRET_HEADER`. */
  secret: z.string(),
  /** Opens WhatsApp with the message to send. */
  url: z.string(),
  expires_at: timeSchema,
});
export type StartedProof = z.infer<typeof startedProofSchema>;

export const PROOF_SECRET_HEADER = 'X-Proof-Secret';

/** `GET /api/auth/number-proofs/{id}`. */
export const numberProofSchema = z.object({
  status: z.enum([...PROOF_OUTCOMES, 'expired']),
  /** Stands in the place of a code, once. Null until proven. */
  proof: z.nullable(z.string()),
});
export type NumberProof = z.infer<typeof numberProofSchema>;

/** A code or a proof that may be left out, null or empty; it reads as null then. One that makes no sense is a wrong one. */
const evidenceSchema = z._default(
  z.pipe(
    z.transform((value) => (typeof value === 'string' && value.trim() !== '' ? value.trim() : null)),
    z.nullable(z.string()),
  ),
  null,
);
/** What shows that a number is one's own; a proof goes before a code. */
export const evidenceShape = { number_proof: evidenceSchema, verification_code: evidenceSchema };
export type NumberEvidence = { number_proof: string | null; verification_code: string | null };

/** `POST /api/me/whatsapp-number`: sends a code to the number that shall be the account's. */
export const numberChangeSchema = z.object({
  whatsapp_number: accountPhoneSchema,
  current_password: currentPasswordSchema,
});

/** `POST /api/me/whatsapp-number/confirm`: the password goes with a proof, as it went with the asking for a code. */
export const numberConfirmationSchema = z
  .object({ ...evidenceShape, current_password: z.optional(z.nullable(z.string())) })
  .check(
    z.refine(({ number_proof, verification_code }) => number_proof !== null || verification_code !== null, {
      path: ['verification_code'],
      error: 'code_required',
    }),
    z.refine(({ number_proof, current_password }) => number_proof === null || Boolean(current_password), {
      path: ['current_password'],
      error: 'password_required',
    }),
  );
