import { expect, test } from 'vitest';
import type { Post } from '#contract/posts.ts';
import { call, newPerson, newPost, somePost } from './support/api.ts';
import { communityCodeOf, newApprovedCommunity } from './support/communities.ts';
import { countTrips, expectTrips } from './support/count-trips.ts';

const READ = 1;
const WRITE = 2;

test('a read asks the database once', async () => {
  const { community, creator } = await newApprovedCommunity();
  const code = await communityCodeOf(community.id, creator);
  const { id } = await newPost(creator);
  for (const path of [
    '/api/me',
    '/api/posts',
    '/api/posts?search=simu',
    '/api/posts?search=ya',
    `/api/posts?community_code=${code}`,
    `/api/posts?community_code=${code}&search=simu`,
    '/api/posts/by-owner',
    `/api/posts/${id}`,
  ])
    await expectTrips(READ, 200, 'GET', path, creator);
  for (const path of ['/api/posts', '/api/posts?search=simu', `/api/posts/${id}`])
    await expectTrips(READ, 200, 'GET', path);
});

test('a write asks the database twice at most', async () => {
  const person = await newPerson();
  const made = await expectTrips(WRITE, 201, 'POST', '/api/posts', { ...person, body: somePost });
  const { id } = await made.answer.json<Post>();
  const headers = { 'Idempotency-Key': 'ufunguo' };
  await expectTrips(WRITE, 201, 'POST', '/api/posts', { ...person, body: somePost, headers });
  await expectTrips(READ, 201, 'POST', '/api/posts', { ...person, body: somePost, headers });
  await expectTrips(WRITE, 200, 'PUT', `/api/posts/${id}`, { ...person, body: somePost });
  await expectTrips(WRITE, 200, 'PATCH', `/api/posts/${id}/found`, person);
  await expectTrips(WRITE, 200, 'DELETE', `/api/posts/${id}/found`, person);
  await expectTrips(WRITE, 204, 'DELETE', `/api/posts/${id}`, person);
  const registration = {
    username: 'x',
    email: 'safari@example.com',
    whatsapp_number: '+255799000003',
    password: person.password,
  };
  // What is switched off is asked for every five seconds, by whoever comes first.
  const earlier = { ...registration, email: 'mapema@example.com', whatsapp_number: '+255799000004' };
  expect((await call('POST', '/api/users', earlier)).status).toBe(201);
  await expectTrips(WRITE, 201, 'POST', '/api/users', { body: registration });
  const credentials = new URLSearchParams({ username: person.email, password: person.password });
  await expectTrips(WRITE, 200, 'POST', '/api/login', { body: credentials });
  await expectTrips(1, 201, 'POST', '/api/feedback', { body: { email: 'a@example.com', message: 'Asante' } });
});

test('what is refused before the database is needed does not ask it', async () => {
  const person = await newPerson();
  for (const [method, path, given, status] of [
    ['POST', '/api/posts', { ...person, body: {} }, 422],
    ['POST', '/api/posts', { body: somePost }, 401],
    ['GET', '/api/posts/by-owner', {}, 401],
    ['GET', '/api/posts?limit=0', {}, 422],
    ['GET', '/api/posts', { token: 'forged' }, 401],
    ['POST', '/api/users', { body: {} }, 422],
    ['GET', '/api/nothing', {}, 404],
    ['PATCH', '/api/posts', {}, 405],
  ] as const) {
    const { answer, trips } = await countTrips(method, path, given);
    expect([path, answer.status, trips]).toEqual([path, status, 0]);
  }
});

test('the counter is not blind', async () => {
  const person = await newPerson();
  const read = await countTrips('GET', '/api/posts', person);
  expect([read.trips, read.rowsRead > 0]).toEqual([1, true]);
  expect((await countTrips('POST', '/api/posts', { ...person, body: somePost })).trips).toBe(2);
});
