import type { Evidence } from './evidence.ts';
import { against, CONTRADICTION, NO_EVIDENCE } from './evidence.ts';
import { getLexicon } from './lexicon.ts';
import type { PlaceMention } from './read-places.ts';

const ISSUER_POINTS = 0.3;

/** The school, hospital or office whose card it is. */
export function compareIssuers(lost: PlaceMention[], found: PlaceMention[]): Evidence {
  const { places } = getLexicon();
  const issuers = (mentions: PlaceMention[]): string[] => mentions.flat().filter((id) => places.get(id)?.isInstitution);
  const [left, right] = [issuers(lost), issuers(found)];
  if (left.length === 0 || right.length === 0) return NO_EVIDENCE;
  const shared = left.find((id) => right.includes(id));
  if (shared === undefined) return against(CONTRADICTION);
  const name = places.get(shared)?.name ?? shared;
  return { points: ISSUER_POINTS, reasons: [{ kind: 'detail', en: name, sw: name }] };
}
