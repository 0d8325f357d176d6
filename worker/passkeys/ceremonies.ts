import {
  type NewPasskey,
  type PasskeyOptions,
  type PasskeyTransport,
  passkeyOptionsSchema,
  type StepUp,
  type StepUpOptions,
  stepUpOptionsSchema,
} from '#contract/passkeys.ts';
import { AppError } from '#worker/errors/app-error.ts';
import { errorName } from '#worker/errors/error-name.ts';
import { log } from '#worker/errors/log.ts';
import type { AdminRow, PasskeyRow } from './passkey-rules.ts';

/** Where a passkey is valid: its domain, and the origin of the page that asks for it. */
export type Place = { relyingPartyId: string; origin: string };
/** The challenge to sign, and where. */
export type Asked = Place & { challenge: string };

/** Loaded on demand, as few requests need it. */
const library = () => import('@simplewebauthn/server');

/** The options for creating a passkey. */
export async function askForNew(
  { email, username }: AdminRow,
  { userId, known, relyingPartyId }: { userId: string; known: PasskeyRow[]; relyingPartyId: string },
): Promise<PasskeyOptions> {
  const { generateRegistrationOptions } = await library();
  const options = await generateRegistrationOptions({
    rpName: 'Patikana',
    rpID: relyingPartyId,
    userID: new Uint8Array(Buffer.from(userId)),
    userName: email,
    userDisplayName: username,
    attestationType: 'none',
    excludeCredentials: known.map(toDescriptor),
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'required' },
  });
  return passkeyOptionsSchema.parse(options);
}

/** The options for using one of the passkeys. */
export async function askForOneOf(known: PasskeyRow[], relyingPartyId: string): Promise<StepUpOptions> {
  const { generateAuthenticationOptions } = await library();
  const options = await generateAuthenticationOptions({
    rpID: relyingPartyId,
    allowCredentials: known.map(toDescriptor),
    userVerification: 'required',
  });
  return stepUpOptionsSchema.parse(options);
}

/** @throws AppError passkey_refused for a wrong challenge or origin, or without user verification. */
export function verifyNew(answer: NewPasskey, { challenge, origin, relyingPartyId }: Asked) {
  return verify(async () => {
    const { verifyRegistrationResponse } = await library();
    const { registrationInfo } = await verifyRegistrationResponse({
      response: { ...answer, clientExtensionResults: {} },
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: relyingPartyId,
    });
    if (!registrationInfo) return null;
    const { publicKey, counter } = registrationInfo.credential;
    return { id: registrationInfo.credential.id, publicKey: Buffer.from(publicKey).toString('base64url'), counter };
  });
}

/** @returns the passkey's own use counter. @throws AppError passkey_refused as `verifyNew`, or for a cloned passkey. */
export function verifyShown(answer: StepUp, passkey: PasskeyRow, { challenge, origin, relyingPartyId }: Asked) {
  return verify(async () => {
    const { verifyAuthenticationResponse } = await library();
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: { ...answer, clientExtensionResults: {} },
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: relyingPartyId,
      credential: {
        id: passkey.id,
        publicKey: new Uint8Array(Buffer.from(passkey.public_key, 'base64url')),
        counter: passkey.counter,
      },
    });
    return verified ? authenticationInfo.newCounter : null;
  });
}

/** The library throws for invalid input, with a message that may quote it. */
async function verify<Result>(check: () => Promise<Result | null>): Promise<Result> {
  try {
    const result = await check();
    if (result !== null) return result;
  } catch (error) {
    log.warn('passkey_refused', { name: errorName(error) });
  }
  throw new AppError('passkey_refused');
}

function toDescriptor({ id, transports }: PasskeyRow) {
  return { id, transports: JSON.parse(transports) as PasskeyTransport[] };
}
