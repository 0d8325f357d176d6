import { getLexicon } from '#worker/matching/lexicon/lexicon.ts';
import type { Detail } from '#worker/matching/reading/read-details.ts';
import type { PostReading } from '#worker/matching/reading/read-post.ts';
import type { Evidence } from './evidence.ts';
import { withoutReason } from './evidence.ts';

/** A part may be long and the whole short: one such answer decides nothing by itself. */
const OPPOSITE_POINTS = -0.7;
const MOST_POINTS = -1;

/** Of every question the answers that a post gives, as bits. One post is compared with a hundred. */
const answersByPost = new WeakMap<PostReading, number[]>();

/** Questions to which the two give answers that exclude each other, and none in common. */
export function compareOpposites(lost: PostReading, found: PostReading): Evidence {
  const [left, right] = [answersOf(lost), answersOf(found)];
  let opposed = 0;
  for (const [question, answers] of left.entries()) {
    const others = right[question] ?? 0;
    if (answers !== 0 && others !== 0 && (answers & others) === 0) opposed += 1;
  }
  return withoutReason(Math.max(opposed * OPPOSITE_POINTS, MOST_POINTS));
}

function answersOf(post: PostReading): number[] {
  let known = answersByPost.get(post);
  if (known === undefined) {
    const ofThing = post.heads.flatMap(({ attributes }) => [...attributes].map((id) => [`attribute ${id}`]));
    const said = [...post.details, ...ofThing];
    known = getLexicon().opposites.map((answers) => said.reduce((bits, detail) => bits | answerOf(detail, answers), 0));
    answersByPost.set(post, known);
  }
  return known;
}

/** "No horns" also has a word that means horns: of a phrase's meanings the first one that answers counts. */
function answerOf(detail: Detail, answers: ReadonlyArray<ReadonlySet<string>>): number {
  for (const key of detail) {
    const at = answers.findIndex((answer) => answer.has(key));
    if (at >= 0) return 1 << at;
  }
  return 0;
}
