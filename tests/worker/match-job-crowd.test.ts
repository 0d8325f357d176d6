import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { expect, test, vi } from 'vitest';
import { Mailbox } from '#durable/mailbox.ts';
import { openDb } from '#worker/db/client.ts';
import { matchPost } from '#worker/matching/match-post.ts';
import { channelOf, connect, type LiveSocket, newPeople, type Somebody, settled, untilHeard } from './support/live.ts';
import { envWithFailingMailboxes } from './support/mortal-env.ts';
import { postAndMatch, savePost, sweepIn } from './support/saved-posts.ts';

const OWNERS = 100;
const FINDERS = 10;
const LOST = { posted_by: 'owner', title: 'Nimepoteza simu ya Tecno nyeusi' };
const FOUND = { posted_by: 'finder', title: 'Found a black Tecno phone' };

/** The same accidents in every run. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** A person's browser: it shows what it has not shown, acknowledges it, and loses its connection at random on the way. */
async function listen(person: Somebody, random: () => number) {
  const shown = new Set<string>();
  let connections = 0;
  while (shown.size < FINDERS) {
    const live = await connect(person);
    connections++;
    const patience = Math.min(4 + Math.floor(random() * 6), FINDERS - shown.size);
    await untilHeard(live, patience);
    // What came later is lost with the connection.
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

/** What is sent again because its acknowledgement was lost: the browser knows it, and does not show it again. */
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

/** What the next connection would bring. */
function countUnacknowledged(person: Somebody): Promise<number> {
  return runInDurableObject(
    channelOf(person),
    (_object, { storage }) => new Mailbox(storage.sql).listUnacknowledged(Date.now()).length,
  );
}

test('of 1,000 matches for 100 people whose sockets drop at random none is lost and none comes twice', async () => {
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
