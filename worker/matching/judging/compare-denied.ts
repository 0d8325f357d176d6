import { type Detail, ONE_OF_SEVERAL } from '#worker/matching/reading/read-details.ts';
import type { PostReading } from '#worker/matching/reading/read-post.ts';
import { isSameDetail } from './compare-said.ts';
import type { Evidence } from './evidence.ts';
import { withoutReason } from './evidence.ts';

/** It may have been taken off meanwhile. */
const DENIED_POINTS = -0.8;
const BOTH_DENY_POINTS = 0.3;

/** Entries that say themselves that something is not there: "lid missing". */
const MISSING = /g:(?:without|no|missing) | missing$/;
const BROKEN =
  /^(?:attribute|concept) (?:g:)?(?:broken|cut|cracked|torn|bent|removed|missing|detached|broken off|come off|missing-part)\b/;

/** "No horns" and "long horns"; or two who both miss the same. */
export function compareDenied(lost: PostReading, found: PostReading): Evidence {
  const [left, right] = [deniedBy(lost, found), deniedBy(found, lost)];
  const bothDeny = left.some((a) => right.some((b) => isSameDetail(unmarked(a), unmarked(b))));
  if (bothDeny) return withoutReason(BOTH_DENY_POINTS);
  return withoutReason(isSaidBy(found, left) || isSaidBy(lost, right) ? DENIED_POINTS : 0);
}

/** "The passenger went off without his crutch": the thing itself is denied by nobody. */
function deniedBy(post: PostReading, other: PostReading): Detail[] {
  const own = [...post.heads, ...other.heads].flatMap(({ ids }) => ids.map((id) => `thing ${id}`));
  return post.denied.filter((detail) => !detail.some((key) => own.includes(key)));
}

/** Whether the post speaks of something as being there that the other denies. */
function isSaidBy({ details }: PostReading, denied: Detail[]): boolean {
  const isThere = (at: number): boolean => !isOfMissing(details[at]) && !isBroken(details[at + 1]);
  return denied.some((a) => !a.includes(ONE_OF_SEVERAL) && details.some((b, at) => isSameDetail(a, b) && isThere(at)));
}

function unmarked(detail: Detail): Detail {
  return detail.filter((key) => key !== ONE_OF_SEVERAL);
}

/** "The aerial is broken off" and "without an aerial". */
function isBroken(detail: Detail = []): boolean {
  return detail.some((key) => BROKEN.test(key));
}

function isOfMissing(detail: Detail = []): boolean {
  return detail.some((key) => MISSING.test(key));
}
