import { addUnjudged, crossPrecision, readCrossJudgements, verdictOf } from './cross-judgements.ts';
import { judgeSet } from './measure-matching.ts';
import { readSet, showPost } from './read-fixtures.ts';

const { crossMatches } = judgeSet(readSet([]));
const judgements = readCrossJudgements();
addUnjudged(judgements, crossMatches);
for (const match of crossMatches.filter((match) => verdictOf(judgements, match) === '?')) {
  const { lost, found, judgement } = match;
  console.log(`${lost.id}\t${found.id}\t${judgement.score.toFixed(3)}`);
  console.log(`  ${showPost(lost.lost)}\n  ${showPost(found.found)}`);
}
const { hits, of } = crossPrecision(judgements, crossMatches);
console.log(
  `${crossMatches.length} told between posts of different pairs, ${hits} of ${of} that are judged are the same`,
);
