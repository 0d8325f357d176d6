/// <reference types="vite/types/importMeta.d.ts" />
import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { createHmac } from 'node:crypto';
import { SignJWT } from 'jose';
import { beforeEach, expect, test } from 'vitest';
import { ENDPOINTS, type Endpoint } from '#contract/endpoints.ts';
import { PROOF_SECRET_HEADER } from '#contract/recovery.ts';
import { newPerson, ORIGIN, type Person } from '#tests/worker/support/api.ts';
import { showPasskey } from '#tests/worker/support/communities.ts';
import { newNumber } from '#tests/worker/support/people.ts';
import { picture } from '#tests/worker/support/posts.ts';
import { sampleBody } from '#tests/worker/support/sample-bodies.ts';
import { sampleOf } from '#tests/worker/support/test-run.ts';
import { digestSecret } from '#worker/accounts/prove-by-message.ts';
import { app } from '#worker/app.ts';
import { HIDING_BITS } from '#worker/conditions/posts.ts';
import { type Env, readConfig } from '#worker/env.ts';
import { signSessionToken, signTicket, toSessionKeys } from '#worker/identity/session-token.ts';

/** The viewers, in the order of the columns of the table in docs/security.md. */
const VIEWERS = [
  'nobody',
  'dead token',
  'numberless',
  'suspended',
  'unproven',
  'proven',
  'member',
  'community admin',
  'platform admin',
  'with passkey',
] as const;
type ViewerName = (typeof VIEWERS)[number];

/** A person with the tokens to try: one, none, or several that must all get the same response. */
type Asker = { person: Person; tokens: (string | undefined)[] };

const SQL_OF: Partial<Record<ViewerName, string>> = {
  numberless: 'delete from phone_numbers where user_id = ?',
  suspended: 'update users set suspended_at = 1 where id = ?',
  proven: 'update phone_numbers set proven_at = 1 where user_id = ?',
  'platform admin': 'update users set is_platform_admin = 1 where id = ?',
  'with passkey': 'update users set is_platform_admin = 1 where id = ?',
};

async function newViewer(name: ViewerName): Promise<Asker> {
  const person = await newPerson();
  const statement = SQL_OF[name];
  if (statement) await env.DB.prepare(statement).bind(person.id).run();
  if (name === 'with passkey') await showPasskey(person);
  if (name === 'nobody') return { person, tokens: [undefined] };
  return { person, tokens: name === 'dead token' ? await deadTokensOf(person) : [person.token] };
}

/**
 * Returns an expired token, one signed with another key, one for another purpose, and one from before a password
 * change.
 */
async function deadTokensOf({ id: userId }: Person): Promise<string[]> {
  const keys = readConfig(env).keys.session;
  const foreign = toSessionKeys('a-secret-that-nobody-here-has-0123456789', null);
  const viewer = { userId, tokenVersion: 1, sessionId: 'x', sessionEndsAt: Date.now() + 60_000 };
  return Promise.all([
    expiredToken(userId),
    signSessionToken(foreign, viewer),
    signTicket(keys, viewer, 30),
    signSessionToken(keys, { userId, tokenVersion: 0, sessionId: crypto.randomUUID() }),
  ]);
}

/** A token that the Worker signed 31 days ago. */
function expiredToken(userId: string): Promise<string> {
  const [{ id: kid, secret }] = readConfig(env).keys.session;
  const key = new Uint8Array(createHmac('sha256', secret).update('jwt:session').digest());
  return new SignJWT({ typ: 'session+jwt', tv: 1, sid: 'x' })
    .setProtectedHeader({ alg: 'HS256', typ: 'session+jwt', kid })
    .setIssuer('patikana')
    .setAudience('patikana-api')
    .setSubject(userId)
    .setJti(crypto.randomUUID())
    .setExpirationTime('-1d')
    .sign(key);
}

/** The objects that a path may name, in the order of the statuses in a cell of the table in docs/security.md. */
const TARGETS = ['own', 'claimed', 'foreign', 'inside', 'hidden', 'absent'] as const;
type TargetName = (typeof TARGETS)[number];
/** The ids for a path's parameters, by target and by the word before the parameter: `posts` in `/posts/:id`. */
type Targets = Record<TargetName, Record<string, string>>;

type Row = Record<string, string | number | null>;
const CODE_CHARS = 'ABCDEFGHJKMNPQRSTUVWXYZ23456789';
let numbers = 0;

type Insert = readonly [table: string, row: Row];

/** Returns one INSERT statement for each set of rows that have the same table and the same columns. */
function insertAll(inserts: Insert[]): D1PreparedStatement[] {
  const groups = Map.groupBy(inserts, ([table, row]) => `${table} (${Object.keys(row).join(', ')})`);
  return [...groups].map(([columns, rows]) => {
    const places = rows.map(([, row]) => `(${Object.keys(row).map(() => '?')})`);
    const values = rows.flatMap(([, row]) => Object.values(row));
    return env.DB.prepare(`insert into ${columns} values ${places}`).bind(...values);
  });
}

const newId = () => crypto.randomUUID();

function user(id: string, overrides: Row = {}): Insert[] {
  const email = `${id}@example.com`;
  const names = { username: 'mtu', email, email_key: email };
  const number = `+25564${String(++numbers).padStart(7, '0')}`;
  return [
    [
      'users',
      { id, ...names, password_hash: '', created_at: 0, suspended_at: null, is_platform_admin: 0, ...overrides },
    ],
    ['phone_numbers', { number, user_id: id }],
  ];
}

function community(id: string, creatorId: string, approval_status: number): Insert[] {
  const codes = { community_code: id, access_code: accessCodeOf(id) };
  const text = { name: 'Shule', description: '', search_text: 'shule' };
  return [
    ['communities', { id, ...text, ...codes, approval_status, creator_id: creatorId, created_at: 0 }],
    member(id, creatorId, 'admin'),
  ];
}

/** Ten characters without look-alikes, like the Worker's access codes. */
function accessCodeOf(communityId: string): string {
  return Array.from(
    communityId.replace(/-/g, '').slice(0, 20).matchAll(/../g),
    ([pair]) => CODE_CHARS[parseInt(pair, 16) % CODE_CHARS.length],
  ).join('');
}

function member(communityId: string, userId: string, role: 'admin' | 'member'): Insert {
  return ['memberships', { community_id: communityId, user_id: userId, role, joined_at: 0 }];
}

function post(id: string, authorId: string, overrides: Row = {}): Insert {
  const names = { owner_first_name: '', owner_last_name: '', location: 'Mbezi', phone_number: '0712345678' };
  const text = { title: 'Begi la buluu', description: '', search_text: '', posted_by: 'finder', kind: 'bag', ...names };
  const now = Date.now();
  return ['posts', { id, author_id: authorId, ...text, created_at: now, changed_at: now, ...overrides }];
}

function claim(id: string, postId: string, finderId: string, claimantId: string): Insert {
  const times = { created_at: 1, finder_updated_at: 1, claimant_updated_at: 1 };
  const people = { finder_id: finderId, claimant_id: claimantId, phone_number: '0712345678' };
  const told = { post_title: 'Begi', post_kind: 'bag', answer: 'Langu', state: 'waiting' };
  return ['claims', { id, post_id: postId, ...told, ...people, ...times }];
}

/** Returns the rows of one claim, one device, one passkey and so on, for the author of the post `ids.posts`. */
function belongings(ids: ReturnType<typeof newIds>, ownerId: string, otherId: string, blockedId: string): Insert[] {
  const { posts, claims, devices, passkeys, blocks, notices, matches, photos } = ids;
  const lost = newId();
  return [
    claim(claims, posts, ownerId, otherId),
    ['devices', { id: devices, user_id: ownerId, name: 'Chrome', created_at: 1, last_seen_at: Date.now() }],
    [
      'passkeys',
      {
        id: passkeys,
        user_id: ownerId,
        public_key: 'x',
        counter: 0,
        transports: '[]',
        created_at: 1,
      },
    ],
    ['blocks', { id: blocks, blocker_id: ownerId, blocked_id: blockedId, name: 'x', created_at: 1 }],
    [
      'notices',
      {
        id: notices,
        recipient_id: ownerId,
        type: 'matching_post',
        pair_id: matches,
        confidence: 'sure',
        your_post_id: posts,
        post_id: lost,
        created_at: 1,
      },
    ],
    [
      'number_proofs',
      {
        id: ids['number-proofs'],
        secret_digest: digestSecret(readConfig(env).keys.code, ownerId),
        number: '+255712345678',
        text_digest: newId(),
        created_at: Date.now(),
      },
    ],
    [
      'photos',
      {
        id: photos,
        post_id: posts,
        author_id: ownerId,
        position: 0,
        width: 320,
        height: 240,
        alt: '',
        has_og: 0,
        created_at: 1,
      },
    ],
    post(lost, otherId, { posted_by: 'owner' }),
    [
      'match_pairs',
      {
        id: matches,
        lost_post_id: lost,
        found_post_id: posts,
        score: 0.9,
        reasons: '[]',
        created_at: 1,
      },
    ],
  ];
}

/** Returns a new id for each type of object. The keys are words before a path's parameter: `posts` in `/posts/:id`. */
function newIds() {
  return {
    posts: newId(),
    claims: newId(),
    communities: newId(),
    devices: newId(),
    passkeys: newId(),
    blocks: newId(),
    notices: newId(),
    matches: newId(),
    photos: newId(),
    'number-proofs': newId(),
    members: newId(),
    'join-requests': newId(),
    admins: newId(),
    feedback: newId(),
  };
}

/** Creates objects for this person only, so that one request's changes do not affect another request. */
async function makeTargets(viewer: Person, role: 'admin' | 'member' | null): Promise<Targets> {
  const [host, stranger, blocked, clerk, asker] = [newId(), newId(), newId(), newId(), newId()];
  const known = { members: clerk, 'join-requests': asker };
  const own = { ...newIds(), users: viewer.id, admins: viewer.id, ...known };
  const foreign = { ...newIds(), users: stranger };
  const claimed = newIds();
  const inside = { ...newIds(), users: host, ...known };
  const hidden = { ...newIds(), users: newId() };
  const inserts: Insert[] = [
    ...[host, stranger, blocked, clerk, asker].flatMap((id) => user(id)),
    ...user(hidden.users, { suspended_at: 1 }),
    ...user(foreign.admins, { is_platform_admin: 1 }),
    ...community(own.communities, viewer.id, 1),
    ...community(foreign.communities, stranger, 1),
    ...community(inside.communities, host, 1),
    ...community(hidden.communities, stranger, 0),
    ...(role ? [member(inside.communities, viewer.id, role)] : []),
    ...[own, inside].flatMap(({ communities }): Insert[] => [
      member(communities, clerk, 'member'),
      ['join_requests', { id: newId(), community_id: communities, user_id: asker, created_at: 1 }],
    ]),
    ...[own, foreign].map(
      ({ feedback }): Insert => [
        'feedback',
        { id: feedback, email: 'mtu@example.com', message: 'Asante', created_at: 1 },
      ],
    ),
    post(own.posts, viewer.id),
    post(foreign.posts, stranger),
    post(inside.posts, host, { community_id: inside.communities }),
    post(hidden.posts, stranger, { hidden_by: HIDING_BITS.admin }),
    ...belongings(own, viewer.id, stranger, blocked),
    ...belongings(foreign, stranger, host, blocked),
    post(claimed.posts, stranger),
    claim(claimed.claims, claimed.posts, stranger, viewer.id),
  ];
  await env.DB.batch(insertAll(inserts));
  return { own, claimed, foreign, inside, hidden, absent: { ...newIds(), users: newId() } };
}

const bindings = { ...env, ADMIN_STEP_UP: 'on', RATE_LIMITS: 'off' } as Env;
const [PAGE = ''] = Object.values(
  import.meta.glob<string>('/docs/security.md', { query: '?raw', import: 'default', eager: true }),
);
/** The responses that docs/security.md expects of each route. Routes with equal responses share a row. */
const ROWS = [...PAGE.matchAll(/^\|((?:GET|POST|PUT|PATCH|DELETE) \/[^|]+)\|(.+)\|$/gm)].flatMap(
  ([, routes = '', cells = '']) => routes.split(', ').map((route) => [route, cells] as const),
);

/** The targets that a path can name. Only posts, communities and people can be hidden; only a claim has two parties. */
function targetsOf(route: string): readonly TargetName[] {
  if (!route.includes(':')) return ['own'];
  if (/\/(posts|communities|users)\/:/.test(route)) return ['own', 'foreign', 'inside', 'hidden', 'absent'];
  return route.startsWith('/claims') ? ['own', 'claimed', 'foreign', 'absent'] : ['own', 'foreign', 'absent'];
}

/** Fills in the target's ids as the path's parameters. @throws for a parameter without a target. */
function fillPath(route: string, target: TargetName, targets: Targets): string {
  const segments = route.split('/');
  return segments
    .map((segment, index) => {
      if (!segment.startsWith(':')) return segment;
      const noun = segments[index - 1] ?? '';
      // A path such as `/communities/:id/members/:userId` has two ids. Unless the target is `own` or `absent`, the
      // first id is the `inside` community, of which the viewer may be a member or an admin.
      const isPlace = noun === 'communities' && route.split(':').length > 2;
      const id =
        targets[isPlace && target !== 'own' && target !== 'absent' ? 'inside' : target][noun] ?? targets.absent[noun];
      if (id === undefined) throw new Error(`${segment} of ${route}: give it ids in support/authorisation/targets.ts`);
      return id;
    })
    .join('/');
}

type Sent = { body: unknown; token: string | undefined; proofSecret: string };

async function ask(name: string, path: string, { body, token, proofSecret }: Sent): Promise<number> {
  const [method = ''] = name.split(' ');
  const { isForm, fileTypes }: Endpoint = ENDPOINTS[name as keyof typeof ENDPOINTS];
  const ctx = createExecutionContext();
  const headers = {
    [PROOF_SECRET_HEADER]: proofSecret,
    ...(body !== undefined && !isForm && { 'Content-Type': fileTypes?.[0] ?? 'application/json' }),
    ...(token !== undefined && { Authorization: `Bearer ${token}` }),
  };
  const request = new Request(`${ORIGIN}/api${path}`, {
    method,
    headers,
    ...(body !== undefined && { body: toSent(body, isForm) }),
  });
  const { status } = await app.fetch(request, bindings, ctx);
  await waitOnExecutionContext(ctx);
  return status;
}

function toSent(body: unknown, isForm = false): BodyInit {
  if (body instanceof Uint8Array) return body;
  return isForm ? new URLSearchParams(body as Record<string, string>) : JSON.stringify(body);
}

type Scene = Asker & { targets: Targets };
const ROLES: Partial<Record<ViewerName, 'admin' | 'member'>> = { 'community admin': 'admin', member: 'member' };

async function makeScene(viewer: ViewerName): Promise<Scene> {
  const asker = await newViewer(viewer);
  return { ...asker, targets: await makeTargets(asker.person, ROLES[viewer] ?? null) };
}

const readers = new Map<ViewerName, Promise<Scene>>();

/**
 * Returns a viewer and the viewer's targets. For one viewer name, all GET routes get the same viewer and targets,
 * because they change nothing. Each other route gets new ones.
 */
function sceneFor(name: string, viewer: ViewerName): Promise<Scene> {
  if (!name.startsWith('GET ')) return makeScene(viewer);
  const scene = readers.get(viewer) ?? makeScene(viewer);
  readers.set(viewer, scene);
  return scene;
}

/**
 * Requests the route for each target as the viewer. Returns the response statuses as one cell of the table: a single
 * number if all are equal.
 */
async function cellOf(name: string, viewer: ViewerName): Promise<string> {
  const route = name.split(' ')[1] ?? '';
  const isFile = 'fileTypes' in ENDPOINTS[name as keyof typeof ENDPOINTS];
  const { person, tokens, targets } = await sceneFor(name, viewer);
  const statuses: (number | string)[] = [];
  // The viewer's own objects come last, because an action on them may end the viewer's account or session.
  for (const target of targetsOf(route).toReversed()) {
    const asked = new Set<number>();
    for (const token of tokens) {
      const body = isFile
        ? picture('grey.jpg')
        : sampleBody(name, {
            person,
            other: { id: targets.foreign.users ?? '' },
            number: newNumber(),
            accessCode: accessCodeOf(targets.inside.communities ?? ''),
            noticeId: targets[target].notices ?? '',
          });
      asked.add(await ask(name, fillPath(route, target, targets), { body, token, proofSecret: person.id }));
    }
    statuses.unshift([...asked].join('/'));
  }
  return new Set(statuses).size === 1 ? String(statuses[0]) : statuses.join('·');
}

async function cellsOf(name: string): Promise<string> {
  return (await Promise.all(VIEWERS.map((viewer) => cellOf(name, viewer)))).join('|');
}

// Renews the queue's heartbeat. Crons do this every minute, but none runs here, and the health check would report an
// old heartbeat.
beforeEach(() => env.DB.prepare('update heartbeats set beat_at = ?').bind(Date.now()).run());

test('docs/security.md lists each route of the app once, and no route that does not exist', () => {
  expect(ROWS.map(([route]) => route).sort(), 'docs/security.md').toEqual(Object.keys(ENDPOINTS).sort());
  expect(PAGE).toContain(`|route|${VIEWERS.join('|')}|`);
});

test.each(sampleOf(Object.keys(ENDPOINTS), 10))(
  'the route %s responds to each caller as docs/security.md says',
  async (name) => {
    const cells = await cellsOf(name);
    console.info(`|${name}|${cells}|`);
    expect(cells, 'in docs/security.md').toBe(new Map(ROWS).get(name));
  },
  300_000,
);
