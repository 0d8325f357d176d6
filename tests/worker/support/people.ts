import { createExecutionContext, runInDurableObject, waitOnExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { expect } from 'vitest';
import type { Device, Session } from '#contract/accounts.ts';
import type { ErrorBody } from '#contract/error-codes.ts';
import type { Post, PostEntry, PostMatch } from '#contract/posts.ts';
import type { NumberProof, StartedProof } from '#contract/recovery.ts';
import { composeWebhook } from '#tests/support/graph-api.ts';
import { PushService } from '#tests/support/push-service.ts';
import { app } from '#worker/app.ts';
import { readConfig } from '#worker/env.ts';
import { deriveCode } from '#worker/identity/codes.ts';
import { type Caller, call, newPerson, newPost, ORIGIN, type Person, read, signIn } from './api.ts';
import { FOUND, newClaim, read as readClaim, take } from './claims.ts';
import { join, newApprovedCommunity, newCommunity } from './communities.ts';
import { askForLink, PUSH_ORIGIN, put, waitForEmails } from './messages.ts';
import { report } from './moderation.ts';
import { channelOf, want } from './notices.ts';
import { insertPosts, judge, saveMatched } from './posts.ts';

const ANDROID = 'Mozilla/5.0 (Linux; Android 10; K) Chrome/141.0.0.0 Mobile Safari/537.36';

export const WRONG = 'si hili nenosiri';

/** Returns the `Cookie` header that a browser would send after this response. */
export function cookiesOf(answer: Response): string {
  return answer.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0])
    .join('; ');
}

/** Signs in, so that the account knows the device. @returns the headers that the device sends from then on. */
export async function knownDevice({ id, email, password }: Person): Promise<{ Cookie: string }> {
  const hash = await env.DB.prepare('select password_hash from users where id = ?').bind(id).first('password_hash');
  const answer = await signIn(email, password);
  // The sign-in has replaced the test's cheap hash with a costly one. Hundreds of guesses need the cheap hash.
  await env.DB.prepare('update users set password_hash = ? where id = ?').bind(hash, id).run();
  if (answer.status !== 200) throw new Error(`Signing in answered ${answer.status}`);
  return { Cookie: cookiesOf(answer) };
}

/** Sends this many wrong passwords at once. @returns the statuses, sorted. */
export async function guessAtOnce(email: string, count: number, headers: Record<string, string> = {}) {
  const answers = await Promise.all(Array.from({ length: count }, () => signIn(email, WRONG, headers)));
  return answers.map(({ status }) => status).sort();
}

export function times(count: number, status: number): number[] {
  return Array.from({ length: count }, () => status);
}

/** Signs the person in. @returns the person with the token of the new session. */
export async function signedIn(person: Person, userAgent = ANDROID): Promise<Person> {
  const answer = await signIn(person.email, person.password, { 'User-Agent': userAgent });
  return { ...person, token: (await answer.json<Session>()).access_token };
}

export const devicesOf = (person: Person) => read<Device[]>('/api/me/devices', person);

const APP_SECRET = 'the-app-secret-of-the-stand-in';
let numbers = 0;

/** A unique phone number. */
export function newNumber(): string {
  return `+25562${String(++numbers).padStart(3, '0')}${String(Math.floor(Math.random() * 1e4)).padStart(4, '0')}`;
}

export function newRegistration(whatsapp_number: string) {
  const username = `mtu${whatsapp_number.slice(1)}${++numbers}`;
  return { username, email: `${username}@example.com`, whatsapp_number, password: 'tumaini la kesho' };
}

export function register(registration: object): Promise<Response> {
  return call('POST', '/api/users', registration);
}

export async function codeOf(answer: Response): Promise<string> {
  return answer.ok ? 'ok' : (await answer.json<ErrorBody>()).code;
}

type Started = StartedProof & { text: string };

export async function startProof(whatsapp_number: string, language = 'en'): Promise<Started> {
  const answer = await call('POST', '/api/auth/number-proofs', { whatsapp_number }, { language });
  expect(answer.status).toBe(201);
  const proof = await answer.json<StartedProof>();
  return { ...proof, text: new URL(proof.url).searchParams.get('text') ?? '' };
}

export async function readProof({ id, secret }: StartedProof): Promise<NumberProof> {
  const answer = await call('GET', `/api/auth/number-proofs/${id}`, undefined, {
    headers: { 'X-Proof-Secret': secret },
  });
  expect(answer.status).toBe(200);
  return answer.json<NumberProof>();
}

/** A message in the format of Meta's webhook; undefined fields are absent. */
export function newMessage(from: string, text: string, overrides: Record<string, unknown> = {}) {
  return {
    from: from.slice(1),
    id: `wamid.${crypto.randomUUID()}`,
    timestamp: String(Math.floor(Date.now() / 1000)),
    type: 'text',
    text: { body: text },
    ...overrides,
  };
}

/** Delivers WhatsApp messages to the Worker's webhook, as Meta does. */
export async function bring(messages: object[], { secret = APP_SECRET, alter = (body: string) => body } = {}) {
  const { body, signature } = composeWebhook(secret, { messages });
  const ctx = createExecutionContext();
  const request = new Request(`${ORIGIN}/api/whatsapp/webhook`, {
    method: 'POST',
    headers: { 'X-Hub-Signature-256': signature },
    body: alter(body),
  });
  const answer = await app.fetch(request, { ...env, WHATSAPP_APP_SECRET: APP_SECRET }, ctx);
  await waitOnExecutionContext(ctx);
  return answer.status;
}

/** Proves a phone number by a WhatsApp message from it. @returns the proof, which replaces a verification code. */
export async function proveByMessage(number: string): Promise<string> {
  const started = await startProof(number);
  expect(await bring([newMessage(number, started.text)])).toBe(200);
  const { status, proof } = await readProof(started);
  expect(status).toBe('proven');
  return proof ?? '';
}

/** Requests a verification code before the registration. @returns the code, computed with the Worker's key. */
export async function askForCode(number: string): Promise<string> {
  expect((await call('POST', '/api/auth/prove-number', { whatsapp_number: number })).status).toBe(200);
  return lastCode('prove_number', number);
}

export async function lastCode(kind: string, number: string): Promise<string> {
  const id = await env.DB.prepare(
    'select id from number_codes where kind = ? and number = ? order by issued_at desc, rowid desc limit 1',
  )
    .bind(kind, number)
    .first<string>('id');
  return deriveCode(readConfig(env).keys.code, id ?? '');
}

export function wrong(code: string): string {
  return String((Number(code) + 1) % 1e6).padStart(6, '0');
}

/** The user who has the phone number, and whether it is proven. */
export function holderOf(number: string) {
  return env.DB.prepare('select user_id as id, proven_at is not null as is_proven from phone_numbers where number = ?')
    .bind(number)
    .first<{ id: string; is_proven: number }>();
}

/** The posts in a response of any route. */
export async function postsIn(answer: Response): Promise<Post[]> {
  const body = await answer.json<Post | (PostEntry | PostMatch)[]>();
  return Array.isArray(body) ? body.map((entry) => entry.Post) : [body];
}

export async function readPosts(path: string, caller: Caller): Promise<Post[]> {
  return postsIn(await call('GET', path, undefined, caller));
}

/** The ids of the posts with a visible phone number. */
export function numbersIn(posts: Post[]): string[] {
  return posts.filter((post) => post.phone_number !== null).map((post) => post.id);
}

/** A new person whose requests come from this IP address. */
export async function newReader(address: string): Promise<Person & { headers: Record<string, string> }> {
  return { ...(await newPerson()), headers: { 'CF-Connecting-IP': address } };
}

export async function prove({ id }: Person): Promise<void> {
  await env.DB.prepare('insert or replace into phone_numbers (number, user_id, proven_at) values (?, ?, 1)')
    .bind(`+255${id}`, id)
    .run();
}

/** Creates this many posts by a new person. @returns the posts, newest first. */
export async function fillPosts(count: number, title = 'Simu nyeusi'): Promise<{ id: string; seq: number }[]> {
  const author = await newPerson();
  await insertPosts(
    author.id,
    Array.from({ length: count }, (_, index) => `${title} ${index}`),
  );
  const { results } = await env.DB.prepare('select id, seq from posts where author_id = ? order by seq desc')
    .bind(author.id)
    .all<{ id: string; seq: number }>();
  return results;
}

/** Pairs the post with each of the other posts as a sure match. */
export async function pairWith(postId: string, others: string[]): Promise<void> {
  await env.DB.prepare(
    `insert into match_pairs (id, lost_post_id, found_post_id, score, reasons, confidence, created_at)
     select lower(hex(randomblob(16))), ?1, value, 0.9, '[]', 'sure', 1 from json_each(?2)`,
  )
    .bind(postId, JSON.stringify(others))
    .run();
  await env.DB.prepare('update posts set match_pending_since = null where id = ?').bind(postId).run();
}

export function leave(person: Person, password = person.password): Promise<Response> {
  return call('DELETE', '/api/me', { current_password: password }, person);
}

/** Whether the database contains the person. */
export async function isKnown({ id }: { id: string }): Promise<boolean> {
  return (await env.DB.prepare('select 1 from users where id = ?').bind(id).first()) !== null;
}

/** Returns a unique word. A person's texts contain the word, so that tests find the texts in all stored data. */
function newWord(): string {
  return `zumaridi${crypto.randomUUID().replace(/[^a-f]/g, '')}`;
}

/**
 * Creates the leaver: a person who deletes their account in the test, with communities, posts, a match, a report and
 * other data. Also creates the other people involved.
 */
export async function newLeaver() {
  const { community, creator: leaver, platformAdmin } = await newApprovedCommunity();
  const other = await newPerson();
  const word = newWord();
  await call('PATCH', '/api/me', { username: `Wa ${word}` }, leaver);
  await signIn(leaver.email, leaver.password, { 'User-Agent': `Firefox/1.0 Android ${word}` });
  const post = await newPost(leaver, { title: `Begi la ${word}`, posted_by: 'owner', description: word });
  const theirs = await newPost(other, { title: 'Begi la anayebaki', posted_by: 'finder' });
  const pair = await pairOf(leaver, other);
  await join(community.access_code, other);
  const pending = await newCommunity(leaver);
  await report(theirs.id, leaver, { reason: 'other', text: 'Maneno ya ripoti' });
  await call('POST', '/api/feedback', { email: leaver.email, message: `Asante, ${word}` });
  await env.DB.prepare('update users set email_proven_at = 1 where id = ?').bind(leaver.id).run();
  await call('POST', `/api/posts/${(await newPost(await newPerson())).id}/block-author`, undefined, leaver);
  const number = { whatsapp_number: leaver.phone };
  await call('POST', '/api/auth/request-password-reset', number);
  await call('POST', '/api/me/whatsapp-number', { ...number, current_password: leaver.password }, leaver);
  return { word, leaver, other, platformAdmin, post, theirs, community, pending, pair };
}

/** The text by the person with whom the leaver has claims. Erasing the leaver must not delete this text. */
export const STAYS = 'Maneno yanayobaki';

/** Like `newLeaver`, and the leaver also has claims as finder and as claimant, and data in every channel. */
export async function newEntangledLeaver() {
  const world = await newLeaver();
  const { leaver, other, word } = world;
  await env.DB.prepare('update phone_numbers set proven_at = 1 where user_id in (?, ?)')
    .bind(leaver.id, other.id)
    .run();
  const say: Say = (person) => (person.id === leaver.id ? `Ni ${word}` : STAYS);
  const marked = { title: `Lililookotwa na ${word}`, claim_question: `Swali ${word}`, private_marks: `Alama ${word}` };
  const asFinder = [
    await newMeeting(leaver, other, { ...marked, identifiers: ['TZ1234567'] }, say),
    await newMeeting(leaver, other, marked, say),
    await newMeeting(leaver, other, marked, say),
  ];
  const asClaimant = [await newMeeting(other, leaver, FOUND, say), await newMeeting(other, leaver, FOUND, say)];
  for (const [accepted, handedOver] of [asFinder, asClaimant]) {
    if (accepted) await take(accepted.id, 'accept', accepted.finder);
    if (handedOver) await handOver(handedOver);
  }
  await openChannels(leaver, word);
  return { ...world, claims: [...asFinder, ...asClaimant], digest: await digestOf(asFinder[0]?.postId ?? '') };
}

type Say = (person: Person) => string;
type Meeting = { id: string; postId: string; finder: Person; claimant: Person };

/** Creates a claim with texts by both parties. `say` returns each person's text. */
async function newMeeting(finder: Person, claimant: Person, post: object, say: Say): Promise<Meeting> {
  const { id: postId } = await newPost(finder, { ...FOUND, ...post });
  const { id } = await newClaim(postId, claimant, { answer: say(claimant) });
  await take(id, 'ask', finder, { text: say(finder) });
  await take(id, 'reply', claimant, { text: say(claimant) });
  return { id, postId, finder, claimant };
}

async function handOver({ id, finder, claimant }: Meeting): Promise<void> {
  await take(id, 'accept', finder);
  await take(id, 'hand-over', finder, { code: (await readClaim(id, claimant)).handover_code });
}

async function digestOf(postId: string): Promise<string> {
  const stored = await env.DB.prepare('select identifiers from posts where id = ?')
    .bind(postId)
    .first<string>('identifiers');
  return JSON.parse(stored ?? '[]')[0];
}

/** Gives the person a push subscription, an unconfirmed e-mail address, settings, and a WhatsApp message to us. */
async function openChannels(leaver: Person, word: string): Promise<void> {
  await want(leaver, { quiet_from: '21:00', quiet_to: '06:00' });
  const { keys } = new PushService(PUSH_ORIGIN).subscribe();
  await put({ endpoint: `${PUSH_ORIGIN}/${word}`, keys }, leaver);
  await askForLink(leaver, `${word}@example.com`);
  await waitForEmails(`${word}@example.com`);
  await env.DB.batch([
    env.DB.prepare('insert into whatsapp_words (user_id, message_id, is_on, sent_at) values (?, ?, 1, 1)').bind(
      leaver.id,
      word,
    ),
    env.DB.prepare(
      'insert into push_dead_letters (id, notice_id, recorded_at) select ?, id, 1 from notices where recipient_id = ? limit 1',
    ).bind(word, leaver.id),
  ]);
}

/** Two posts that are a sure match. The leaver's post is newer, so the other person is notified. */
async function pairOf(leaver: Person, other: Person): Promise<{ mine: string; theirs: string }> {
  const theirs = await saveMatched(other, 'finder');
  const mine = await saveMatched(leaver, 'owner');
  await judge(mine, { [theirs]: 'sure' });
  return { mine, theirs };
}

export async function titlesFound(search: string, viewer: Person): Promise<string[]> {
  const answer = await call('GET', `/api/posts?search=${search}`, undefined, viewer);
  return (await answer.json<{ Post: Post }[]>()).map(({ Post }) => Post.title);
}

/** Every row of every table as text, including the search indexes and waiting jobs. */
export async function everyRow(): Promise<string> {
  const { results } = await env.DB.prepare(
    "select name from sqlite_master where type = 'table' and name not like '_cf_%'",
  ).all<{
    name: string;
  }>();
  const tables = await Promise.all(results.map(({ name }) => env.DB.prepare(`select * from "${name}"`).all()));
  return JSON.stringify(tables.map((table) => table.results)).toLowerCase();
}

/** Everything in the storage of the person's Durable Object, as text. */
export function everythingIn(person: { id: string }): Promise<string> {
  return runInDurableObject(channelOf(person), async (_object, { storage }) => {
    const tables = storage.sql
      .exec<{ name: string }>("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '_cf_%'")
      .toArray();
    const rows = tables.map(({ name }) => [name, storage.sql.exec(`SELECT * FROM "${name}"`).toArray()]);
    return JSON.stringify([rows, [...(await storage.list())]]).toLowerCase();
  });
}
