import type { PostReading } from '#worker/matching/reading/read-post.ts';
import type { Aspect, Evidence } from './evidence.ts';
import { NO_EVIDENCE, withoutReason } from './evidence.ts';

/** What hardly a second thing of the kind has: neither its look and its place, nor that it has a strap. */
const DISTINCTIVE: readonly Aspect[] = [
  'owner',
  'number',
  'writing',
  'issuer',
  'values',
  'measures',
  'words',
  'count',
  'group',
  'amount',
  'said',
  'denied',
  'day',
];
/** Details that each says: who says less may have had nothing more to say. */
const MANY_DETAILS = 4;
const THIN_POINTS = -0.35;

/** Two who both say much and agree in nothing but how such things look: listed, and not told. */
export function compareThin(
  lost: PostReading,
  found: PostReading,
  aspects: Partial<Record<Aspect, Evidence>>,
): Evidence {
  if (Math.min(lost.details.length, found.details.length) < MANY_DETAILS) return NO_EVIDENCE;
  const isDistinct = DISTINCTIVE.some((aspect) => (aspects[aspect]?.points ?? 0) > 0);
  return isDistinct ? NO_EVIDENCE : withoutReason(THIN_POINTS);
}
