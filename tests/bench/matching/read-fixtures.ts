import { readFileSync } from 'node:fs';
import { makePost } from '#tests/unit/matching/make-post.ts';
import type { MatchablePost } from '#worker/matching/reading/read-post.ts';

export type FixturePair = {
  id: string;
  isSame: boolean;
  /** Languages of the lost and the found side: `sw-en`. */
  direction: string;
  lost: MatchablePost;
  found: MatchablePost;
};

/** Reads pairs of `title | description | location | owner's name`, tab-separated; the languages column may be missing. */
export function readFixtures(path: string | URL): FixturePair[] {
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '' && !line.startsWith('#'))
    .map((line) => {
      const columns = line.split('\t');
      const [id = '', ...rest] = columns;
      const [direction = '', lost = '', found = ''] = rest.length === 2 ? ['', ...rest] : rest;
      return {
        id,
        isSame: id.startsWith('s'),
        direction,
        lost: makePost(lost, 'owner'),
        found: makePost(found, 'finder'),
      };
    });
}
