import { getLexicon } from '#worker/matching/lexicon/lexicon.ts';
import { isSameWord } from './compare-details.ts';
import type { Evidence } from './evidence.ts';
import { CONTRADICTION, capitalise, NO_EVIDENCE, reasonOf, withoutReason } from './evidence.ts';

const ISSUER_POINTS = 0.3;
/** A bag may hold the papers of a school and the receipts of a shop. */
const OTHER_ISSUER_POINTS = -0.75;

/** "Mkwawa", and the institution of that name. */
function isSameIssuer(a: string, b: string): boolean {
  return isSameWord(a, b) || b.toLowerCase().startsWith(`${a}, `);
}

/** The school, hospital or office whose card it is: a known institution, or the name that stands beside such a word. */
export function compareIssuers(lost: string[], found: string[], isNamedThing: boolean): Evidence {
  if (lost.length === 0 || found.length === 0) return NO_EVIDENCE;
  const shared = lost.find((a) => found.some((b) => isSameIssuer(a, b) || isSameIssuer(b, a)));
  if (shared === undefined) return withoutReason(isNamedThing ? CONTRADICTION : OTHER_ISSUER_POINTS);
  const place = getLexicon().places.get(shared);
  return { points: ISSUER_POINTS, reasons: [reasonOf('detail', place?.name ?? capitalise(shared))] };
}
