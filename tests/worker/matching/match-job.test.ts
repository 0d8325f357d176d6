import { abortAllDurableObjects } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { beforeEach, expect, test, vi } from 'vitest';
import { call, newPerson, newPost, somePost } from '#tests/worker/support/api.ts';
import { envWithFailingMailboxes, mortalEnv } from '#tests/worker/support/mortal-env.ts';
import { connect, lostAndFound, newPeople, type Somebody, settled } from '#tests/worker/support/notices.ts';
import { forgetPosts, noticesAbout, pairsOf, postAndMatch, savePost, sweepIn } from '#tests/worker/support/posts.ts';
import { captureLogs, DEATH_STEP } from '#tests/worker/support/test-run.ts';
import { openDb } from '#worker/db/client.ts';
import { matchPost } from '#worker/matching/match-post.ts';
import { deliverNotices } from '#worker/notices/deliver-notices.ts';

beforeEach(forgetPosts);

async function twoPeople(): Promise<[Somebody, Somebody]> {
  const [owner, finder] = await newPeople(2);
  if (!owner || !finder) throw new Error('nobody');
  return [owner, finder];
}

/** The notices that a new connection of the person receives. */
async function readMailbox(person: Somebody) {
  const live = await connect(person);
  await settled(live);
  live.socket.close();
  return live.messages;
}

async function readMatches(person: Somebody, postId: string) {
  const answer = await call('GET', `/api/posts/${postId}/matches`, undefined, person);
  expect(answer.status).toBe(200);
  return (await answer.json<{ Post: { id: string; phone_number: string }; score: number; reasons: unknown[] }[]>()).map(
    ({ Post, score, reasons }) => ({ id: Post.id, phone: Post.phone_number, score, reasons: reasons.length }),
  );
}

test('the author of an open post gets the notice of a match over their WebSocket, with reasons for the match in both languages', async () => {
  const [owner, finder] = await twoPeople();
  const { lost, found } = lostAndFound();
  const mine = await newPost(owner, lost);
  const live = await connect(owner);
  const other = await newPost(finder, found);
  await expect
    .poll(() => live.messages)
    .toMatchObject([
      {
        type: 'matching_post',
        post_id: other.id,
        your_post_id: mine.id,
        title: found.title,
        location: other.location,
        phone_number: other.phone_number,
        created_at: other.created_at,
        reasons: expect.arrayContaining([{ kind: 'item', en: 'phone', sw: 'simu' }]),
      },
    ]);
  const [notice] = await noticesAbout(other.id);
  expect(notice?.recipient_id).toBe(owner.id);
});

test('if a Worker dies between saving a post and notifying of its match, no notice is lost and none is sent twice', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  let deaths = 0;
  for (let dieAt = 0; dieAt <= deaths; dieAt += DEATH_STEP) {
    const [owner, finder] = await twoPeople();
    const { lost, found } = lostAndFound();
    const mine = await postAndMatch(owner, lost);
    const other = await savePost(finder, found);
    const before = await connect(owner);
    const mortal = mortalEnv(dieAt);
    await matchPost(mortal.env, openDb(mortal.env), other);
    if (mortal.isDead()) deaths += DEATH_STEP;
    await settled(before);
    // The Durable Objects and their sockets end with the process.
    await abortAllDurableObjects();
    await sweepIn(1);
    await sweepIn(3);
    const after = await connect(owner);
    await settled(after);
    const received = [...before.messages, ...after.messages];
    expect([...new Set(received.map((message) => message.id))], `died at ${dieAt}`).toHaveLength(1);
    expect(after.messages, `died at ${dieAt}`).toMatchObject([{ post_id: other, your_post_id: mine }]);
    after.acknowledge(after.messages[0]?.id ?? '');
    await settled(after);
    await sweepIn(60);
    expect(await readMailbox(owner), `died at ${dieAt}`).toEqual([]);
    expect(await pairsOf(other)).toHaveLength(1);
    expect(await noticesAbout(other)).toMatchObject([{ is_delivered: 1 }]);
  }
  // The Worker may die before and after each of six calls. They read the post, find its candidates, read how common the
  // post's details are, write the pairs, deliver the notice to the mailbox, and record the delivery.
  expect(deaths).toBeGreaterThanOrEqual(12);
}, 120_000);

test('a saved post that waits for matching is matched when another person opens a WebSocket, before the scheduled job runs', async () => {
  const [owner, finder] = await twoPeople();
  const { lost, found } = lostAndFound();
  await postAndMatch(owner, lost);
  const other = await savePost(finder, found);
  await env.DB.prepare('update posts set match_pending_since = match_pending_since - 60000 where id = ?')
    .bind(other)
    .run();
  const live = await connect(owner);
  await expect.poll(() => live.messages).toMatchObject([{ post_id: other }]);
});

test('a notice whose mailbox could not be reached is delivered when its recipient opens a socket', async () => {
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  const [owner, finder] = await twoPeople();
  const { lost, found } = lostAndFound();
  await postAndMatch(owner, lost);
  const other = await savePost(finder, found);
  const failing = envWithFailingMailboxes((moment) => moment === 'before');
  await matchPost(failing, openDb(env), other);
  expect(await noticesAbout(other)).toMatchObject([{ is_delivered: 0 }]);
  const live = await connect(owner);
  await expect.poll(() => live.messages).toMatchObject([{ post_id: other }]);
  await expect.poll(() => noticesAbout(other)).toMatchObject([{ is_delivered: 1 }]);
});

test('two matching posts saved at the same moment become one match', async () => {
  for (let round = 0; round < 5; round++) {
    const [owner, finder] = await twoPeople();
    const { lost, found } = lostAndFound();
    const ids = await Promise.all([savePost(owner, lost), savePost(finder, found)]);
    await Promise.all(ids.flatMap((id) => [matchPost(env, openDb(env), id), matchPost(env, openDb(env), id)]));
    expect(await pairsOf(ids[0])).toHaveLength(1);
    expect(await noticesAbout(ids[0])).toHaveLength(1);
    expect([...(await readMailbox(owner)), ...(await readMailbox(finder))]).toHaveLength(1);
  }
});

test('a matching pair of posts has one notice, for the author of the older post, however often the posts’ texts or sides change', async () => {
  const [owner, finder] = await twoPeople();
  const { lost, found } = lostAndFound();
  const mine = await newPost(owner, lost);
  const other = await newPost(finder, found);
  await expect.poll(() => noticesAbout(other.id)).toMatchObject([{ is_delivered: 1 }]);
  const put = async (person: Somebody, id: string, changes: Record<string, unknown>) => {
    const answer = await call('PUT', `/api/posts/${id}`, changes, person);
    expect(answer.status).toBe(200);
    await expect
      .poll(() => env.DB.prepare('select match_pending_since from posts where id = ?').bind(id).first())
      .toEqual({ match_pending_since: null });
  };
  const rest = { location: 'Kariakoo', phone_number: '0712345678' };
  await put(finder, other.id, { ...found, ...rest, title: 'Found one black Tecno phone' });
  expect(await readMailbox(owner)).toMatchObject([{ title: 'Found one black Tecno phone' }]);
  await put(finder, other.id, { ...found, ...rest, title: 'Kofia, Mwanza', description: '' });
  expect(await readMailbox(owner)).toEqual([]);
  await put(finder, other.id, { ...found, ...rest });
  await put(owner, mine.id, { ...found, ...rest });
  await put(finder, other.id, { ...lost, ...rest });
  expect(await pairsOf(mine.id)).toMatchObject([{ is_current: 1 }]);
  expect(await noticesAbout(mine.id)).toHaveLength(1);
  expect(await readMailbox(finder)).toEqual([]);
  expect(await readMailbox(owner)).toHaveLength(1);
});

test('one person’s posts never match each other', async () => {
  const [person] = await twoPeople();
  const { lost, found } = lostAndFound();
  await postAndMatch(person, lost);
  const other = await postAndMatch(person, found);
  expect(await pairsOf(other)).toEqual([]);
});

test('two posts match only if both authors may see both posts', async () => {
  const [owner, finder] = await twoPeople();
  const communityId = crypto.randomUUID();
  await env.DB.prepare(
    `insert into communities (id, name, description, search_text, community_code, access_code, approval_status, creator_id, created_at)
     values (?1, 'Shule', '', '', ?1, 'x' || ?1, 1, ?2, 0)`,
  )
    .bind(communityId, finder.id)
    .run();
  const join = (person: Somebody) =>
    env.DB.prepare("insert into memberships (community_id, user_id, role, joined_at) values (?, ?, 'member', 0)")
      .bind(communityId, person.id)
      .run();
  await join(finder);
  const { lost, found } = lostAndFound();
  const mine = await postAndMatch(owner, lost);
  const hidden = await postAndMatch(finder, { ...found, communityId });
  expect(await pairsOf(hidden)).toEqual([]);
  await join(owner);
  const shown = await postAndMatch(finder, { ...found, communityId });
  expect(await noticesAbout(shown)).toMatchObject([{ recipient_id: owner.id }]);
  expect((await readMatches(owner, mine)).map(({ id }) => id)).toEqual([shown]);
  await env.DB.prepare('delete from memberships where user_id = ?').bind(owner.id).run();
  expect(await readMatches(owner, mine)).toEqual([]);
});

test('returned and deleted posts match nothing, and unread notices about these posts are withdrawn', async () => {
  const [owner, finder] = await twoPeople();
  const { lost, found } = lostAndFound();
  const mine = await newPost(owner, lost);
  const [returned, deleted] = [await newPost(finder, found), await newPost(finder, found)];
  await expect.poll(() => noticesAbout(mine.id)).toHaveLength(2);
  await expect.poll(() => readMailbox(owner)).toHaveLength(2);
  expect((await call('PATCH', `/api/posts/${returned.id}/found`, undefined, finder)).status).toBe(200);
  expect((await call('DELETE', `/api/posts/${deleted.id}`, undefined, finder)).status).toBe(204);
  await expect.poll(() => noticesAbout(mine.id)).toEqual([]);
  expect(await readMailbox(owner)).toEqual([]);
  expect(await readMatches(owner, mine.id)).toEqual([]);
  await call('PATCH', `/api/posts/${mine.id}/found`, undefined, owner);
  const late = await postAndMatch(finder, found);
  expect(await pairsOf(late)).toEqual([]);
});

test('if a match notice’s delivery gets no response and the matching post is then marked as found, the scheduled job withdraws the notice', async () => {
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  const [owner, finder] = await twoPeople();
  const { lost, found } = lostAndFound();
  await postAndMatch(owner, lost);
  const other = await savePost(finder, found);
  const live = await connect(owner);
  // The mailbox accepts the message, but the Worker gets no response. Meanwhile the post is marked as found.
  await matchPost(
    envWithFailingMailboxes((moment) => moment === 'after'),
    openDb(env),
    other,
  );
  await settled(live);
  expect(live.messages).toMatchObject([{ post_id: other }]);
  await env.DB.prepare('update posts set is_found = 1 where id = ?').bind(other).run();
  await sweepIn(1);
  expect(await readMailbox(owner)).toEqual([]);
  expect(await noticesAbout(other)).toEqual([]);
});

test('matches are available right after posting, best first, and change with the post’s text', async () => {
  const [owner, finder] = await twoPeople();
  const { lost, found } = lostAndFound();
  const mine = await postAndMatch(owner, lost);
  const other = await postAndMatch(finder, found);
  const written = await readMatches(owner, mine);
  expect(written).toMatchObject([{ id: other, phone: '0712345678' }]);
  await env.DB.prepare('update posts set match_pending_since = 1 where id = ?').bind(mine).run();
  expect(await readMatches(owner, mine)).toEqual(written);
  const changed = {
    ...lost,
    title: 'Nimepoteza funguo za gari',
    description: '',
    location: 'Mbeya',
    phone_number: '0712345678',
  };
  expect((await call('PUT', `/api/posts/${mine}`, changed, owner)).status).toBe(200);
  await expect.poll(() => pairsOf(mine)).toMatchObject([{ is_current: 0 }]);
  expect(await readMatches(owner, mine)).toEqual([]);
  expect(await readMatches(finder, other)).toEqual([]);
});

test('only the author of a post sees its matches', async () => {
  const [owner, stranger] = await twoPeople();
  const mine = await postAndMatch(owner, lostAndFound().lost);
  const ask = async (path: string, caller = {}) => (await call('GET', path, undefined, caller)).status;
  expect(await ask(`/api/posts/${mine}/matches`, stranger)).toBe(403);
  expect(await ask(`/api/posts/${mine}/matches`)).toBe(401);
  expect(await ask('/api/posts/no-such-post/matches', owner)).toBe(404);
  expect(await ask('/api/matches/counts')).toBe(401);
});

test('the matches of all of a person’s posts are counted in one response', async () => {
  const [owner, finder] = await twoPeople();
  const one = lostAndFound();
  const mine = await postAndMatch(owner, one.lost);
  await postAndMatch(owner, { posted_by: 'owner', title: 'Nimepoteza mwavuli' });
  await postAndMatch(finder, one.found);
  await postAndMatch(finder, one.found);
  const answer = await call('GET', '/api/matches/counts', undefined, owner);
  expect(await answer.json()).toEqual({ [mine]: 2 });
});

test('a post whose matching fails is retried after growing delays, and delays no other post', async () => {
  const log = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  const [owner, finder] = await twoPeople();
  const { lost, found } = lostAndFound();
  await postAndMatch(owner, lost);
  const poisonous = await savePost(finder, lostAndFound().found);
  await env.DB.prepare('update posts set match_pending_since = 1 where id = ?').bind(poisonous).run();
  await env.DB.exec(
    `create trigger poison before insert on match_terms when new.post_seq = (select seq from posts where id = '${poisonous}') begin select raise(abort, 'poison'); end`,
  );
  const healthy = await savePost(finder, found);
  const waits: number[] = [];
  for (const minutes of [1, 10, 100]) {
    await sweepIn(minutes);
    const row = await env.DB.prepare('select match_pending_since as due from posts where id = ?')
      .bind(poisonous)
      .first<{ due: number }>();
    waits.push(Math.round(((row?.due ?? 0) - Date.now()) / 60_000 - minutes));
  }
  expect(waits).toEqual([1, 2, 4]);
  const failures = log.mock.calls.length;
  await sweepIn(101);
  expect(log.mock.calls.length).toBe(failures);
  expect(await readMailbox(owner)).toMatchObject([{ post_id: healthy }]);
  await env.DB.exec('drop trigger poison');
  await sweepIn(200);
  const row = await env.DB.prepare('select match_pending_since, match_failures from posts where id = ?')
    .bind(poisonous)
    .first();
  expect(row).toEqual({ match_pending_since: null, match_failures: 0 });
});

test('matching of a post is given up after eight failures, until the author edits the post', async () => {
  const log = captureLogs().error;
  const finder = await newPerson();
  const { found } = lostAndFound();
  const poisonous = await savePost(finder, found);
  const row = () =>
    env.DB.prepare('select match_pending_since, match_failures from posts where id = ?').bind(poisonous).first();
  await env.DB.prepare('update posts set match_pending_since = 1, match_failures = 7 where id = ?')
    .bind(poisonous)
    .run();
  await env.DB.exec(
    `create trigger poison before insert on match_terms when new.post_seq = (select seq from posts where id = '${poisonous}') begin select raise(abort, 'poison'); end`,
  );
  await sweepIn(1);
  expect(await row()).toMatchObject({ match_failures: 8, match_pending_since: expect.any(Number) });
  await sweepIn(1000);
  await sweepIn(2000);
  expect(await row()).toEqual({ match_failures: 8, match_pending_since: null });
  const events = log.mock.calls.map(([line]) => line).filter(({ post_id }) => post_id === poisonous);
  expect(events.map(({ event }) => event)).toEqual(['matching_failed', 'matching_given_up']);

  await env.DB.exec('drop trigger poison');
  const changed = { ...somePost, ...found, title: 'Nimeokota simu ya Tecno' };
  expect((await call('PUT', `/api/posts/${poisonous}`, changed, finder)).status).toBe(200);
  expect(await row()).toEqual({ match_failures: 0, match_pending_since: null });
});

test('one person’s failing mailbox delays nobody else’s notices', async () => {
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  const [unlucky, lucky, finder] = await newPeople(3);
  if (!unlucky || !lucky || !finder) throw new Error('nobody');
  const { lost, found } = lostAndFound();
  await postAndMatch(unlucky, lost);
  await postAndMatch(lucky, lost);
  const other = await savePost(finder, found);
  await matchPost(
    envWithFailingMailboxes((_moment, userId) => userId === unlucky.id),
    openDb(env),
    other,
  );
  const deliveredTo = (await noticesAbout(other)).map((notice) => [notice.recipient_id, notice.is_delivered]);
  expect(Object.fromEntries(deliveredTo)).toEqual({ [unlucky.id]: 0, [lucky.id]: 1 });
  await sweepIn(1);
  expect(await readMailbox(unlucky)).toHaveLength(1);
  expect(await readMailbox(lucky)).toHaveLength(1);
});

test('one person’s slow mailbox delays nobody else’s notices', async () => {
  const people = await newPeople(60);
  const [slow] = people;
  const notices = people.map(({ id }) => ({ id: crypto.randomUUID(), recipient_id: id }));
  const message = { type: 'password_changed', created_at: new Date().toISOString() };
  await env.DB.batch(
    notices.map(({ id, recipient_id }) =>
      env.DB.prepare('insert into notices (id, recipient_id, type, body, created_at) values (?, ?, ?, ?, 1)').bind(
        id,
        recipient_id,
        message.type,
        JSON.stringify({ id, ...message }),
      ),
    ),
  );
  const others = Promise.withResolvers<false>();
  let told = 0;
  const withSlow = envWithFailingMailboxes((moment, userId) => {
    if (userId === slow?.id) return moment === 'before' && others.promise;
    if (moment === 'after' && ++told === people.length - 1) others.resolve(false);
    return false;
  });
  const ids = notices.map(({ id }) => id);
  await deliverNotices(withSlow, openDb(env), ids);
  const left = await env.DB.prepare(
    'select count(*) as n from notices where recipient_id in (select value from json_each(?)) and delivered_at is null',
  )
    .bind(JSON.stringify(people.map(({ id }) => id)))
    .first();
  expect(left).toEqual({ n: 0 });
});
