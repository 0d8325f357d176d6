import { judgeSet } from './measure-matching.ts';
import { readSet, showPost } from './read-fixtures.ts';
import { findUntrueReasons } from './true-reasons.ts';

const { untrue, shown } = findUntrueReasons(judgeSet(readSet(process.argv.slice(2))).judged);
for (const { pair, reason, unsaidBy } of untrue) {
  console.log(`${pair.id} ${reason.kind}: ${reason.en} / ${reason.sw} (not said by ${unsaidBy.join(' nor ')})`);
  console.log(`  ${showPost(pair.lost)}\n  ${showPost(pair.found)}`);
}
const kinds = [...new Set(untrue.map(({ reason }) => reason.kind))];
const counts = kinds.map((kind) => `${kind} ${untrue.filter(({ reason }) => reason.kind === kind).length}`);
console.log(`${untrue.length} of ${shown} reasons do not follow from both posts: ${counts.join(', ')}`);
