import { readFileSync } from 'node:fs';
import { makePost } from '#tests/unit/matching/make-post.ts';
import type { MatchablePost } from '#worker/matching/reading/read-post.ts';

export type FixturePair = {
  id: string;
  isSame: boolean;
  /** The languages of the lost and the found side, such as `sw-en`; empty if the file does not contain them. */
  direction: string;
  lost: MatchablePost;
  found: MatchablePost;
};

/**
 * Reads one file, in which a pair's id begins with `s` (the same thing) or `d` (look-alikes). Or reads two files: pairs
 * about the same thing, and look-alikes. Without paths, reads the project's own file.
 */
export function readSet(paths: readonly string[]): FixturePair[] {
  const [pairs, lookAlikes] = paths;
  if (pairs === undefined) return readFixtures(new URL('./fixtures.tsv', import.meta.url));
  if (lookAlikes === undefined) return readFixtures(pairs);
  return [
    ...readFixtures(pairs).map((pair) => ({ ...pair, isSame: true })),
    ...readFixtures(lookAlikes).map((pair) => ({ ...pair, isSame: false })),
  ];
}

/**
 * Reads pairs, one a line: id, languages (optional), lost post and found post, separated by tabs. A post is
 * `title | description | location | owner's name`.
 */
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

export function showPost({ title, description, location, ...owner }: MatchablePost): string {
  return [title, description, location, `${owner.owner_first_name} ${owner.owner_last_name}`.trim()].join(' | ');
}
