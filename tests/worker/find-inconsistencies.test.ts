import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { type Ask, findInconsistencies } from '#tests/support/find-inconsistencies.ts';
import { newPerson } from './support/api.ts';
import { insertClaim } from './support/claims.ts';
import { newApprovedCommunity } from './support/communities.ts';
import { lostAndFound } from './support/live.ts';
import { postAndMatch, sweepIn } from './support/saved-posts.ts';

const ask: Ask = async (statement) => (await env.DB.prepare(statement).all<Record<string, unknown>>()).results;

async function found(isSettled = false): Promise<string[]> {
  return (await findInconsistencies(ask, { isSettled })).map((problem) => problem.split(':')[0] ?? '');
}

/** What no batch of ours does, and what it is known by; in this order, each beside those before. */
const BREAKAGES: [statement: string, what: string][] = [
  [
    "insert into match_terms (posted_by, term, post_seq) values ('owner', 'x', 999999)",
    'terms are left of a post that is not open',
  ],
  [
    "insert into match_readings (post_seq, version, reading, agreeable) values (999999, '', '', '')",
    'a reading is left of a post that is not open',
  ],
  ["update match_pairs set lost_post_id = 'gone'", 'a pair has lost a post'],
  ["update claims set state = 'accepted'", 'a post is handed to two'],
  ['update communities set member_count = member_count + 1', 'the members of a community are miscounted'],
];

test('every inconsistency in the database is found, and none in a consistent one', async () => {
  const [owner, finder, claimant] = [await newPerson(), await newPerson(), await newPerson()];
  const { lost, found: thing } = lostAndFound();
  await postAndMatch(owner, lost);
  const postId = await postAndMatch(finder, thing);
  await newApprovedCommunity();
  await insertClaim({ postId, finder, claimant });
  await insertClaim({ postId, finder, claimant: owner });
  await sweepIn(1);
  expect(await found(true)).toEqual([]);
  const known: string[] = [];
  for (const [statement, what] of BREAKAGES) {
    await env.DB.exec(statement);
    known.push(what);
    expect((await found()).sort()).toEqual([...known].sort());
  }
  await env.DB.exec('update notices set delivered_at = null');
  await env.DB.exec('update posts set match_pending_since = 1');
  expect(await found(true)).toEqual(
    expect.arrayContaining(['a post waits to be matched', 'a notice waits for its mailbox']),
  );
});

test('an index that misses a post is found', async () => {
  const id = await postAndMatch(await newPerson(), { posted_by: 'finder', title: 'Mwavuli mwekundu' });
  const row = await env.DB.prepare('select seq, search_text from posts where id = ?').bind(id).first();
  await env.DB.prepare("insert into posts_search (posts_search, rowid, search_text) values ('delete', ?, ?)")
    .bind(row?.seq, row?.search_text)
    .run();
  expect(await found()).toContain('the index of posts differs from them');
});
