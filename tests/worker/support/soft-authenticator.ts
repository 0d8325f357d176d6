import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import type { NewPasskey, StepUp } from '#contract/passkeys.ts';

const USER_PRESENT = 0x01;
const USER_VERIFIED = 0x04;
const HAS_CREDENTIAL = 0x40;

type Asked = { challenge: string; origin: string; rpId: string };
type Quirks = { isVerified?: boolean; counter?: number; type?: string };

/** A passkey in software: answers as a browser with an authenticator would (WebAuthn Level 3 §6), ES256 without attestation. */
export class SoftAuthenticator {
  readonly id = randomBytes(16);
  readonly #keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  #counter = 0;

  /** What `startRegistration` gives. */
  register({ challenge, origin, rpId }: Asked, { isVerified = true }: Quirks = {}): NewPasskey {
    const { x = '', y = '' } = this.#keys.publicKey.export({ format: 'jwk' });
    const publicKey = encodeMap([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, Buffer.from(x, 'base64url')],
      [-3, Buffer.from(y, 'base64url')],
    ]);
    const credential = Buffer.concat([Buffer.alloc(16), Buffer.from([0, this.id.length]), this.id, publicKey]);
    const authData = Buffer.concat([this.#head(rpId, isVerified, HAS_CREDENTIAL, this.#counter), credential]);
    const attestation = encodeMap([
      ['fmt', 'none'],
      ['attStmt', []],
      ['authData', authData],
    ]);
    return {
      ...this.#names(),
      response: {
        clientDataJSON: toText(clientData('webauthn.create', challenge, origin)),
        attestationObject: toText(attestation),
        transports: ['internal'],
      },
    };
  }

  /** What `startAuthentication` gives. */
  show({ challenge, origin, rpId }: Asked, { isVerified = true, counter, type = 'webauthn.get' }: Quirks = {}): StepUp {
    this.#counter += 1;
    const authData = this.#head(rpId, isVerified, 0, counter ?? this.#counter);
    const data = clientData(type, challenge, origin);
    const signed = Buffer.concat([authData, createHash('sha256').update(data).digest()]);
    return {
      ...this.#names(),
      response: {
        clientDataJSON: toText(data),
        authenticatorData: toText(authData),
        signature: toText(sign('sha256', signed, this.#keys.privateKey)),
      },
    };
  }

  #names() {
    return { id: toText(this.id), rawId: toText(this.id), type: 'public-key' as const };
  }

  #head(rpId: string, isVerified: boolean, flags: number, count: number): Buffer {
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(count);
    const flag = Buffer.from([USER_PRESENT | (isVerified ? USER_VERIFIED : 0) | flags]);
    return Buffer.concat([createHash('sha256').update(rpId).digest(), flag, counter]);
  }
}

function clientData(type: string, challenge: string, origin: string): Buffer {
  return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
}

function toText(bytes: Buffer): string {
  return bytes.toString('base64url');
}

type Value = number | string | Buffer | [Value, Value][];

/** CBOR (RFC 8949), as much of it as an authenticator speaks; a list of pairs is a map. */
function encode(value: Value): Buffer {
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value);
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value]);
  return encodeMap(value);
}

function encodeMap(entries: [Value, Value][]): Buffer {
  return Buffer.concat([head(5, entries.length), ...entries.flat().map((part) => encode(part as Value))]);
}

function head(major: number, size: number): Buffer {
  if (size < 24) return Buffer.from([(major << 5) | size]);
  if (size < 256) return Buffer.from([(major << 5) | 24, size]);
  return Buffer.from([(major << 5) | 25, size >> 8, size & 0xff]);
}
