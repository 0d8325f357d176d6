import { HttpResponse, http } from 'msw';
import { onTestFinished, vi } from 'vitest';
import type { NewPasskey, Passkey, PasskeyOptions, StepUp, StepUpOptions } from '#contract/passkeys.ts';
import { refuse } from './posts.ts';
import { server } from './setup.ts';

const toBytes = (text: string) => new TextEncoder().encode(text).buffer;
const toText = (bytes: ArrayBuffer) => new TextDecoder().decode(bytes);
const base64 = (text: string) => btoa(text).replaceAll('=', '');

type Asked = { publicKey: { challenge: ArrayBuffer } };

/** jsdom has no passkeys: simulates a browser with one, and records its requests. */
export function stubAuthenticator() {
  const authenticator = {
    asked: [] as string[],
    /** The user's reaction to the browser's request; by default they confirm it. */
    touch: async (): Promise<void> => undefined,
  };
  const use = async (how: string, { publicKey }: Asked, response: object) => {
    authenticator.asked.push(`${how} ${toText(publicKey.challenge)}`);
    await authenticator.touch();
    return {
      id: base64('key'),
      rawId: toBytes('key'),
      type: 'public-key',
      response: { clientDataJSON: toBytes('data'), ...response },
      getClientExtensionResults: () => ({}),
    };
  };
  const credentials = {
    create: (asked: Asked) => use('create', asked, { attestationObject: toBytes('new') }),
    get: (asked: Asked) => use('get', asked, { authenticatorData: toBytes('old'), signature: toBytes('signed') }),
  };
  vi.stubGlobal('PublicKeyCredential', class {});
  Object.defineProperty(navigator, 'credentials', { value: credentials, configurable: true });
  onTestFinished(() => {
    vi.unstubAllGlobals();
    Reflect.deleteProperty(navigator, 'credentials');
  });
  return authenticator;
}

/** The browser's error if the user does not confirm, or not correctly. */
export function refusing(name: string): () => Promise<void> {
  return async () => {
    throw new DOMException('Not this time', name);
  };
}

export const PASSKEYS: Passkey[] = [
  { id: 'phone', created_at: '2026-11-01T09:00:00.000Z', last_used_at: '2026-11-20T09:00:00.000Z' },
  { id: 'laptop', created_at: '2026-11-02T09:00:00.000Z', last_used_at: null },
];

const NEW_OPTIONS: PasskeyOptions = {
  rp: { id: 'localhost', name: 'Patikana' },
  user: { id: base64('a-user'), name: 'Asha', displayName: 'Asha' },
  challenge: base64('add'),
  pubKeyCredParams: [{ alg: -7, type: 'public-key' }],
  timeout: 60_000,
  attestation: 'none',
  excludeCredentials: [],
  authenticatorSelection: { residentKey: 'preferred', requireResidentKey: false, userVerification: 'required' },
};
const STEP_UP_OPTIONS: StepUpOptions = {
  rpId: 'localhost',
  challenge: base64('show'),
  timeout: 60_000,
  userVerification: 'required',
  allowCredentials: [{ id: base64('key'), type: 'public-key' }],
};

export const refuseUnshown = () => refuse(403, 'step_up_needed', 'Please confirm with your passkey first.');

/** Serves a platform admin with these passkeys, who has or has not used one. */
export function servePasskeys(passkeys: Passkey[] = PASSKEYS, { isShown = false } = {}) {
  const served = {
    passkeys,
    isShown,
    added: [] as NewPasskey[],
    shown: [] as StepUp[],
    removed: [] as unknown[],
  };
  server.use(
    http.get('*/api/me', () => HttpResponse.json({ id: 'a-user', username: 'Asha', is_platform_admin: true })),
    http.get('*/api/me/passkeys', () => HttpResponse.json(served.passkeys)),
    http.post('*/api/me/passkeys/options', () => HttpResponse.json(NEW_OPTIONS)),
    http.post('*/api/me/passkeys', async ({ request }) => {
      const body = (await request.json()) as NewPasskey;
      if (served.passkeys.length > 0 && !served.isShown) return refuseUnshown();
      served.added.push(body);
      const passkey: Passkey = { id: 'new', created_at: '2026-11-22T09:00:00.000Z', last_used_at: null };
      served.passkeys = [...served.passkeys, passkey];
      served.isShown = true;
      return HttpResponse.json(passkey, { status: 201 });
    }),
    http.delete('*/api/me/passkeys/:id', ({ params }) => {
      if (!served.isShown) return refuseUnshown();
      served.removed.push(params.id);
      served.passkeys = served.passkeys.filter(({ id }) => id !== params.id);
      return new HttpResponse(null, { status: 204 });
    }),
    http.post('*/api/admin/step-up/options', () => HttpResponse.json(STEP_UP_OPTIONS)),
    http.post('*/api/admin/step-up', async ({ request }) => {
      served.shown.push((await request.json()) as StepUp);
      served.isShown = true;
      return HttpResponse.json({ expires_at: '2026-11-22T21:00:00.000Z' });
    }),
  );
  return served;
}
