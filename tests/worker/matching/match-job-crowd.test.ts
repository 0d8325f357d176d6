import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { expect, test, vi } from 'vitest';
import { Mailbox } from '#durable/mailbox.ts';
import {
  channelOf,
  connect,
  type LiveSocket,
  newPeople,
  type Somebody,
  settled,
  untilHeard,
} from '#tests/worker/support/live.ts';
import { envWithFailingMailboxes } from '#tests/worker/support/mortal-env.ts';
import { postAndMatch, savePost, sweepIn } from '#tests/worker/support/posts.ts';
import { IS_THOROUGH } from '#tests/worker/support/test-run.ts';
import { openDb } from '#worker/db/client.ts';
import { matchPost } from '#worker/matching/match-post.ts';

const OWNERS = IS_THOROUGH ? 100 : 10;
const FINDERS = 10;
const LOST = { posted_by: 'owner', title: 'Nimepoteza simu ya Tecno nyeusi' };
const FOUND = { posted_by: 'finder', title: 'Found a black Tecno phone' };

/** The same random accidents in every run. */
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
    // Later messages are lost with the connection.
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

/** A notice sent again because its acknowledgement was lost: the browser does not show it again. */
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

/** The notices that the next connection would deliver. */
function countUnacknowledged(person: Somebody): Promise<number> {
  return runInDurableObject(
    channelOf(person),
    (_object, { storage }) => new Mailbox(storage.sql).listUnacknowledged(Date.now()).length,
  );
}

test(`of ${OWNERS * FINDERS} matches for ${OWNERS} people whose sockets drop at random none is lost and none comes twice`, async () => {
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
