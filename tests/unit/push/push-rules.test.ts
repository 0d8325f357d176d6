import { createECDH, randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { HOUR_MS } from '#contract/durations.ts';
import { POST_KINDS } from '#contract/kinds.ts';
import { LANGUAGES } from '#contract/language.ts';
import { claimNewsMessageSchema, LIVE_MESSAGE_TYPES } from '#contract/live-messages.ts';
import { DEFAULT_PUSH_SERVICES, toVapidKey, vapidKeySchema } from '#worker/identity/vapid-key.ts';
import { composePush, judgeAnswer } from '#worker/push/send-push.ts';
import { isAuthSecret, isPoint, isPushService } from '#worker/push/subscriptions.ts';

const DEPLOYED = { vapid: null, services: DEFAULT_PUSH_SERVICES, isStandInAllowed: false };
const LOCAL = { ...DEPLOYED, isStandInAllowed: true };

test.each([
  'https://fcm.googleapis.com/fcm/send/abc:def',
  'https://fcm.googleapis.com:443/fcm/send/abc',
  'https://updates.push.services.mozilla.com/wpush/v2/abc',
  'https://web.push.apple.com/abc',
  'https://db5p.notify.windows.com/w/?token=abc',
  'https://wns2.by3p.notify.windows.com/w/',
])('the URL %s is accepted as a push service', (endpoint) => {
  expect(isPushService(endpoint, DEPLOYED)).toBe(true);
});

test.each([
  'http://fcm.googleapis.com/fcm/send/abc',
  'https://fcm.googleapis.com:8443/fcm/send/abc',
  'https://asha@fcm.googleapis.com/x',
  'https://asha:siri@fcm.googleapis.com/x',
  'https://fcm.googleapis.com.evil.example/x',
  'https://evilfcm.googleapis.com/x',
  'https://fcm.googleapis.com./x',
  'https://notify.windows.com/x',
  'https://.notify.windows.com/x',
  'https://evilnotify.windows.com/x',
  'https://evil.example/fcm.googleapis.com',
  'https://127.0.0.1/x',
  'https://localhost/x',
  'https://10.0.0.1/x',
  'https://192.168.1.1/x',
  'https://169.254.169.254/latest/meta-data',
  'https://[::1]/x',
  'https://2130706433/x',
  'ftp://fcm.googleapis.com/x',
  'javascript:alert(1)',
  '//fcm.googleapis.com/x',
  ' https://fcm.googleapis.com/x',
  'https:\\\\fcm.googleapis.com\\x',
  'https://fcm.googleapis.com/x\ny',
  '',
])('the URL %j is refused as a push service, also on a development machine', (endpoint) => {
  expect([isPushService(endpoint, DEPLOYED), isPushService(endpoint, LOCAL)]).toEqual([false, false]);
});

test('a test server on the same machine is accepted as a push service only on a development machine', () => {
  for (const endpoint of ['http://127.0.0.1:9999/x', 'http://localhost:1/x', 'http://localhost/x'])
    expect([endpoint, isPushService(endpoint, LOCAL), isPushService(endpoint, DEPLOYED)]).toEqual([
      endpoint,
      true,
      false,
    ]);
  for (const endpoint of ['http://asha@127.0.0.1:9999/x', 'http://127.0.0.2/x', 'http://localhost.evil.example/x'])
    expect([endpoint, isPushService(endpoint, LOCAL)]).toEqual([endpoint, false]);
});

test('a configured list of push services replaces the built-in list', () => {
  const own = { ...DEPLOYED, services: ['push.example'] };
  expect(isPushService('https://push.example/x', own)).toBe(true);
  expect(isPushService('https://fcm.googleapis.com/x', own)).toBe(false);
});

test('the key of a browser’s push subscription must be a point on the curve P-256, and its secret must have 16 bytes', async () => {
  const point = createECDH('prime256v1').generateKeys();
  const offCurve = Buffer.from(point);
  offCurve[64] = (offCurve[64] ?? 0) ^ 1;
  const compressed = Buffer.concat([Buffer.of(2), point.subarray(1, 33)]);
  expect(await isPoint(point.toString('base64url'))).toBe(true);
  const keys = [offCurve, compressed, point.subarray(0, 64), Buffer.concat([point, Buffer.of(0)]), Buffer.alloc(65, 4)];
  for (const key of keys) expect(await isPoint(key.toString('base64url'))).toBe(false);
  for (const key of ['', '!!', 'sio ufunguo', `${point.toString('base64url')}!`])
    expect(await isPoint(key)).toBe(false);
  expect(isAuthSecret(randomBytes(16).toString('base64url'))).toBe(true);
  for (const length of [0, 15, 17, 32]) expect(isAuthSecret(randomBytes(length).toString('base64url'))).toBe(false);
  expect(isAuthSecret('sio siri ya kweli!!!!!')).toBe(false);
});

const NOW = Date.parse('2026-11-22T12:00:00Z');

/** Returns what happens to a push after the push service's response, by default after the first try. */
function judge(status: number | null, retryAfter: string | null = null, attempt = 1, age = 0) {
  return judgeAnswer(status === null ? null : { status, retryAfter }, { attempt, queuedAt: NOW - age }, NOW);
}

test('the HTTP status from a push service decides whether a push counts as sent, is retried, is refused or has no receiver', () => {
  for (const status of [200, 201, 202]) expect(judge(status)).toEqual({ kind: 'sent' });
  for (const status of [404, 410]) expect(judge(status)).toEqual({ kind: 'gone' });
  for (const status of [300, 301, 307, 400, 401, 403, 413, 499])
    expect([status, judge(status)]).toEqual([status, { kind: 'refused' }]);
  for (const status of [null, 429, 500, 502, 503]) expect(judge(status)).toEqual({ kind: 'again', afterSeconds: 30 });
});

test('a push is retried at the time that the push service names; without such a time, after pauses that double up to 12 hours', () => {
  const pauses = [1, 2, 3, 10, 11, 12].map((attempt) => judge(503, null, attempt));
  expect(pauses.map((outcome) => ('afterSeconds' in outcome ? outcome.afterSeconds : null))).toEqual([
    30, 60, 120, 15_360, 30_720, 43_200,
  ]);
  expect(judge(429, '120')).toEqual({ kind: 'again', afterSeconds: 120 });
  expect(judge(429, '0')).toEqual({ kind: 'again', afterSeconds: 1 });
  expect(judge(503, '999999')).toEqual({ kind: 'again', afterSeconds: 43_200 });
  expect(judge(503, new Date(NOW + 90_000).toUTCString())).toEqual({ kind: 'again', afterSeconds: 90 });
  expect(judge(503, new Date(NOW - 90_000).toUTCString())).toEqual({ kind: 'again', afterSeconds: 1 });
  expect(judge(503, 'kesho')).toEqual({ kind: 'again', afterSeconds: 30 });
});

test('a push that cannot be sent is dropped after 24 hours', () => {
  expect(judge(503, null, 2, 24 * HOUR_MS - 60_000)).toEqual({ kind: 'again', afterSeconds: 60 });
  expect(judge(503, null, 2, 24 * HOUR_MS - 59_000)).toEqual({ kind: 'given_up' });
  expect(judge(429, '43200', 1, 13 * HOUR_MS)).toEqual({ kind: 'given_up' });
});

const SUBJECT = { id: 'n', kind: null, postId: null, claimId: null, communityId: null };

test('no type of notice uses the fallback push text, and match pushes differ for each kind of thing, in every language', () => {
  for (const language of LANGUAGES) {
    const fallback = composePush({ ...SUBJECT, type: 'news' as 'matching_post' }, language, false);
    expect([fallback.title, fallback.body.length > 10]).toEqual(['Patikana', true]);
    for (const type of LIVE_MESSAGE_TYPES)
      expect([type, composePush({ ...SUBJECT, type }, language, false).body]).not.toEqual([type, fallback.body]);
    const bodies = POST_KINDS.map(
      (kind) => composePush({ ...SUBJECT, type: 'matching_post', kind }, language, false).body,
    );
    expect(new Set(bodies).size).toBe(POST_KINDS.length);
  }
  const bodyOf = (kind: 'other' | null) => composePush({ ...SUBJECT, type: 'claim_received', kind }, 'en', false).body;
  expect(bodyOf(null)).toBe(bodyOf('other'));
  const [en, sw] = LANGUAGES.map(
    (language) => composePush({ ...SUBJECT, type: 'matching_post' }, language, false).body,
  );
  expect(en).not.toBe(sw);
});

test('every notice has a push text with a title and a body, in every language', () => {
  const subjects = LIVE_MESSAGE_TYPES.flatMap((type) => POST_KINDS.map((kind) => ({ ...SUBJECT, type, kind })));
  for (const language of LANGUAGES)
    for (const subject of subjects) {
      const { title, body } = composePush(subject, language, false);
      expect([subject.type, subject.kind, title, body]).toEqual([
        subject.type,
        subject.kind,
        expect.stringMatching(/\w{3}/),
        expect.stringMatching(/\w.{9}/),
      ]);
    }
});

test('a push links to its post, claim or community, whose id is escaped in the URL', () => {
  const addressOf = (type: string, ids: object = {}) =>
    composePush({ ...SUBJECT, ...ids, type: type as 'matching_post' }, 'en', true).url;
  expect(addressOf('matching_post', { postId: 'p' })).toBe('/posts/p');
  expect(addressOf('post_hidden', { postId: 'p/../q' })).toBe('/posts/p%2F..%2Fq');
  expect(addressOf('still_looking', { postId: 'p' })).toBe('/posts/p');
  for (const type of claimNewsMessageSchema.shape.type.options)
    expect([type, addressOf(type, { claimId: 'c/../q' })]).toEqual([type, '/claims/c%2F..%2Fq']);
  expect(addressOf('community_approved', { communityId: 'c' })).toBe('/community-details/c');
  expect(addressOf('join_request', { communityId: 'c' })).toBe('/community-details/c');
  expect(addressOf('community_rejected', { communityId: 'c' })).toBe('/notices');
  for (const type of ['reports_waiting', 'community_without_admin'])
    expect(addressOf(type, { postId: 'p', communityId: 'c' })).toBe('/admin');
  expect(addressOf('password_changed')).toBe('/notices');
});

test.each(['join_accepted', 'community_closing', 'community_reopened'] as const)(
  'a push of the notice type %s links to the community’s members-only page',
  (type) => {
    const { url } = composePush({ ...SUBJECT, type, communityId: 'c/../d' }, 'en', false);
    expect(url).toBe('/communities/c%2F..%2Fd');
  },
);

describe('the VAPID key', () => {
  const JWK = {
    kty: 'EC',
    crv: 'P-256',
    x: 'bW86URdh-ORxKhpuE_DzhGpwduRH_gJ2C7Nr_yxtNzg',
    y: 'Vj7OxKusQrBm7ttwuTUxy5lGNokyooMSNVMRtiNO4ik',
    d: 'dVZt1FDtaKy9uX74ZWOZ8KGFbVK57qs1VO1KrTVJs7A',
  } as const;
  const SUBJECT = 'mailto:habari@patikana.test';

  test('the public VAPID key is given to browsers as an uncompressed point', () => {
    expect(toVapidKey(vapidKeySchema.parse(JSON.stringify(JWK)), SUBJECT)).toEqual({
      jwk: JWK,
      publicKey: 'BG1vOlEXYfjkcSoabhPw84RqcHbkR_4Cdguza_8sbTc4Vj7OxKusQrBm7ttwuTUxy5lGNokyooMSNVMRtiNO4ik',
      subject: SUBJECT,
    });
  });

  test('without a VAPID key, or without our contact address for the push services, the Worker sends no pushes', () => {
    expect(toVapidKey(null, SUBJECT)).toBeNull();
    expect(toVapidKey(JWK, null)).toBeNull();
  });

  test.each<[what: string, key: string]>([
    ['a text that is not JSON', 'siri'],
    ['another type of key', JSON.stringify({ ...JWK, kty: 'RSA' })],
    ['a key on another curve', JSON.stringify({ ...JWK, crv: 'P-384' })],
    ['a key with a coordinate that is too short', JSON.stringify({ ...JWK, x: JWK.x.slice(1) })],
    ['a key with a malformed coordinate', JSON.stringify({ ...JWK, y: `${JWK.y.slice(1)}=` })],
    ['only the public half of a key', JSON.stringify({ ...JWK, d: undefined })],
  ])('%s is not a valid VAPID key', (_what, key) => {
    expect(vapidKeySchema.safeParse(key).success).toBe(false);
  });
});
