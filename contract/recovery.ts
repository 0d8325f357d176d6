import * as z from 'zod/mini';
import { accountPhoneSchema, currentPasswordSchema, newPasswordSchema, timeSchema } from './fields.ts';
import { RESET_CODE_MIN_CHARS } from './limits.ts';

const verificationCodeSchema = z
  .string({ error: 'code_required' })
  .check(
    z.trim(),
    z.minLength(1, { error: 'code_required', abort: true }),
    z.minLength(RESET_CODE_MIN_CHARS, { error: 'code_invalid' }),
    z.maxLength(20, { error: 'code_invalid' }),
  );

export const resetRequestSchema = z.object({ whatsapp_number: accountPhoneSchema });
export const verifyCodeSchema = z.object({
  whatsapp_number: accountPhoneSchema,
  verification_code: verificationCodeSchema,
});
export const resetPasswordSchema = z.object({
  whatsapp_number: accountPhoneSchema,
  verification_code: verificationCodeSchema,
  new_password: newPasswordSchema,
});
export type VerifyCode = z.infer<typeof verifyCodeSchema>;
export type ResetPassword = z.infer<typeof resetPasswordSchema>;

export const successSchema = z.object({ success: z.literal(true) });
export type Success = z.infer<typeof successSchema>;

// Ways to prove a WhatsApp number: the user sends us a message from the number, or types a verification code that we
// send to the number.

/**
 * The state of a proof. `other_number`: the message came from another phone number. `number_hidden`: WhatsApp hides the
 * sender's number. In both cases, a later message from the right number is still accepted.
 */
const PROOF_OUTCOMES = ['waiting', 'other_number', 'number_hidden', 'proven'] as const;
export type ProofOutcome = (typeof PROOF_OUTCOMES)[number];

export const numberProofInputSchema = z.object({ whatsapp_number: accountPhoneSchema });

/** `POST /api/auth/number-proofs`: a started proof that a phone number is the user's. */
export const startedProofSchema = z.object({
  id: z.string(),
  /** Authorises the client to read the proof's state. The client sends it in `PROOF_SECRET_HEADER`. */
  secret: z.string(),
  /** A link that opens WhatsApp with the message to send. */
  url: z.string(),
  expires_at: timeSchema,
});
export type StartedProof = z.infer<typeof startedProofSchema>;

export const PROOF_SECRET_HEADER = 'X-Proof-Secret';

/** `GET /api/auth/number-proofs/{id}`: the state of a proof. */
export const numberProofSchema = z.object({
  status: z.enum([...PROOF_OUTCOMES, 'expired']),
  /** The client sends this value once, instead of a verification code. Null until the phone number is proven. */
  proof: z.nullable(z.string()),
});
export type NumberProof = z.infer<typeof numberProofSchema>;

/**
 * An optional verification code or proof: absent, null and empty parse to null. A malformed value is treated like a
 * wrong code.
 */
const evidenceSchema = z._default(
  z.pipe(
    z.transform((value) => (typeof value === 'string' && value.trim() !== '' ? value.trim() : null)),
    z.nullable(z.string()),
  ),
  null,
);
/** The evidence that a phone number is the user's. If both fields are given, only the proof is checked. */
export const evidenceShape = { number_proof: evidenceSchema, verification_code: evidenceSchema };
export type NumberEvidence = { number_proof: string | null; verification_code: string | null };

/** `POST /api/me/whatsapp-number`: sends a verification code to the account's new phone number. */
export const numberChangeSchema = z.object({
  whatsapp_number: accountPhoneSchema,
  current_password: currentPasswordSchema,
});

/**
 * `POST /api/me/whatsapp-number/confirm`. A WhatsApp proof requires the current password. A verification code does not,
 * because the user gave the password when requesting the code.
 */
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
