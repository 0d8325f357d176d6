import type { Detail } from '#worker/matching/reading/read-details.ts';
import type { PostReading } from '#worker/matching/reading/read-post.ts';
import { isSameDetail } from './compare-said.ts';
import type { Evidence } from './evidence.ts';
import { withoutReason } from './evidence.ts';

/** It may have been taken off meanwhile. */
const DENIED_POINTS = -0.8;
const BOTH_DENY_POINTS = 0.3;

/** Entries that say themselves that something is not there: "lid missing". */
const MISSING = /g:(?:without|no|missing) | missing$/;

/** "No horns" and "long horns"; or two who both miss the same. */
export function compareDenied(lost: PostReading, found: PostReading): Evidence {
  const isSaid = (post: PostReading, other: PostReading): boolean =>
    post.denied.some((a) => other.details.some((b) => !isOfMissing(b) && isSameDetail(a, b)));
  if (lost.denied.some((a) => found.denied.some((b) => isSameDetail(a, b)))) return withoutReason(BOTH_DENY_POINTS);
  return withoutReason(isSaid(lost, found) || isSaid(found, lost) ? DENIED_POINTS : 0);
}

function isOfMissing(detail: Detail): boolean {
  return detail.some((key) => MISSING.test(key));
}
