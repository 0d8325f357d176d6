import { withLocalDatabase } from '#scripts/database/local-database.ts';
import { type Ask, findInconsistencies } from '#tests/support/find-inconsistencies.ts';
import type { Ledger } from './ledger.ts';

/** Holds what is stored against what was acknowledged. @returns what is lost, told twice or at odds. */
export function check(stateFolder: string, ledger: Ledger, { isSettled }: { isSettled: boolean }): Promise<string[]> {
  return withLocalDatabase(stateFolder, async (db) => {
    const query: Ask = async (statement) => (await db.prepare(statement).all<Record<string, unknown>>()).results;
    return [
      ...ledger.problems.splice(0),
      ...(await findInconsistencies(query, { isSettled })),
      ...(await findLost(query, ledger)),
      ...(isSettled ? await findUntold(query, ledger) : []),
    ];
  });
}

/** What was acknowledged, and is not as it was said to be. */
async function findLost(query: Ask, ledger: Ledger): Promise<string[]> {
  const rows = await query('select id, title, is_found from posts');
  const stored = new Map(rows.map((row) => [row.id, row]));
  const doubtful = new Set([...ledger.doubts].map(({ path }) => path.split('/')[2]));
  const problems: string[] = [];
  for (const { id, title, isFound, isGone } of ledger.posts.values()) {
    if (doubtful.has(id)) continue;
    const row = stored.get(id);
    if (isGone && row) problems.push(`the deleted post ${id} is there`);
    if (!isGone && !row) problems.push(`the post ${id} is lost`);
    if (!isGone && row && row.title !== title) problems.push(`the post ${id} is another`);
    if (!isGone && row && (row.is_found === 1) !== isFound) problems.push(`that ${id} was found is lost`);
  }
  const titles = await query('select title from posts group by title having count(*) > 1');
  problems.push(...titles.map(({ title }) => `"${title}" was stored twice`));
  const claims = new Set((await query('select id from claims')).map(({ id }) => id));
  problems.push(...ledger.claims.flatMap(({ id }) => (claims.has(id) ? [] : [`the claim ${id} is lost`])));
  return problems;
}

/** Pairs and claims that are there, and of which nobody was told, or not once. */
async function findUntold(query: Ask, { pairs, claims, posts }: Ledger): Promise<string[]> {
  const notices = await query('select recipient_id, post_id, your_post_id, claim_id, type from notices');
  const isOpen = (id: string) => posts.get(id)?.isGone === false && posts.get(id)?.isFound === false;
  const problems: string[] = [];
  for (const { lostId, foundId, ownerId } of pairs.filter((pair) => isOpen(pair.lostId) && isOpen(pair.foundId))) {
    const told = notices.filter((row) => row.post_id === foundId && row.your_post_id === lostId);
    if (told.length !== 1 || told[0]?.recipient_id !== ownerId)
      problems.push(`of ${foundId} the owner of ${lostId} was told ${told.length} times`);
  }
  for (const { id, postId } of claims.filter((claim) => isOpen(claim.postId))) {
    const told = notices.filter((row) => row.claim_id === id && row.type === 'claim_received');
    if (told.length !== 1) problems.push(`of the claim ${id} on ${postId} its finder was told ${told.length} times`);
  }
  return problems;
}
