import { readFileSync } from 'node:fs';
import { makePost } from '#tests/unit/matching/make-post.ts';
import type { MatchablePost } from '#worker/matching/reading/read-post.ts';

export type FixturePair = {
  id: string;
  isSame: boolean;
  /** Languages of the lost and the found side: `sw-en`; empty where the file does not say. */
  direction: string;
  lost: MatchablePost;
  found: MatchablePost;
};

/**
 * The pairs of one file, where `s…` are one thing and `d…` look-alikes; or of two, the first of pairs and the second of
 * look-alikes, whatever their ids. Without a file those of the project.
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

export function showPost({ title, description, location, ...owner }: MatchablePost): string {
  return [title, description, location, `${owner.owner_first_name} ${owner.owner_last_name}`.trim()].join(' | ');
}
