import { getLexicon } from '#worker/matching/lexicon/lexicon.ts';
import type { ConceptClass } from '#worker/matching/lexicon/lexicon-types.ts';
import type { Evidence } from './evidence.ts';
import { addEvidence, NO_EVIDENCE } from './evidence.ts';

/** What two people both mention, each in their own words: a knot says more than a child, and "please" says nothing. */
const POINTS: Record<ConceptClass, number> = {
  mark: 0.1,
  event: 0.1,
  body: 0.08,
  person: 0.06,
  place: 0.06,
  action: 0.04,
  other: 0,
};
const MOST_POINTS = 0.2;
const MOST_TOLD = 2;

export function compareConcepts(lost: string[], found: string[]): Evidence {
  const { concepts } = getLexicon();
  const shared = lost.filter((id) => found.includes(id)).flatMap((id) => concepts.get(id) ?? []);
  const telling = shared.filter((concept) => POINTS[concept.class] > 0);
  if (telling.length === 0) return NO_EVIDENCE;
  const { points } = addEvidence(telling.map((concept) => ({ points: POINTS[concept.class], reasons: [] })));
  return {
    points: Math.min(points, MOST_POINTS),
    reasons: telling
      .filter((concept) => concept.class !== 'action')
      .slice(0, MOST_TOLD)
      .map(({ id }) => ({ kind: 'detail', key: `concept ${id}` })),
  };
}
