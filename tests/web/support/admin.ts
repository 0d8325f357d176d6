import { HttpResponse, http } from 'msw';
import { onTestFinished, vi } from 'vitest';
import type { AdminPerson, AdminPost, PlatformAdmin } from '#contract/admin.ts';
import type { Language } from '#contract/language.ts';
import type { KnownPerson, LogEntry, ReportedClaim, ReportedPost } from '#contract/moderation.ts';
import type { NewPasskey, Passkey, PasskeyOptions, StepUp, StepUpOptions } from '#contract/passkeys.ts';
import type { QueuedCase } from '#web/admin/api.ts';
import { aClaimMessage } from './claims.ts';
import { aPost, refuse } from './posts.ts';
import { renderScreen } from './render-screen.tsx';
import { server } from './setup.ts';

/** The author of the post that Asha reports (see `aCase`), as admins see him. */
export const JUMA: KnownPerson = {
  id: 'juma',
  username: 'Juma',
  created_at: '2026-11-01T09:00:00.000Z',
  is_number_proven: false,
  is_suspended: false,
  post_count: 3,
  reports_against: 2,
  reports_made: 0,
};

export const ASHA: KnownPerson = { ...JUMA, id: 'asha', username: 'Asha', reports_against: 0, reports_made: 1 };

export const AN_ADMIN: PlatformAdmin = {
  id: 'asha',
  username: 'Asha',
  email: 'asha@example.com',
  is_suspended: false,
  granted_at: '2026-11-01T09:00:00.000Z',
};

/** Juma's data, as the admins' page about him gets it. */
export function aPerson(overrides: Partial<AdminPerson> = {}): AdminPerson {
  return {
    ...JUMA,
    email: 'juma@example.com',
    whatsapp_number: '+255712345678',
    is_platform_admin: false,
    suspended_at: null,
    suspension_reason: null,
    posts: [],
    reports: [],
    log: [],
    ...overrides,
  };
}

export function aPostPage(overrides: Partial<AdminPost> = {}): AdminPost {
  return { post: aPost({ title: 'Simu kwa bei nafuu' }), author: JUMA, reports: [], log: [], ...overrides };
}

let entries = 0;

/** A log entry: by default, the admin Neema has just suspended Juma. */
export function aLogEntry(overrides: Partial<LogEntry> = {}): LogEntry {
  return {
    id: `entry-${++entries}`,
    actor_id: 'neema',
    actor_name: 'Neema',
    action: 'suspend',
    target_type: 'user',
    target_id: 'juma',
    target_name: 'Juma',
    reason: null,
    created_at: new Date().toISOString(),
    ...overrides,
  };
}

export const REPORT: ReportedPost['reports'][number] = {
  reason: 'scam',
  text: 'Anadai pesa',
  reporter_id: 'asha',
  // The current time at each use. Test files share this module, so a fixed time would look old in later files.
  get created_at() {
    return new Date().toISOString();
  },
  claim: null,
};

/** Asha's claim on Juma's post, with a message of each party. */
export function aReportedClaim(overrides: Partial<ReportedClaim> = {}): ReportedClaim {
  return {
    id: 'dai',
    claimant_id: 'asha',
    status: 'asked',
    question: null,
    private_marks: null,
    answer: 'Nyeusi',
    messages: [
      aClaimMessage({ text: 'Tuma elfu kumi', is_about_money: true, created_at: '2026-11-02T09:00:00.000Z' }),
      aClaimMessage({ from: 'claimant', text: 'Kwa nini?', created_at: '2026-11-02T10:00:00.000Z' }),
    ],
    ...overrides,
  };
}

/** An open case: Asha has reported Juma's post. */
export function aCase(overrides: Partial<QueuedCase> = {}): QueuedCase {
  return {
    id: 'kesi',
    status: 'open',
    since: new Date().toISOString(),
    post: aPost({ title: 'Simu kwa bei nafuu' }),
    author: JUMA,
    is_edited: false,
    reports: [REPORT],
    reporters: [ASHA],
    decision: null,
    decided_at: null,
    ...overrides,
  };
}

export function minutesAgo(minutes: number): string {
  return new Date(Date.now() - minutes * 60_000).toISOString();
}

/** Serves the user as the only platform admin. */
export function serveAdmin(): void {
  server.use(
    http.get('*/api/me', () => HttpResponse.json({ id: 'a-user', username: 'Neema', is_platform_admin: true })),
    http.get('*/api/admin/admins', () => HttpResponse.json([{ ...AN_ADMIN, id: 'a-user', username: 'Neema' }])),
  );
}

/** Serves the list at `/api/admin/{path}` in these pages. @returns the URL query of each request. */
export function servePages(path: string, ...pages: unknown[][]): URLSearchParams[] {
  const queries: URLSearchParams[] = [];
  server.use(
    http.get(`*/api/admin/${path}`, ({ request }) => {
      const query = new URL(request.url).searchParams;
      queries.push(query);
      const index = Number(query.get('cursor') ?? 0);
      const hasMore = index + 1 < pages.length;
      return HttpResponse.json((pages[index] ?? []) as never, {
        headers: hasMore ? { Link: `</api/admin/${path}?cursor=${index + 1}>; rel="next"` } : {},
      });
    }),
  );
  return queries;
}

/** @param search the URL's query, which selects the tab, the person or the post that the screen shows. */
export function openAdmin(search: string, language: Language = 'en') {
  return renderScreen(`/admin${search}`, { isSignedIn: true, language });
}

const toBytes = (text: string) => new TextEncoder().encode(text).buffer;
const toText = (bytes: ArrayBuffer) => new TextDecoder().decode(bytes);
const base64 = (text: string) => btoa(text).replaceAll('=', '');

type Asked = { publicKey: { challenge: ArrayBuffer } };

/** Simulates a browser with passkeys, which jsdom lacks. Records the app's calls that create or use a passkey. */
export function stubAuthenticator() {
  const authenticator = {
    asked: [] as string[],
    /** The user's reaction when the browser asks for the passkey; by default the user confirms. */
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

/** The browser's error if the user cancels or fails the confirmation. */
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

/** Serves a platform admin with these passkeys. `isShown` means that the session has already used one. */
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
