import { readFileSync } from 'node:fs';
import type { MatchablePost } from '#worker/matching/read-post.ts';

export type FixturePair = {
  id: string;
  isSame: boolean;
  /** Languages of the lost and the found side: `sw-en`. */
  direction: string;
  lost: MatchablePost;
  found: MatchablePost;
};

const WRITTEN_AT = Date.UTC(2026, 10, 10, 9);

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
        lost: toPost(lost, 'owner'),
        found: toPost(found, 'finder'),
      };
    });
}

function toPost(side: string, postedBy: MatchablePost['posted_by']): MatchablePost {
  const [title = '', description = '', location = '', owner = ''] = side.split('|').map((part) => part.trim());
  const [first = '', ...last] = owner.split(' ');
  return {
    title,
    description,
    location,
    owner_first_name: first,
    owner_last_name: last.join(' '),
    posted_by: postedBy,
    created_at: WRITTEN_AT,
  };
}
