import { type LocalBucket, whileLocked, withLocalBucket, withLocalDatabase } from '#scripts/database/local-database.ts';
import { type Ask, findInconsistencies } from '#tests/support/find-inconsistencies.ts';
import { fileNameOf, parseFileName, RENDITIONS, type Rendition } from '#worker/photos/present-photos.ts';
import type { Ledger } from './client.ts';

/**
 * Compares the stored data with the writes that the Worker acknowledged.
 * @returns the problems: lost writes, missing or repeated notices, inconsistent data.
 */
export function check(stateFolder: string, ledger: Ledger, { isSettled }: { isSettled: boolean }): Promise<string[]> {
  return withLocalDatabase(stateFolder, async (db) => {
    const objects = await withLocalBucket(stateFolder, 'PHOTOS', (bucket) => whileLocked(() => listObjects(bucket)));
    const query: Ask = async (statement) => (await db.prepare(statement).all<Record<string, unknown>>()).results;
    return [
      ...ledger.problems.splice(0),
      ...(await findInconsistencies(query, { isSettled })),
      ...(await findLost(query, ledger)),
      ...(await findLostPhotos(query, ledger)),
      ...(await findTornPhotos(query, objects, { isSettled })),
      ...(isSettled ? await findUntold(query, ledger) : []),
    ];
  });
}

/** Finds writes that were acknowledged but are missing or stored differently. */
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
  const claims = new Map((await query('select id, state from claims')).map(({ id, state }) => [id, state]));
  for (const { id, postId, isAccepted } of ledger.claims) {
    if (!claims.has(id)) problems.push(`the claim ${id} is lost`);
    else if (isAccepted && ledger.isOpen(postId) && claims.get(id) !== 'accepted')
      problems.push(`that ${id} was accepted is lost`);
  }
  return problems;
}

/** Finds photos that are missing after an acknowledged upload, or still exist after an acknowledged deletion. */
async function findLostPhotos(query: Ask, ledger: Ledger): Promise<string[]> {
  const stored = new Set((await query('select id from photos')).map(({ id }) => id));
  const busy = ledger.listBusy();
  const certain = ledger.photos.filter(({ postId }) => !busy.has(postId));
  return certain.flatMap(({ id, postId, isGone }) => {
    const isThere = !isGone && ledger.posts.get(postId)?.isGone === false;
    if (isThere === stored.has(id)) return [];
    return [isThere ? `the photo ${id} is lost` : `the deleted photo ${id} is there`];
  });
}

/** Finds photos that lack an object in the bucket, and objects that have no photo and are not marked for deletion. */
async function findTornPhotos(
  query: Ask,
  objects: Set<string>,
  { isSettled }: { isSettled: boolean },
): Promise<string[]> {
  const photos = await query('select id, has_og from photos');
  const leftovers = new Set((await query('select photo_id from photo_leftovers')).map(({ photo_id }) => photo_id));
  const due = photos.flatMap(({ id, has_og }) =>
    (Object.keys(RENDITIONS) as Rendition[])
      .filter((rendition) => rendition !== 'og' || has_og === 1)
      .map((rendition) => fileNameOf(String(id), rendition)),
  );
  const named = new Set(due);
  const unnamed = [...objects].filter(
    (name) => !named.has(name) && (isSettled || !leftovers.has(parseFileName(name)?.photoId)),
  );
  return [
    ...due.filter((name) => !objects.has(name)).map((name) => `the object ${name} of a photo is lost`),
    ...unnamed.map((name) => `the object ${name} is left of no photo`),
    ...(isSettled ? [...leftovers].map((id) => `the photo ${id} is still to be deleted`) : []),
  ];
}

async function listObjects(bucket: LocalBucket): Promise<Set<string>> {
  const names: string[] = [];
  let cursor: string | undefined;
  do {
    const listed = await bucket.list({ cursor });
    names.push(...listed.objects.map(({ key }) => key));
    cursor = listed.truncated ? listed.cursor : undefined;
  } while (cursor !== undefined);
  return new Set(names);
}

/** Finds matches, claims and accepted claims about which the person concerned has no notice, or more than one. */
async function findUntold(query: Ask, { pairs, claims, posts }: Ledger): Promise<string[]> {
  const notices = await query('select recipient_id, post_id, your_post_id, claim_id, type from notices');
  const isOpen = (id: string) => posts.get(id)?.isGone === false && posts.get(id)?.isFound === false;
  const problems: string[] = [];
  for (const { lostId, foundId, ownerId } of pairs.filter((pair) => isOpen(pair.lostId) && isOpen(pair.foundId))) {
    const told = notices.filter((row) => row.post_id === foundId && row.your_post_id === lostId);
    if (told.length !== 1 || told[0]?.recipient_id !== ownerId)
      problems.push(`of ${foundId} the owner of ${lostId} was told ${told.length} times`);
  }
  for (const { id, postId, claimantId, isAccepted } of claims.filter((claim) => isOpen(claim.postId))) {
    const told = notices.filter((row) => row.claim_id === id && row.type === 'claim_received');
    if (told.length !== 1) problems.push(`of the claim ${id} on ${postId} its finder was told ${told.length} times`);
    const heard = notices.filter((row) => row.claim_id === id && row.type === 'claim_accepted');
    const isRight = !isAccepted || (heard.length === 1 && heard[0]?.recipient_id === claimantId);
    if (!isRight) problems.push(`that ${id} was accepted its claimant was told ${heard.length} times`);
  }
  return problems;
}
