import * as z from 'zod/mini';
import { timeSchema } from './fields.ts';

// The messages between a browser and the server, in SimpleWebAuthn's JSON (WebAuthn Level 3, §5.1.8 to §5.4).

const TRANSPORTS = ['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb'] as const;
export type PasskeyTransport = (typeof TRANSPORTS)[number];

/** The purpose of a signed challenge. `add`: to add a passkey. `step_up`: to allow an admin's changes. */
export type PasskeyPurpose = 'add' | 'step_up';

const base64UrlSchema = z.string().check(z.maxLength(8192), z.regex(/^[\w-]+$/));

/** The ways in which a browser can reach a passkey, such as USB. Ignores unknown ways. */
const transportsSchema = z.pipe(
  z.array(z.string().check(z.maxLength(32))).check(z.maxLength(16)),
  z.transform((all) => all.filter((one): one is PasskeyTransport => TRANSPORTS.some((known) => known === one))),
);

const credentialShape = { id: base64UrlSchema, rawId: base64UrlSchema, type: z.literal('public-key') };

/** The body of `POST /api/me/passkeys`: the result of `startRegistration`. */
export const newPasskeySchema = z.object({
  ...credentialShape,
  response: z.object({
    clientDataJSON: base64UrlSchema,
    attestationObject: base64UrlSchema,
    transports: z._default(transportsSchema, []),
  }),
  /** The password, which is required only when the first passkey is added. */
  current_password: z.optional(z.string()),
});
export type NewPasskey = z.infer<typeof newPasskeySchema>;

/** The body of `POST /api/admin/step-up`: the result of `startAuthentication`. */
export const stepUpSchema = z.object({
  ...credentialShape,
  response: z.object({
    clientDataJSON: base64UrlSchema,
    authenticatorData: base64UrlSchema,
    signature: base64UrlSchema,
  }),
});
export type StepUp = z.infer<typeof stepUpSchema>;

const descriptorSchema = z.object({
  id: z.string(),
  type: z.literal('public-key'),
  transports: z.optional(z.array(z.enum(TRANSPORTS))),
});

/** The input of SimpleWebAuthn's `startRegistration`. */
export const passkeyOptionsSchema = z.object({
  rp: z.object({ id: z.string(), name: z.string() }),
  user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
  challenge: z.string(),
  pubKeyCredParams: z.array(z.object({ alg: z.number(), type: z.literal('public-key') })),
  timeout: z.number(),
  attestation: z.literal('none'),
  excludeCredentials: z.array(descriptorSchema),
  authenticatorSelection: z.object({
    residentKey: z.literal('preferred'),
    requireResidentKey: z.boolean(),
    userVerification: z.literal('required'),
  }),
});
export type PasskeyOptions = z.infer<typeof passkeyOptionsSchema>;

/** The input of SimpleWebAuthn's `startAuthentication`. */
export const stepUpOptionsSchema = z.object({
  rpId: z.string(),
  challenge: z.string(),
  timeout: z.number(),
  userVerification: z.literal('required'),
  allowCredentials: z.array(descriptorSchema),
});
export type StepUpOptions = z.infer<typeof stepUpOptionsSchema>;

export const passkeySchema = z.object({
  id: z.string(),
  created_at: timeSchema,
  /** When the passkey was last used; null if it was never used after it was added. */
  last_used_at: z.nullable(timeSchema),
});
export type Passkey = z.infer<typeof passkeySchema>;

/** Until when the session may make admin changes. */
export const steppedUpSchema = z.object({ expires_at: timeSchema });
export type SteppedUp = z.infer<typeof steppedUpSchema>;
