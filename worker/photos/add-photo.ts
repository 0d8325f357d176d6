import type { SQL } from 'drizzle-orm';
import { PHOTOS_MAX, PHOTOS_OF_PERSON_MAX } from '#contract/limits.ts';
import { idMadeBefore } from '#worker/db/idempotency.ts';
import { AppError } from '#worker/errors/app-error.ts';
import { log } from '#worker/errors/log.ts';
import { continueAfterAnswer } from '#worker/http/after-answer.ts';
import type { AppContext } from '#worker/http/app-env.ts';
import { clientAddress } from '#worker/http/client-address.ts';
import { readIdempotencyKey } from '#worker/http/idempotency-key.ts';
import { newId } from '#worker/identity/ids.ts';
import type { Viewer } from '#worker/identity/viewer.ts';
import { type Allowance, allowanceOf, assertRoom } from '#worker/limits/allowance.ts';
import { LIMITS } from '#worker/limits/limits.ts';
import { allowancesOf, isOwnMachine } from '#worker/limits/networks.ts';
import { assertTurn } from '#worker/limits/turns.ts';
import { forgetSwitches } from '#worker/switches/index.ts';
import { countWork, type LogSwitchOff, refuseWork, reserveWork, settleWork, WORK_MAX, workOfDay } from './breaker.ts';
import { announceUpload } from './leftover-store.ts';
import { makeRenditions } from './make-renditions.ts';
import { deleteObjects, putObjects } from './objects.ts';
import { type Adding, insertPhoto, isProven, type Reopen, readForPhoto } from './store.ts';

/**
 * Adds the photo in the request's body to a post of the viewer's.
 * @param reopen opens the post's case again, if it is hidden.
 * @param logSwitchOff logs it if this upload switches photos off.
 * @returns its id, or that of the earlier one made with the same `Idempotency-Key`.
 * @throws AppError no_photo_of_documents, too_many_photos, too_many_requests, switched_off, in this order; what
 * `refuseWork` and `makeRenditions` throw; idempotency_mismatch.
 */
export async function addPhoto(
  c: AppContext,
  viewer: Viewer,
  { postId, alt, reopen, logSwitchOff }: { postId: string; alt: string; reopen: Reopen; logSwitchOff: LogSwitchOff },
): Promise<string> {
  const { db, config } = c.var;
  const now = Date.now();
  const { sharers, ...limits } = await limitsFor(c, viewer);
  const workToday = workOfDay(config, sharers, now);
  const adding = {
    postId,
    idempotencyKey: await readIdempotencyKey(c),
    ...limits,
    reserve: (condition: SQL) => reserveWork(db, workToday, logSwitchOff, condition, now),
    now,
  };
  const { images, work } = countWork(c.env.IMAGES);
  let reserved = 0;
  const look = async () => {
    const looked = await readForPhoto(db, viewer, adding);
    if (looked.isReserved) reserved += WORK_MAX;
    if (looked.isTripped) reportTrip();
    return looked;
  };
  try {
    const before = await look();
    const earlier = idMadeBefore(before.repeated, adding.idempotencyKey);
    if (earlier !== null) return earlier;
    assertRoomFor(before, adding);
    if (!before.isReserved) return await refuseWork(db, workToday, now);
    const made = await makeRenditions(images, new Uint8Array(await c.req.arrayBuffer()));
    const id = newId();
    await announceUpload(db, id, Date.now());
    await putObjects(c.env, id, made);
    if (await insertPhoto(db, viewer, { ...adding, id, alt, made, reopen })) return id;
    await deleteObjects(c.env, db, [id]);
    // A concurrent request was first: it has used the key, or has taken the last place.
    const after = await look();
    const concurrent = idMadeBefore(after.repeated, adding.idempotencyKey);
    if (concurrent !== null) return concurrent;
    assertRoomFor(after, adding);
    throw new AppError('unavailable');
  } finally {
    if (reserved > 0) continueAfterAnswer(c, settleWork(db, workToday, { reserved, done: work.done }));
  }
}

function reportTrip(): void {
  log.error('photos_switched_off');
  forgetSwitches();
}

/** Photos a day, and tries: accounts whose number is not proven have fewer, and share those of their networks. */
async function limitsFor(
  c: AppContext,
  viewer: Viewer,
): Promise<Pick<Adding, 'allowance' | 'tries'> & { sharers: Allowance[] }> {
  const { config, db } = c.var;
  const { userId } = viewer;
  const tries = allowanceOf(config, 'photo_try', userId);
  if (await isProven(db, viewer)) {
    return { allowance: allowanceOf(config, 'photo', userId), tries: [tries], sharers: [tries] };
  }
  const address = clientAddress(c);
  const ofNetworks = isOwnMachine(config, address) ? [] : allowancesOf(config, 'photo_try_address', address);
  return {
    // On the same counter, so that a photo counts on when the number is proven later that day.
    allowance: allowanceOf(config, 'photo', userId, LIMITS.photo_unproven.max),
    tries: [tries, allowanceOf(config, 'photo_try_unproven', userId), ...ofNetworks],
    sharers: [tries, ...ofNetworks],
  };
}

function assertRoomFor(
  { post, counted, wait, isOff }: Awaited<ReturnType<typeof readForPhoto>>,
  { allowance, now }: Adding,
): void {
  if (!post) throw new AppError('post_not_found');
  if (post.kind === 'document') throw new AppError('no_photo_of_documents');
  const isFull = post.photos >= PHOTOS_MAX || post.photos_of_author >= PHOTOS_OF_PERSON_MAX;
  if (isFull) throw new AppError('too_many_photos');
  assertRoom(allowance, counted, now);
  assertTurn(wait, now);
  if (isOff) throw new AppError('switched_off');
}
