import { env } from 'cloudflare:workers';
import { afterEach, expect, test, vi } from 'vitest';
import { app } from '#worker/app.ts';
import { call, newPerson, ORIGIN, type Person } from './support/api.ts';
import { captureLogs } from './support/capture-logs.ts';
import { newCommunity, newPlatformAdmin } from './support/communities.ts';
import { lostAndFound, newPeople } from './support/live.ts';
import { passCalls } from './support/pass-calls.ts';
import { noticesAbout, postAndMatch } from './support/saved-posts.ts';

afterEach(() => vi.unstubAllGlobals());

/** Asks the app with a database that is broken from the moment on at which only the work after the answer is left. */
async function askAndBreak(method: string, path: string, { token }: Pick<Person, 'token'>) {
  const left: Promise<unknown>[] = [];
  const database = passCalls(env.DB, async (ask) => {
    if (left.length > 0) throw new Error('D1_ERROR: what was bound: 0712345678');
    return ask();
  });
  const context = { waitUntil: (work: Promise<unknown>) => left.push(work), passThroughOnException() {}, props: {} };
  const request = new Request(`${ORIGIN}${path}`, { method, headers: { Authorization: `Bearer ${token}` } });
  const logs = captureLogs();
  const answer = await app.fetch(request, { ...env, DB: database }, context as never);
  return { answer, work: await Promise.allSettled(left), logs: logs.error.mock.calls.flat() };
}

/** An owner who was told of a post, whose mailbox is to hear of it again. */
async function tellOwner() {
  const [owner, finder] = await newPeople(2);
  if (!owner || !finder) throw new Error('nobody');
  const { lost, found } = lostAndFound();
  await postAndMatch(owner, lost);
  const postId = await postAndMatch(finder, found);
  const [notice] = await noticesAbout(postId);
  await env.DB.prepare('update notices set delivered_at = null where post_id = ?').bind(postId).run();
  return { owner, finder, postId, noticeId: notice?.id ?? '' };
}

test.each([
  [
    'DELETE',
    'post',
    async () => {
      const { finder, postId } = await tellOwner();
      return { person: finder, path: `/api/posts/${postId}`, status: 204 };
    },
  ],
  [
    'PATCH',
    'found post',
    async () => {
      const { finder, postId } = await tellOwner();
      return { person: finder, path: `/api/posts/${postId}/found`, status: 200 };
    },
  ],
  ['POST', 'ticket', async () => ({ person: (await tellOwner()).owner, path: '/api/realtime/ticket', status: 200 })],
  [
    'POST',
    'dismissal',
    async () => {
      const { owner, noticeId } = await tellOwner();
      return { person: owner, path: `/api/notices/${noticeId}/dismiss`, status: 204 };
    },
  ],
  [
    'POST',
    'approval',
    async () => {
      const { id } = await newCommunity(await newPerson());
      return { person: await newPlatformAdmin(), path: `/api/admin/communities/${id}/approve`, status: 200 };
    },
  ],
])('a failure after the answer to a %s of a %s is logged, and changes no answer', async (method, _what, prepare) => {
  const { person, path, status } = await prepare();
  // The first answer to a person within an hour leaves the record of their use, too.
  await call('GET', '/api/me', undefined, { token: person.token });
  const { answer, work, logs } = await askAndBreak(method, path, person);
  expect(answer.status).toBe(status);
  expect(work).toEqual([{ status: 'fulfilled', value: undefined }]);
  const requestId = answer.headers.get('X-Request-Id');
  expect(logs).toEqual([expect.objectContaining({ event: 'unexpected_error', request_id: requestId, method })]);
  expect(JSON.stringify(logs)).not.toContain('0712345678');
});
