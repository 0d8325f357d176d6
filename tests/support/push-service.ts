import { createDecipheriv, createECDH, type ECDH, hkdfSync, randomBytes, randomUUID, verify } from 'node:crypto';

/** A message as a push service sees it, and its content as the browser reads it. */
export type HeardPush = { headers: Headers; message: Record<string, unknown>; token: Record<string, unknown> };

/** A status to answer with, or `hang` for no response. */
export type PushAnswer = { status: number; headers?: Record<string, string> } | 'hang';

type Browser = { keys: ECDH; auth: Buffer; heard: HeardPush[] };

/**
 * Stands in for a push service and its browsers: accepts a message only if its sender is authenticated (RFC 8292), and
 * decrypts it like the browser (RFC 8291).
 */
export class PushService {
  readonly #browsers = new Map<string, Browser>();
  /** Statuses for the next requests in turn, instead of 201. */
  readonly answers: PushAnswer[] = [];
  /** The number of requests, whatever the response. */
  requests = 0;
  readonly #origin: string;

  constructor(origin: string) {
    this.#origin = origin;
  }

  /** Subscribes a browser, and returns the subscription that its page receives. */
  subscribe() {
    const keys = createECDH('prime256v1');
    const browser = { keys, auth: randomBytes(16), heard: [] };
    const p256dh = keys.generateKeys('base64url');
    const path = `/push/${randomUUID()}`;
    this.#browsers.set(path, browser);
    return {
      endpoint: `${this.#origin}${path}`,
      keys: { p256dh, auth: browser.auth.toString('base64url') },
      heard: browser.heard as HeardPush[],
    };
  }

  async answer(request: Request): Promise<Response> {
    this.requests++;
    const next = this.answers.shift();
    if (next === 'hang') return new Promise((_, reject) => hangUntilAborted(request.signal, reject));
    if (next) return new Response('Not for anybody to read.', next);
    const browser = this.#browsers.get(new URL(request.url).pathname);
    if (!browser) return new Response(null, { status: 404 });
    const token = readToken(request.headers.get('Authorization') ?? '');
    const isOurs = token.aud === this.#origin && Number(token.exp) * 1000 < Date.now() + 24 * 60 * 60 * 1000;
    if (!isOurs || Number(token.exp) * 1000 < Date.now()) return new Response(null, { status: 403 });
    const body = Buffer.from(await request.arrayBuffer());
    if (body.length > 4096) return new Response(null, { status: 413 });
    browser.heard.push({ headers: request.headers, message: JSON.parse(decrypt(body, browser)), token });
    return new Response(null, { status: 201, headers: { Location: `${this.#origin}/message/${randomUUID()}` } });
  }
}

function hangUntilAborted(signal: AbortSignal, reject: (reason: unknown) => void): void {
  if (signal.aborted) reject(signal.reason);
  signal.addEventListener('abort', () => reject(signal.reason));
}

/** @throws if the token is not signed with the key in the same header. */
function readToken(authorization: string): Record<string, unknown> {
  const [, token = '', key = ''] = /^vapid t=([\w.-]+), ?k=([\w-]+)$/.exec(authorization) ?? [];
  const [header = '', claims = '', signature = ''] = token.split('.');
  const point = Buffer.from(key, 'base64url');
  const jwk = {
    kty: 'EC',
    crv: 'P-256',
    x: point.subarray(1, 33).toString('base64url'),
    y: point.subarray(33).toString('base64url'),
  };
  const isSigned = verify(
    'sha256',
    Buffer.from(`${header}.${claims}`),
    { key: jwk, format: 'jwk', dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  );
  const { alg, typ } = JSON.parse(Buffer.from(header, 'base64url').toString());
  if (!isSigned || alg !== 'ES256' || typ !== 'JWT') throw new Error('The VAPID token is not signed by its key');
  return JSON.parse(Buffer.from(claims, 'base64url').toString());
}

/** Decrypts a push (RFC 8291 §3.4, RFC 8188 §2). A push consists of one record. */
function decrypt(body: Buffer, { keys, auth }: Browser): string {
  const [salt, keyLength] = [body.subarray(0, 16), body.readUInt8(20)];
  const senderKey = body.subarray(21, 21 + keyLength);
  const record = body.subarray(21 + keyLength);
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), keys.getPublicKey(), senderKey]);
  const secret = derive(keys.computeSecret(senderKey), auth, info, 32);
  const key = derive(secret, salt, Buffer.from('Content-Encoding: aes128gcm\0'), 16);
  const nonce = derive(secret, salt, Buffer.from('Content-Encoding: nonce\0'), 12);
  const decipher = createDecipheriv('aes-128-gcm', key, nonce);
  decipher.setAuthTag(record.subarray(-16));
  const plain = Buffer.concat([decipher.update(record.subarray(0, -16)), decipher.final()]);
  const end = plain.lastIndexOf(2);
  if (plain.subarray(end + 1).some((byte) => byte !== 0)) throw new Error('The padding of the record is wrong');
  return plain.subarray(0, end).toString();
}

function derive(secret: Buffer, salt: Buffer, info: Buffer, length: number): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, salt, info, length));
}
