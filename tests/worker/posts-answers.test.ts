import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import type { NoticeList } from '#contract/notices.ts';
import type { PostMatch } from '#contract/posts.ts';
import { call, newPerson, newPost, type Person, somePost } from './support/api.ts';
import { communityCodeOf, join, newApprovedCommunity } from './support/communities.ts';

const LOST = { posted_by: 'owner', title: 'Nimepoteza mwavuli wa kijani', description: '', location: 'Tanga' };
/** Says nothing of what was lost. */
const FOUND = { posted_by: 'finder', title: 'Kitu', description: '', location: 'Mwanza' };

function answer(finder: Person, answers_post_id: unknown, overrides: Record<string, unknown> = {}, key?: string) {
  return call(
    'POST',
    '/api/posts',
    { ...somePost, ...FOUND, answers_post_id, ...overrides },
    { ...finder, ...(key && { headers: { 'Idempotency-Key': key } }) },
  );
}

async function messagesOf(person: Person) {
  const { notices } = await (await call('GET', '/api/notices', undefined, person)).json<NoticeList>();
  return notices.map(({ message }) => message);
}

test('whoever says "I found this" is told to the owner as surely as can be, whatever the texts say', async () => {
  const [owner, finder] = [await newPerson(), await newPerson()];
  const lost = await newPost(owner, LOST);
  const made = await answer(finder, lost.id);
  expect(made.status).toBe(201);
  const { id } = await made.json<{ id: string }>();
  await expect
    .poll(() => messagesOf(owner))
    .toMatchObject([
      {
        type: 'matching_post',
        confidence: 'sure',
        post_id: id,
        your_post_id: lost.id,
        phone_number: somePost.phone_number,
      },
    ]);
  const matches = await (await call('GET', `/api/posts/${lost.id}/matches`, undefined, owner)).json<PostMatch[]>();
  expect(matches).toMatchObject([{ confidence: 'sure', Post: { id } }]);
  expect(matches[0]?.reasons[0]).toEqual({
    kind: 'named_by_finder',
    en: 'named by the finder',
    sw: 'limetajwa na aliyekiokota',
  });
  expect(matches[0]?.Post).not.toHaveProperty('answers_post_id');
});

test('the two stay a sure pair when the owner edits what they lost', async () => {
  const [owner, finder] = [await newPerson(), await newPerson()];
  const lost = await newPost(owner, LOST);
  const { id } = await (await answer(finder, lost.id)).json<{ id: string }>();
  await expect.poll(async () => (await messagesOf(owner)).length).toBe(1);
  await call('PUT', `/api/posts/${lost.id}`, { ...somePost, ...LOST, title: 'Nimepoteza baiskeli' }, owner);
  const read = async () => {
    const matches = await (await call('GET', `/api/posts/${lost.id}/matches`, undefined, owner)).json<PostMatch[]>();
    return matches.map(({ confidence, Post }) => [confidence, Post.id]);
  };
  await expect.poll(read).toEqual([['sure', id]]);
});

test('only an open lost post of somebody else that one sees is answered, and by a finder', async () => {
  const [owner, finder] = [await newPerson(), await newPerson()];
  const lost = await newPost(owner, LOST);
  const [own, found, closed, returned, hidden, gone] = [
    await newPost(finder, LOST),
    await newPost(owner, FOUND),
    await newPost(owner, LOST),
    await newPost(owner, LOST),
    await newPost(owner, LOST),
    await newPost(owner, LOST),
  ];
  await call('PUT', `/api/posts/${closed.id}/outcome`, { outcome: 'given_up' }, owner);
  await call('PATCH', `/api/posts/${returned.id}/found`, undefined, owner);
  await env.DB.prepare('update posts set hidden_by = 4 where id = ?').bind(hidden.id).run();
  await call('DELETE', `/api/posts/${gone.id}`, undefined, owner);
  const [blocker] = [await newPerson()];
  const blocked = await newPost(blocker, LOST);
  await env.DB.prepare("insert into blocks (blocker_id, blocked_id, id, name, created_at) values (?, ?, ?, '', 1)")
    .bind(blocker.id, finder.id, crypto.randomUUID())
    .run();
  const refused = [own, found, closed, returned, hidden, gone, blocked].map(({ id }) => id);
  for (const id of [...refused, 'hakuna', '', 7]) {
    const answered = await answer(finder, id);
    expect([id, answered.status]).toEqual([id, 422]);
    expect(await answered.json()).toMatchObject({ errors: [{ field: 'answers_post_id' }] });
  }
  expect((await answer(finder, lost.id, { posted_by: 'owner' })).status).toBe(422);
  expect((await answer(finder, null)).status).toBe(201);
});

test('what is inside of a community is answered by its members alone', async () => {
  const { community, creator } = await newApprovedCommunity();
  const [owner, member, stranger] = [await newPerson(), await newPerson(), await newPerson()];
  for (const person of [owner, member]) await join(community.access_code, person);
  const community_code = await communityCodeOf(community.id, creator);
  const lost = await newPost(owner, { ...LOST, community_code });
  expect((await answer(stranger, lost.id)).status).toBe(422);
  expect((await answer(member, lost.id, { community_code })).status).toBe(201);
  await expect.poll(async () => (await messagesOf(owner)).length).toBe(1);
});

test('five a day, of twenty at once five; other posts go on', async () => {
  const [owner, finder] = [await newPerson(), await newPerson()];
  const lost = await newPost(owner, LOST);
  const answers = await Promise.all(Array.from({ length: 20 }, () => answer(finder, lost.id)));
  expect(answers.map(({ status }) => status).filter((status) => status === 201)).toHaveLength(5);
  const refused = answers.filter(({ status }) => status !== 201);
  for (const { status, headers } of refused) {
    expect(status).toBe(429);
    expect(Number(headers.get('Retry-After'))).toBeGreaterThan(0);
  }
  // 422 comes before 429.
  expect((await answer(finder, 'hakuna')).status).toBe(422);
  expect((await answer(finder, undefined)).status).toBe(201);
});

test('a repeated answer is the same one and counts once, after the owner has closed theirs too', async () => {
  const [owner, finder] = [await newPerson(), await newPerson()];
  const lost = await newPost(owner, LOST);
  const first = await (await answer(finder, lost.id, {}, 'ufunguo')).json<{ id: string }>();
  await call('PATCH', `/api/posts/${lost.id}/found`, undefined, owner);
  const again = await answer(finder, lost.id, {}, 'ufunguo');
  expect([again.status, (await again.json<{ id: string }>()).id]).toEqual([201, first.id]);
});
