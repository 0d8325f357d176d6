import { env } from 'cloudflare:workers';
import { ENDPOINTS, type Endpoint } from '#contract/endpoints.ts';
import { ERROR_STATUS, type ErrorBody } from '#contract/error-codes.ts';
import type { Post } from '#contract/posts.ts';
import type { Dice } from '#tests/support/dice.ts';
import { composeWebhook } from '#tests/support/graph-api.ts';
import { checkAnswer, newPerson, ORIGIN, type Person } from './api.ts';
import { insertClaim } from './claims.ts';
import { lostAndFound } from './notices.ts';
import {
  fieldsOf,
  hostileBody,
  hostileText,
  nearlyValid,
  sampleBody,
  textFieldsOf,
  valueFrom,
} from './sample-bodies.ts';
import { askApp } from './visibility-world.ts';

/** The ids for the parameters of paths. A key is the path segment before the parameter: `posts` for `/posts/:id`. */
export type Ids = Record<string, string[]>;

type Scene = {
  callers: Record<'asha' | 'juma' | 'suspended' | 'leaver' | 'admin', Person>;
  accessCode: string;
  communityCode: string;
  ids: Ids;
};

/**
 * Creates the fuzzer's callers: two people with posts, claims and a community, a suspended person, a person who may
 * delete their account, and a platform admin.
 */
export async function makeScene(): Promise<Scene> {
  const circle = await makeCircle();
  const [suspended, leaver, admin, colleague] = await Promise.all([newPerson(), newPerson(), newPerson(), newPerson()]);
  const feedback = crypto.randomUUID();
  await env.DB.batch([
    env.DB.prepare('update users set suspended_at = 1 where id = ?').bind(suspended.id),
    env.DB.prepare('update users set is_platform_admin = 1 where id in (?, ?)').bind(admin.id, colleague.id),
    env.DB.prepare(
      "insert into feedback (id, email, message, created_at) values (?, 'a@example.com', 'Asante', 1)",
    ).bind(feedback),
    env.DB.prepare('update phone_numbers set proven_at = 1 where user_id = ?').bind(circle.people[0].id),
  ]);
  // The admin's requests may suspend `users`. Asha and Juma are not among them: their later requests would fail.
  const ids = { ...circle.ids, users: [suspended.id, leaver.id], admins: [colleague.id], feedback: [feedback] };
  return { ...circle, ids, callers: { asha: circle.people[0], juma: circle.people[1], suspended, leaver, admin } };
}

/** Two people with private data: everything that they have is inside their own community. */
export async function makeBystanders(): Promise<{ people: readonly Person[]; ids: Ids }> {
  const { people, ids } = await makeCircle();
  const inside = ids.communities?.[0] ?? '';
  const places = people.map(() => '?').join(', ');
  await env.DB.prepare(`update posts set community_id = ? where author_id in (${places})`)
    .bind(inside, ...people.map(({ id }) => id))
    .run();
  // The community is not listed: anybody could ask to join a listed one, which would notify its admins.
  await env.DB.prepare('update communities set is_listed = 0 where id = ?').bind(inside).run();
  return { people, ids };
}

async function makeCircle() {
  const people = [await newPerson(), await newPerson()] as const;
  const [asha, juma] = people;
  const post = async ({ token }: Person, body: object) =>
    (
      await askApp('POST', '/api/posts', { token, body: { location: 'Mbezi', phone_number: '0712345678', ...body } })
    ).json<Post>();
  const { lost, found } = lostAndFound();
  const [mine, theirs] = [await post(asha, lost), await post(juma, found)];
  const goat = await post(asha, { title: 'Mbuzi mweupe ameonekana', posted_by: 'finder' });
  const body = { name: 'Shule ya Mbezi', description: '' };
  const community = await (await askApp('POST', '/api/communities', { token: juma.token, body })).json<{
    id: string;
    access_code: string;
  }>();
  await env.DB.prepare('update communities set approval_status = 1 where id = ?').bind(community.id).run();
  await askApp('POST', '/api/communities/join', { token: asha.token, body: { access_code: community.access_code } });
  const claims = [
    await insertClaim({ postId: goat.id, finder: asha, claimant: juma }),
    await insertClaim({ postId: theirs.id, finder: juma, claimant: asha }, 'accepted'),
  ];
  await insertOwned(asha);
  const places = people.map(() => '?').join(', ');
  const listed = async (statement: string) => {
    const { results } = await env.DB.prepare(`${statement} in (${places})`)
      .bind(...people.map(({ id }) => id))
      .all<{ id: string }>();
    return results.map(({ id }) => id);
  };
  const ids: Ids = {
    posts: [mine.id, theirs.id, goat.id],
    claims,
    communities: [community.id],
    users: people.map(({ id }) => id),
    devices: await listed('select id from devices where user_id'),
    passkeys: await listed('select id from passkeys where user_id'),
    blocks: await listed('select id from blocks where blocker_id'),
    notices: await listed('select id from notices where recipient_id'),
    matches: await listed(
      'select p.id from match_pairs p join posts s on s.id in (p.lost_post_id, p.found_post_id) where s.author_id',
    ),
  };
  const communityCode =
    (await env.DB.prepare('select community_code from communities where id = ?')
      .bind(community.id)
      .first<string>('community_code')) ?? '';
  return { people, ids, accessCode: community.access_code, communityCode };
}

/** Gives the person a device, a passkey, and a block on another person. */
async function insertOwned({ id }: Person): Promise<void> {
  const blocked = await newPerson();
  const insert = (statement: string, ...values: unknown[]) => env.DB.prepare(statement).bind(...values);
  await env.DB.batch([
    insert(
      "insert into devices (id, user_id, name, created_at, last_seen_at) values (?, ?, 'Chrome, Android', 1, ?)",
      crypto.randomUUID(),
      id,
      Date.now(),
    ),
    insert(
      "insert into passkeys (id, user_id, public_key, counter, transports, created_at) values (?, ?, 'x', 0, '[]', 1)",
      crypto.randomUUID(),
      id,
    ),
    insert(
      "insert into blocks (blocker_id, blocked_id, id, name, created_at) values (?, ?, ?, 'Simu', 1)",
      id,
      blocked.id,
      crypto.randomUUID(),
    ),
  ]);
}

/** Every table with personal data, with the column that contains the person's id. */
export const OWNER_COLUMNS: Readonly<Record<string, string>> = {
  blocks: 'blocker_id',
  claim_reports: 'reporter_id',
  claims: 'claimant_id',
  communities: 'creator_id',
  community_rejections: 'user_id',
  community_removals: 'user_id',
  devices: 'user_id',
  email_links: 'user_id',
  email_messages: 'recipient_id',
  erasures: 'user_id',
  feedback: 'email',
  given_numbers: 'reader_id',
  idempotency_keys: 'user_id',
  join_requests: 'user_id',
  match_answers: 'user_id',
  memberships: 'user_id',
  moderation_log: 'actor_id',
  notice_settings: 'user_id',
  notices: 'recipient_id',
  number_codes: 'number',
  number_proofs: 'number',
  passkey_challenges: 'user_id',
  passkeys: 'user_id',
  phone_numbers: 'user_id',
  photos: 'author_id',
  post_reports: 'reporter_id',
  posts: 'author_id',
  push_subscriptions: 'user_id',
  reset_codes: 'user_id',
  step_ups: 'user_id',
  users: 'id',
  whatsapp_messages: 'recipient_id',
  whatsapp_outbox: 'recipient_id',
  whatsapp_recipients: 'number',
  whatsapp_words: 'user_id',
};

/** Returns all rows that belong to one of these people, grouped by table. */
export async function rowsOf(people: readonly { id: string }[]): Promise<Record<string, unknown[]>> {
  const tables = Object.entries(OWNER_COLUMNS);
  const places = people.map(() => '?').join(', ');
  const answers = await env.DB.batch<Record<string, unknown>>(
    tables.map(([table, column]) =>
      env.DB.prepare(`select * from ${table} where ${column} in (${places}) order by 1, 2`).bind(
        ...people.map(({ id }) => id),
      ),
    ),
  );
  return Object.fromEntries(
    tables.flatMap(([table], index) => {
      const rows = answers[index]?.results ?? [];
      return rows.length > 0 ? [[table, rows]] : [];
    }),
  );
}

export const WEBHOOK_SECRET = 'a-secret-of-the-stand-in-for-meta';
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD'] as const;
const TYPES = ['text/plain', 'application/xml', 'multipart/form-data', 'image/png', 'application/json; charset=utf-16'];
const HOSTILE_SEGMENTS = [
  '%00',
  '%ff',
  '%F0%9F',
  '%2e%2e%2f',
  "'--",
  '%F0%9F%91%9C',
  '__proto__',
  '0',
  '-1',
  ' ',
  ';x',
];

/** A request that the fuzzer sends, and prints if the request reveals a problem. */
export type Draft = {
  route: string;
  method: string;
  url: string;
  headers: Record<string, string>;
  body?: string | Uint8Array<ArrayBuffer>;
};

/**
 * The data from which a request is made.
 * `foreign`: the ids of the posts, claims and so on of the people from `makeBystanders`. No caller has a right to them.
 */
type Material = { scene: Scene; foreign: Ids; number: string };

/** Makes a request that is randomly valid, nearly valid or hostile in each part. */
export function makeRequest(route: string, material: Material, dice: Dice): Draft {
  const [ownMethod = '', path = ''] = route.split(' ');
  const endpoint = endpointOf(route);
  const caller = pickCaller(route, dice);
  const method = dice.isLucky(0.04) ? dice.pick(METHODS) : ownMethod;
  const url = `${ORIGIN}${fillPath(path, material, caller === 'admin', dice)}${makeQuery(endpoint, dice)}`;
  const headers = { ...authorise(caller, material, dice), ...makeHeaders(dice) };
  const draft = { route, method, url, headers };
  if (method === 'GET' || method === 'HEAD') return draft;
  return path.endsWith('/webhook') ? signed(draft, dice) : withBody(draft, endpoint, caller, material, dice);
}

/** A text field of a body or a query. */
type TextField = { route: string; name: string; longest: number; isInQuery: boolean };

/** Lists the text fields of the routes' bodies and queries. */
export function listTextFields(routes: string[]): TextField[] {
  return routes.flatMap((route) => {
    const endpoint = endpointOf(route);
    const listed = (schema: Endpoint['body'], isInQuery: boolean) =>
      textFieldsOf(schema).map(({ name, longest }) => ({ route, name, longest, isInQuery }));
    return [...listed(endpoint?.body, false), ...listed(endpoint?.query, true)];
  });
}

const RUN_SIGNS = [' ', '\n', '\u00a0', '.', '*', '1', 'a', 'A', 'ﷺ'];
/**
 * The beginnings of a text that then repeats one character. Some regular expressions read the repeated characters only
 * after such a beginning.
 */
const RUN_CUES = ['', '', 'last ', 'TSh ', 'namba '];

/** A request that is valid except for one field, which contains one character many times. */
export function makeRun({ route, name, longest, isInQuery }: TextField, material: Material, dice: Dice): Draft {
  const [method = '', path = ''] = route.split(' ');
  const isOfAdmin = route.includes('/admin/') || route.includes('/passkeys');
  const caller = LAST_REQUESTS.includes(route) ? 'leaver' : isOfAdmin ? 'admin' : 'asha';
  const run = (dice.pick(RUN_CUES) + dice.pick(RUN_SIGNS).repeat(longest)).slice(0, longest);
  const url = `${ORIGIN}${fillPath(path, material, isOfAdmin, dice)}`;
  const headers = { Authorization: `Bearer ${material.scene.callers[caller].token}` };
  if (isInQuery) return { route, method, url: `${url}?${new URLSearchParams({ [name]: run })}`, headers };
  const endpoint = endpointOf(route);
  const fields = { ...sampleOf(route, caller, material), [name]: run };
  return { route, method, url, headers: { ...headers, ...typeOf(endpoint) }, body: bodyOf(endpoint, fields) };
}

function endpointOf(route: string): Endpoint | undefined {
  const [method, path = ''] = route.split(' ');
  const endpoints = Object.entries<Endpoint>(ENDPOINTS);
  return endpoints.find(([name]) => name === `${method} ${path.replace(/^\/api/, '')}`)?.[1];
}

type CallerName = keyof Scene['callers'] | 'nobody' | 'broken';

/** Requests that make the caller's token invalid. Callers who are needed later must not send them. */
const LAST_REQUESTS = [
  'DELETE /api/me',
  'POST /api/me/password',
  'POST /api/me/sign-out-everywhere',
  'POST /api/auth/reset-password',
];

function pickCaller(route: string, dice: Dice): CallerName {
  if (LAST_REQUESTS.includes(route)) return dice.isLucky(0.8) ? 'leaver' : 'nobody';
  if (route.includes('/admin/') || route.includes('/passkeys')) return dice.isLucky(0.6) ? 'admin' : 'asha';
  return dice.pick(['asha', 'asha', 'asha', 'juma', 'juma', 'juma', 'suspended', 'admin', 'nobody', 'broken']);
}

function authorise(caller: CallerName, { scene }: Material, dice: Dice): Record<string, string> {
  if (caller === 'nobody') return {};
  if (caller !== 'broken') return { Authorization: `Bearer ${scene.callers[caller].token}` };
  const { token } = scene.callers.asha;
  return {
    Authorization: dice.pick([
      'Bearer',
      'Bearer x.y.z',
      'Basic YTpi',
      `Bearer ${token.slice(0, -2)}`,
      `Bearer ${token} ${token}`,
      `Bearer ${btoa('{"alg":"none"}')}.${token.split('.')[1]}.`,
      `Bearer ${'a'.repeat(5_000)}`,
    ]),
  };
}

function fillPath(path: string, { scene, foreign }: Material, isAdmin: boolean, dice: Dice): string {
  const segments = path.replace(/\{[^}]*\}/g, '').split('/');
  return segments
    .map((segment, index) => {
      if (!segment.startsWith(':') && segment !== '*') return segment;
      if (dice.isLucky(0.08)) return dice.pick(HOSTILE_SEGMENTS);
      if (dice.isLucky(0.08)) return encodeURIComponent(hostileText(dice).toWellFormed().slice(0, 300)) || 'x';
      if (dice.isLucky(0.1)) return '00000000-0000-4000-8000-000000000000';
      const pool = isAdmin || dice.isLucky(0.75) ? scene.ids : foreign;
      const noun = pool[segments[index - 1] ?? ''];
      return dice.pick(noun && noun.length > 0 && dice.isLucky(0.9) ? noun : Object.values(pool).flat());
    })
    .join('/');
}

function makeQuery(endpoint: Endpoint | undefined, dice: Dice): string {
  const fields = fieldsOf(endpoint?.query);
  if (fields.length === 0 && !dice.isLucky(0.1)) return '';
  if (dice.isLucky(0.05)) return '?%=%ff&limit=%00&=&&cursor';
  const query = new URLSearchParams();
  for (const [name, shape] of fields)
    for (let times = dice.pick([0, 1, 1, 2]); times > 0; times--)
      query.append(name, dice.isLucky(0.3) ? '' : toText(valueFrom(shape, dice)));
  if (dice.isLucky(0.1)) query.append(hostileText(dice).toWellFormed(), hostileText(dice).toWellFormed());
  return `?${query}`;
}

function makeHeaders(dice: Dice): Record<string, string> {
  const odd: [name: string, values: string[]][] = [
    ['Accept-Language', ['sw', 'en;q=0.1, sw', '*', 'x'.repeat(3_000), ';q=,,;', 'sw;q=9e9']],
    ['Idempotency-Key', ['ufunguo', 'k'.repeat(129), '"', ' ', 'a b']],
    ['X-Proof-Secret', ['x', '%'.repeat(2_000)]],
    ['Cookie', ['a=b', 'device_x=%00', `${'d=1;'.repeat(900)}`, '__Host-device=;;==']],
    ['Origin', ['null', 'https://elsewhere.example', 'x']],
    ['If-None-Match', ['*', '"x"']],
    ['Range', ['bytes=0-', 'bytes=9-1']],
    ['X-Forwarded-For', ["'; --"]],
    ['CF-Connecting-IP', ['10.0.0.1', '::1', 'not an address', '2001:db8::1']],
    ['Content-Length', ['0', '-1', '999999999', 'x']],
    ['Connection', ['upgrade', 'close', 'keep-alive, TE']],
    ['Expect', ['100-continue']],
    ['TE', ['trailers', 'gzip;q=0.5, trailers']],
    ['Upgrade', ['websocket', 'h2c']],
    ['Sec-WebSocket-Protocol', ['patikana.v1', 'patikana.v1, ticket.x.y.z', 'ticket.,,', 'x'.repeat(2_000)]],
  ];
  return Object.fromEntries(odd.filter(() => dice.isLucky(0.04)).map(([name, values]) => [name, dice.pick(values)]));
}

function withBody(
  draft: Draft,
  endpoint: Endpoint | undefined,
  caller: CallerName,
  material: Material,
  dice: Dice,
): Draft {
  const sample = sampleOf(draft.route, caller, material);
  const kind = dice.pick(['valid', 'valid', 'nearly', 'nearly', 'hostile']);
  const fields = kind === 'nearly' ? nearlyValid(sample, endpoint?.body, dice) : sample;
  if (fields.community_code !== undefined && dice.isLucky(0.3)) fields.community_code = material.scene.communityCode;
  const body = kind === 'hostile' ? hostileBody(sample, dice) : bodyOf(endpoint, fields);
  const type = dice.isLucky(0.06) ? { 'Content-Type': dice.pick(TYPES) } : typeOf(endpoint);
  return { ...draft, headers: { ...type, ...draft.headers }, body };
}

function sampleOf(route: string, caller: CallerName, { scene, number }: Material): Record<string, unknown> {
  const named = {
    person: scene.callers[caller === 'nobody' || caller === 'broken' ? 'asha' : caller],
    other: scene.callers.juma,
    number,
    accessCode: scene.accessCode,
    noticeId: scene.ids.notices?.[0] ?? '',
  };
  return (sampleBody(route.replace(' /api', ' '), named) ?? {}) as Record<string, unknown>;
}

function bodyOf(endpoint: Endpoint | undefined, fields: Record<string, unknown>): string {
  return endpoint?.isForm ? new URLSearchParams(toTexts(fields)).toString() : JSON.stringify(fields);
}

function typeOf(endpoint: Endpoint | undefined): { 'Content-Type': string } {
  return { 'Content-Type': endpoint?.isForm ? 'application/x-www-form-urlencoded' : 'application/json' };
}

function toText(value: unknown): string {
  return (typeof value === 'string' ? value : JSON.stringify(value)).toWellFormed();
}

function toTexts(fields: Record<string, unknown>): Record<string, string> {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, toText(value)]));
}

/**
 * Gives a request to Meta's webhook a body and, in most cases, a valid signature, because the Worker refuses unsigned
 * requests at once.
 */
function signed(draft: Draft, dice: Dice): Draft {
  const message = { from: '255712345678', id: hostileText(dice), type: 'text', text: { body: hostileText(dice) } };
  const status = { id: 'wamid.1', status: dice.pick(['failed', 'read', 'x']), errors: dice.pick([null, [{}], 'x']) };
  const news = dice.pick<Record<string, unknown>>([
    { messages: [message] },
    { messages: [{ ...message, timestamp: String(Math.floor(Date.now() / 1000)) }, null] },
    { statuses: [status] },
    { messages: 'x', statuses: {} },
  ]);
  const { body, signature } = composeWebhook(WEBHOOK_SECRET, news);
  return { ...draft, headers: { ...draft.headers, 'X-Hub-Signature-256': dice.isLucky(0.9) ? signature : 'x' }, body };
}

/** The paths of pages for people. Errors at these paths are pages too, not JSON. */
const PAGES = /^\/api\/email\/unsubscribe\/|^\/(?!api(\/|$)|ws(\/|$))/;

/** @returns the problem of a response, or null. */
export async function judge({ method, url }: Draft, answer: Response): Promise<string | null> {
  const { pathname } = new URL(url);
  const isSick = pathname === '/api/health' && answer.status === 503;
  if (answer.status >= 500 && !isSick && !(await isSwitchedOff(answer.clone())))
    return `answered ${answer.status}: ${await answer.text()}`;
  if (!answer.headers.get('X-Request-Id')) return 'has no request id';
  if (answer.headers.get('X-Content-Type-Options') !== 'nosniff') return 'lacks the headers of security';
  if (answer.ok) return judgeSuccess(method, url, answer);
  if (method === 'HEAD' || isSick || PAGES.test(pathname)) return null;
  return judgeRefusal(answer);
}

/** Whether the response says that the fuzzer's admin has switched the feature off. */
async function isSwitchedOff(answer: Response): Promise<boolean> {
  const text = await answer.text();
  return answer.status === 503 && text.startsWith('{') && (JSON.parse(text) as ErrorBody).code === 'switched_off';
}

async function judgeSuccess(method: string, url: string, answer: Response): Promise<string | null> {
  try {
    if (answer.status !== 101) await checkAnswer(method, url, answer);
    return null;
  } catch (error) {
    return `is not as the contract says: ${String(error).slice(0, 500)}`;
  }
}

async function judgeRefusal(answer: Response): Promise<string | null> {
  const { status, headers } = answer;
  const text = await answer.text();
  if (!headers.get('Content-Type')?.startsWith('application/json')) return `refuses without JSON: ${status} ${text}`;
  const { code, detail, errors } = JSON.parse(text) as ErrorBody;
  if (!(code in ERROR_STATUS)) return `has an unknown code: ${text}`;
  if (typeof detail !== 'string' || !/\S/.test(detail)) return `has no sentence: ${text}`;
  if (errors?.some(({ field, message }) => typeof field !== 'string' || !message)) return `names no field: ${text}`;
  if (status === 401 && headers.get('WWW-Authenticate') !== 'Bearer') return 'lacks WWW-Authenticate';
  if (status === 429 && !(Number(headers.get('Retry-After')) > 0)) return 'lacks Retry-After';
  if (status === 405 && !headers.get('Allow')) return 'lacks Allow';
  return null;
}
