import { expect, test } from 'vitest';
import type { Claim } from '#contract/claims.ts';
import { LIVE_PROTOCOL, LIVE_TICKET_PREFIX, type RealtimeTicket } from '#contract/live-messages.ts';
import type { Post } from '#contract/posts.ts';
import { openDb } from '#worker/db/client.ts';
import { matchPost } from '#worker/matching/match-post.ts';
import { forgetSwitches } from '#worker/switches/index.ts';
import { newPerson, newPost, type Person } from './support/api.ts';
import { ANSWER, FOUND, newClaim, take } from './support/claims.ts';
import { type Asked, askFar, type Distance, Odometer } from './support/count-distance.ts';
import { lostAndFound } from './support/live.ts';
import { PlatformCache } from './support/platform-cache.ts';
import { forgetPosts, savePost } from './support/saved-posts.ts';

// How often a request waits for the database or for a person's object, both of which are on another continent. What is
// asked at the same time counts once.

type Trip = Distance & { answer: Response };

/** The edge cache in front of the Worker; empty at first. */
const cache = new PlatformCache();

async function ask(asked: Asked, status: number): Promise<Trip> {
  // An isolate asks for the switches every few seconds. These requests are the ones that have to.
  forgetSwitches();
  const { answer, gone } = await askFar(cache, asked);
  expect(answer.status, `${asked.method} ${asked.path}`).toBe(status);
  return { answer, ...gone };
}

const once = { database: 1, objects: 0 };
const twice = { database: 2, objects: 0 };
const thrice = { database: 3, objects: 0 };

test.each(['/api/posts?limit=20', '/api/posts?search=simu&limit=20', '/p/ID'])(
  'GET %s asks the database once for the first visitor, and not for the next',
  async (address) => {
    const post = await newPost(await newPerson());
    const path = address.replace('ID', post.id);
    expect(await ask({ method: 'GET', path }, 200)).toMatchObject(once);
    expect(await ask({ method: 'GET', path }, 200)).toMatchObject({ database: 0, objects: 0 });
  },
);

test('signing up asks the database three times, signing in twice, a list of somebody signed in once', async () => {
  const account = { username: 'Asha', email: 'asha@example.com', whatsapp_number: '+255799000111' };
  const body = { ...account, password: 'tumaini la kesho' };
  expect(await ask({ method: 'POST', path: '/api/users', body }, 201)).toMatchObject(thrice);
  const { email, password, token } = await newPerson();
  const credentials = new URLSearchParams({ username: email, password });
  expect(await ask({ method: 'POST', path: '/api/login', body: credentials }, 200)).toMatchObject(twice);
  expect(await ask({ method: 'GET', path: '/api/posts?limit=20', token }, 200)).toMatchObject(once);
});

test('posting asks the database twice, and reading what matches once', async () => {
  const { token } = await newPerson();
  const rest = { location: 'Kariakoo', phone_number: '0712345678', owner_first_name: '', owner_last_name: '' };
  const body = { ...rest, ...lostAndFound().lost };
  const headers = { 'Idempotency-Key': 'a' };
  const posted = await ask({ method: 'POST', path: '/api/posts', token, body, headers }, 201);
  expect(posted).toMatchObject(twice);
  const { id } = await posted.answer.json<Post>();
  expect(await ask({ method: 'GET', path: `/api/posts/${id}/matches`, token }, 200)).toMatchObject(once);
});

test('a ticket asks the database once, and a socket asks the object once', async () => {
  const { id, token } = await newPerson();
  const ticket = await ask({ method: 'POST', path: '/api/realtime/ticket', token }, 200);
  expect(ticket).toMatchObject(once);
  const { ticket: secret } = await ticket.answer.json<RealtimeTicket>();
  const headers = {
    Upgrade: 'websocket',
    'Sec-WebSocket-Protocol': `${LIVE_PROTOCOL}, ${LIVE_TICKET_PREFIX}${secret}`,
  };
  expect(await ask({ method: 'GET', path: `/ws/${id}`, headers }, 101)).toMatchObject({ database: 0, objects: 1 });
});

test('a notice waits for the database three times and for the object once', async () => {
  await forgetPosts();
  const [owner, finder] = [await newPerson(), await newPerson()];
  const { lost, found } = lostAndFound();
  await newPost(owner, lost);
  const odometer = new Odometer();
  await matchPost(odometer.env, openDb(odometer.env), await savePost(finder, found));
  expect(odometer.toObject).toEqual({ database: 3, objects: 1 });
});

test('claiming asks the database three times, reading a claim once, handing over twice', async () => {
  const [finder, owner, other]: [Person, Person, Person] = [await newPerson(), await newPerson(), await newPerson()];
  const [post, second] = [await newPost(finder, FOUND), await newPost(finder, FOUND)];
  const headers = { 'Idempotency-Key': 'b' };
  const claim = { method: 'POST', path: `/api/posts/${post.id}/claims`, body: { answer: ANSWER }, headers };
  expect(await ask({ ...claim, token: owner.token }, 201)).toMatchObject(thrice);
  const { id } = await newClaim(second.id, other);
  await take(id, 'accept', finder);
  const opened = await ask({ method: 'GET', path: `/api/claims/${id}`, token: other.token }, 200);
  expect(opened).toMatchObject(once);
  const { handover_code: code } = await opened.answer.json<Claim>();
  const handOver = { method: 'POST', path: `/api/claims/${id}/hand-over`, token: finder.token, body: { code } };
  expect(await ask(handOver, 200)).toMatchObject(twice);
});
