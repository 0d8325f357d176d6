/// <reference types="vite/types/importMeta.d.ts" />
import { expect, test } from 'vitest';
import type { Claim } from '#contract/claims.ts';
import { LIVE_PROTOCOL, LIVE_TICKET_PREFIX, type RealtimeTicket } from '#contract/live-messages.ts';
import type { Post } from '#contract/posts.ts';
import { openDb } from '#worker/db/client.ts';
import { matchPost } from '#worker/matching/match-post.ts';
import { forgetSwitches } from '#worker/switches/index.ts';
import { newPerson, newPost, type Person } from './support/api.ts';
import { ANSWER, FOUND, newClaim, take } from './support/claims.ts';
import { type Asked, askFar, type Distance, lengthOf, Odometer } from './support/count-distance.ts';
import { lostAndFound } from './support/live.ts';
import { PlatformCache } from './support/platform-cache.ts';
import { forgetPosts, savePost } from './support/saved-posts.ts';

/** From the phone to the edge, and from the edge to the database and the objects, which are where Africa's nearest are. */
const PHONE_MS = 100;
const FAR_MS = [130, 250] as const;

/** What waits for what: each request, with its calls of the database and of an object, one after another. */
const COUNTED = [
  ['the page', 0, 0],
  ['its script', 0, 0],
  ['GET /api/posts?limit=20', 1, 0],
  ['POST /api/users', 3, 0],
  ['POST /api/login', 2, 0],
  ['GET /api/posts?limit=20', 1, 0],
  ['GET /p/…', 1, 0],
  ['GET /api/posts?search=simu&limit=20', 1, 0],
  ['POST /api/posts', 2, 0],
  ['POST /api/posts', 2, 0],
  ['GET /api/posts/…/matches', 1, 0],
  ['POST /api/realtime/ticket', 1, 0],
  ['GET /ws/…', 0, 1],
  ['the notice', 3, 1],
  ['POST /api/posts/…/claims', 3, 0],
  ['GET /api/claims/…', 1, 0],
  ['POST /api/claims/…/hand-over', 2, 0],
];

const [PAGE = ''] = Object.values(
  import.meta.glob<string>('/docs/benchmarks.md', { query: '?raw', import: 'default', eager: true }),
);

type Leg = { name: string; gone: Distance };
type Journey = { name: string; legs: Leg[] };

/** What is before the Worker on every journey of the test: nothing is in it at first. */
const cache = new PlatformCache();

async function ask(asked: Asked, status: number): Promise<Leg & { answer: Response }> {
  // As for whoever comes first in these seconds.
  forgetSwitches();
  const { answer, gone } = await askFar(cache, asked);
  expect(answer.status, `${asked.method} ${asked.path}`).toBe(status);
  return { name: `${asked.method} ${asked.path.replace(/[0-9a-f-]{36}/g, '…')}`, gone, answer };
}

/** What the edge has by itself: the page, then its script. */
function files(...names: string[]): Leg[] {
  return names.map((name) => ({ name, gone: { database: 0, objects: 0 } }));
}

/** @param nth of how many who come one after another. */
async function visit(nth: number, post: Post, { token }: Person): Promise<Journey[]> {
  const list = { method: 'GET', path: '/api/posts?limit=20' };
  const credentials = (person: Person) => new URLSearchParams({ username: person.email, password: person.password });
  const registration = { username: 'Asha', email: `asha${nth}@example.com`, whatsapp_number: `+25579900011${nth}` };
  const account = { ...registration, password: 'tumaini la kesho' };
  const someone = await newPerson();
  return [
    { name: 'first visit', legs: [...files('the page', 'its script'), await ask(list, 200)] },
    { name: 'sign up', legs: [await ask({ method: 'POST', path: '/api/users', body: account }, 201)] },
    {
      name: 'sign in',
      legs: [
        await ask({ method: 'POST', path: '/api/login', body: credentials(someone) }, 200),
        await ask({ ...list, token }, 200),
      ],
    },
    { name: 'read a post by its link', legs: [await ask({ method: 'GET', path: `/p/${post.id}` }, 200)] },
    { name: 'search', legs: [await ask({ method: 'GET', path: '/api/posts?search=simu&limit=20' }, 200)] },
  ];
}

async function postBoth(): Promise<Journey[]> {
  const [owner, finder] = [await newPerson(), await newPerson()];
  const { lost, found } = lostAndFound();
  const post = { location: 'Kariakoo', phone_number: '0712345678', owner_first_name: '', owner_last_name: '' };
  const posting = (body: object, { token }: Person) =>
    ask(
      { method: 'POST', path: '/api/posts', token, body: { ...post, ...body }, headers: { 'Idempotency-Key': 'a' } },
      201,
    );
  const mine = await posting(lost, owner);
  const { id } = (await mine.answer.json()) as Post;
  return [
    { name: 'post a found thing', legs: [await posting(found, finder)] },
    {
      name: 'post a lost thing, see what matches',
      legs: [mine, await ask({ method: 'GET', path: `/api/posts/${id}/matches`, token: owner.token }, 200)],
    },
  ];
}

/** The socket, and then what lies between the answer of somebody's post and the notice. */
async function beTold(): Promise<Journey> {
  await forgetPosts();
  const [owner, finder] = [await newPerson(), await newPerson()];
  const { lost, found } = lostAndFound();
  await newPost(owner, lost);
  const ticket = await ask({ method: 'POST', path: '/api/realtime/ticket', token: owner.token }, 200);
  const { ticket: secret } = (await ticket.answer.json()) as RealtimeTicket;
  const protocols = `${LIVE_PROTOCOL}, ${LIVE_TICKET_PREFIX}${secret}`;
  const headers = { Upgrade: 'websocket', 'Sec-WebSocket-Protocol': protocols };
  const socket = await ask({ method: 'GET', path: `/ws/${owner.id}`, headers }, 101);
  const odometer = new Odometer();
  await matchPost(odometer.env, openDb(odometer.env), await savePost(finder, found));
  const told = { name: 'the notice', gone: odometer.toObject };
  return { name: 'connect, be told', legs: [ticket, socket, told] };
}

async function claimAndHandOver(): Promise<Journey[]> {
  const [finder, owner, other] = [await newPerson(), await newPerson(), await newPerson()];
  const [post, second] = [await newPost(finder, FOUND), await newPost(finder, FOUND)];
  const path = `/api/posts/${post.id}/claims`;
  const headers = { 'Idempotency-Key': 'b' };
  const made = await ask({ method: 'POST', path, token: owner.token, body: { answer: ANSWER }, headers }, 201);
  const { id } = await newClaim(second.id, other);
  await take(id, 'accept', finder);
  const opened = await ask({ method: 'GET', path: `/api/claims/${id}`, token: other.token }, 200);
  const { handover_code: code } = (await opened.answer.json()) as Claim;
  const handOver = { method: 'POST', path: `/api/claims/${id}/hand-over`, token: finder.token, body: { code } };
  return [
    { name: 'claim', legs: [made] },
    { name: 'hand over', legs: [opened, await ask(handOver, 200)] },
  ];
}

function rowOf({ name, legs }: Journey, { legs: again }: Journey): string {
  const far = (some: readonly Leg[]) => some.reduce((sum, { gone }) => sum + lengthOf(gone), 0);
  const seconds = (trips: number) =>
    FAR_MS.map((ms) => ((PHONE_MS * legs.length + ms * trips) / 1000).toFixed(2)).join('–');
  const count = (where: keyof Distance) => legs.reduce((sum, { gone }) => sum + gone[where], 0);
  const cached = far(again) === far(legs) ? '– | –' : `${far(again)} | ${seconds(far(again))} s`;
  return `| ${name} | ${legs.length} | ${count('database')} | ${count('objects')} | ${seconds(far(legs))} s | ${cached} |`;
}

test('ten journeys go as far as docs/benchmarks.md says, and each request as far as it did', async () => {
  const person = await newPerson();
  const post = await newPost(person);
  const goAll = async (nth: number): Promise<Journey[]> => [
    ...(await visit(nth, post, person)),
    ...(await postBoth()),
    await beTold(),
    ...(await claimAndHandOver()),
  ];
  const journeys = await goAll(1);
  expect(journeys).toHaveLength(10);
  // Who comes next finds in the cache what is alike for everybody.
  const again = await goAll(2);
  expect(PAGE).toContain(journeys.map((journey, n) => rowOf(journey, again[n] as Journey)).join('\n'));
  const requests = journeys.flatMap(({ legs }) => legs.map(({ name, gone }) => [name, gone.database, gone.objects]));
  expect(requests).toEqual(COUNTED);
});
