import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { describe, expect, test, vi } from 'vitest';
import { Mailbox } from '#durable/mailbox.ts';
import { call, somePost } from '#tests/worker/support/api.ts';
import { envWithFailingMailboxes, mortalEnv, passCalls } from '#tests/worker/support/mortal-env.ts';
import {
  channelOf,
  connect,
  type LiveSocket,
  lostAndFound,
  newPeople,
  type Somebody,
  settled,
  untilHeard,
} from '#tests/worker/support/notices.ts';
import { noticesAbout, postAndMatch, savePost, sweepIn } from '#tests/worker/support/posts.ts';
import { DEATH_STEP, IS_THOROUGH } from '#tests/worker/support/test-run.ts';
import { openDb } from '#worker/db/client.ts';
import { finishMatching, matchPost } from '#worker/matching/match-post.ts';
import { finishDelivering } from '#worker/notices/deliver-notices.ts';

describe('many matches at once', () => {
  const OWNERS = IS_THOROUGH ? 100 : 10;
  const FINDERS = 10;
  const LOST = { posted_by: 'owner', title: 'Nimepoteza simu ya Tecno nyeusi' };
  const FOUND = { posted_by: 'finder', title: 'Found a black Tecno phone' };

  /** Returns a function whose random numbers are the same in every run. */
  function randomFrom(seed: number): () => number {
    let state = seed;
    return () => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return state / 2 ** 32;
    };
  }

  /** A person's browser: shows new notices, acknowledges them, and loses its connection at random. */
  async function listen(person: Somebody, random: () => number) {
    const shown = new Set<string>();
    let connections = 0;
    while (shown.size < FINDERS) {
      const live = await connect(person);
      connections++;
      const patience = Math.min(4 + Math.floor(random() * 6), FINDERS - shown.size);
      await untilHeard(live, patience);
      // The browser handles only the first `patience` messages. The others are lost when its connection closes.
      for (const { id } of live.messages.slice(0, patience)) {
        shown.add(id);
        // Some acknowledgements are lost, too.
        if (random() < 0.85) live.acknowledge(id);
      }
      expectNoRepeats(live);
      live.socket.close();
    }
    return { person, shown, connections };
  }

  function expectNoRepeats(live: LiveSocket): void {
    expect(new Set(live.messages.map((message) => message.id)).size).toBe(live.messages.length);
  }

  /**
   * Acknowledges the notices that the server sends again because their acknowledgements were lost. Checks that the
   * browser has shown these notices before.
   */
  async function acknowledgeRest(person: Somebody, shown: Set<string>): Promise<void> {
    const live = await connect(person);
    await settled(live);
    for (const { id } of live.messages) {
      expect(shown.has(id)).toBe(true);
      live.acknowledge(id);
    }
    await settled(live);
    live.socket.close();
  }

  /** Counts the notices that the next connection would deliver. */
  function countUnacknowledged(person: Somebody): Promise<number> {
    return runInDurableObject(
      channelOf(person),
      (_object, { storage }) => new Mailbox(storage.sql).listUnacknowledged(Date.now()).length,
    );
  }

  test(`each of ${OWNERS} people whose sockets drop at random gets each of their ${FINDERS} match notices once`, async () => {
    vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    const random = randomFrom(20_261_121);
    const owners = await newPeople(OWNERS);
    const finders = await newPeople(FINDERS);
    for (const owner of owners) await postAndMatch(owner, LOST);
    const listening = Promise.all(owners.map((owner) => listen(owner, random)));

    const unreliable = envWithFailingMailboxes(() => random() < 0.2);
    for (const finder of finders) await matchPost(unreliable, openDb(env), await savePost(finder, FOUND));
    for (const minutes of [1, 3, 8, 20]) await sweepIn(minutes);

    const heard = await listening;
    expect(heard.reduce((total, { connections }) => total + connections, 0)).toBeGreaterThan(OWNERS);
    for (const { shown } of heard) expect(shown.size).toBe(FINDERS);
    await Promise.all(heard.map(({ person, shown }) => acknowledgeRest(person, shown)));
    await sweepIn(60);
    expect(await Promise.all(owners.map(countUnacknowledged))).toEqual(owners.map(() => 0));
    const { results } = await env.DB.prepare(
      'select count(*) as pairs, (select count(*) from notices) as notices from match_pairs',
    ).all();
    expect(results).toEqual([{ pairs: OWNERS * FINDERS, notices: OWNERS * FINDERS }]);
  }, 240_000);
});

describe('notices of one matching pair of posts', () => {
  // If two posts match, the author of the earlier post is notified of the later post, whichever post is matched first,
  // and at whatever point a match job dies.

  /**
   * Creates two people, and drafts two matching posts. `waiting` is the person whom the test expects to be notified,
   * `late` the other person.
   */
  async function twoPosts(firstKind: 'owner' | 'finder') {
    const [waiting, late] = await newPeople(2);
    if (!waiting || !late) throw new Error('nobody');
    const { lost, found } = lostAndFound();
    const [first, second] = firstKind === 'owner' ? [lost, found] : [found, lost];
    return { waiting, late, first, second };
  }

  /** The messages that the person's next connection would deliver. */
  async function readMailbox(person: Somebody) {
    const bodies = await runInDurableObject(channelOf(person), (_object, { storage }) =>
      new Mailbox(storage.sql).listUnacknowledged(Date.now()),
    );
    return bodies.map((body) => JSON.parse(body) as Record<string, unknown>);
  }

  async function expectTold(told: Somebody, untold: Somebody, news: string, own: string, label: string) {
    const notice = { recipient_id: told.id, post_id: news, your_post_id: own, is_delivered: 1 };
    expect(await noticesAbout(news), label).toMatchObject([notice]);
    expect(await readMailbox(told), label).toMatchObject([{ post_id: news, your_post_id: own }]);
    expect(await readMailbox(untold), label).toEqual([]);
  }

  /** A match job dies after this many calls to other services, such as D1 or a mailbox; 0 if the job never starts. */
  type LastCall = number;

  /** @returns whether the job died before it was done. */
  async function matchUntil(lastCall: LastCall, postId: string): Promise<boolean> {
    if (lastCall === 0) return true;
    const mortal = mortalEnv(2 * lastCall - 1);
    await matchPost(mortal.env, openDb(mortal.env), postId);
    return mortal.isDead();
  }

  /**
   * Does what the scheduled sweep does: matches the posts that still wait to be matched, in the order of `postIds`, and
   * delivers waiting notices.
   */
  async function sweepInOrder(postIds: string[]): Promise<void> {
    for (const [index, id] of postIds.entries()) {
      await env.DB.prepare('update posts set match_pending_since = ? where id = ? and match_pending_since is not null')
        .bind(index + 1, id)
        .run();
    }
    const later = Date.now() + 60_000;
    await finishMatching(env, openDb(env), later);
    await finishDelivering(env, openDb(env), later);
  }

  test('at whatever point the match jobs of two posts die, the earlier post’s author has one notice after the scheduled job has run', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => undefined);
    vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    let walks = 0;
    for (let [ownLast, isOwnDead] = [0, true]; isOwnDead; ownLast += DEATH_STEP) {
      for (let [newsLast, isNewsDead] = [0, true]; isNewsDead; newsLast += DEATH_STEP) {
        for (const isInOrder of newsLast % 2 === 0 ? [true, false] : [false, true]) {
          const { waiting, late, first, second } = await twoPosts(walks % 2 === 0 ? 'owner' : 'finder');
          const own = await savePost(waiting, first);
          isOwnDead = await matchUntil(ownLast, own);
          const news = await savePost(late, second);
          isNewsDead = await matchUntil(newsLast, news);
          await sweepInOrder(isInOrder ? [own, news] : [news, own]);
          await expectTold(waiting, late, news, own, `${ownLast}, ${newsLast}, ${isInOrder ? 'own' : 'news'} first`);
          walks++;
        }
      }
    }
    expect(walks).toBeGreaterThanOrEqual(IS_THOROUGH ? 5 * 6 * 2 : 2 * 2 * 2);
  }, 120_000);

  test.each(['owner', 'finder'] as const)(
    'the %s, who posted first, gets one notice if the later post is created while the earlier post is being matched',
    async (kind) => {
      let calls = Number.POSITIVE_INFINITY;
      for (let at = 0; at <= calls; at++) {
        const { waiting, late, first, second } = await twoPosts(kind);
        const own = await savePost(waiting, first);
        let news = '';
        let done = 0;
        const DB = passCalls(env.DB, async (ask) => {
          if (done++ === at) news = await postAndMatch(late, second);
          return ask();
        });
        await matchPost({ ...env, DB }, openDb({ DB }), own);
        calls = done;
        if (news === '') news = await postAndMatch(late, second);
        await sweepInOrder([own, news]);
        await expectTold(waiting, late, news, own, `before call ${at}`);
      }
      expect(calls).toBeGreaterThanOrEqual(4);
    },
    60_000,
  );

  test('an edit that makes a post match notifies the other post’s author, and an edit of a phone number notifies nobody', async () => {
    const put = async (person: Somebody, id: string, post: Record<string, unknown>) => {
      const answer = await call(
        'PUT',
        `/api/posts/${id}`,
        { ...somePost, location: 'Kariakoo, Dar es Salaam', ...post },
        person,
      );
      expect(answer.status).toBe(200);
      await expect
        .poll(() => env.DB.prepare('select match_pending_since from posts where id = ?').bind(id).first())
        .toEqual({ match_pending_since: null });
    };
    const { waiting, late, first, second } = await twoPosts('owner');
    const early = await postAndMatch(late, { ...first, title: 'Nimepoteza funguo', description: '' });
    const own = await postAndMatch(waiting, second);
    await put(late, early, first);
    await sweepInOrder([]);
    await expectTold(waiting, late, early, own, 'changed');

    const other = await twoPosts('owner');
    const mine = await savePost(other.waiting, other.first);
    const news = await postAndMatch(other.late, other.second);
    await put(other.waiting, mine, { ...other.first, phone_number: '0754000001' });
    await sweepInOrder([]);
    await expectTold(other.waiting, other.late, news, mine, 'number');
  });
});
