import * as z from 'zod/mini';
import { EXCLUDED_COUNTED_MAX } from '#contract/limits.ts';
import { type Excluded, LIST_FILTERS, type PostListQuery } from '#contract/posts.ts';
import { type Db, readAs } from '#worker/db/client.ts';
import { queryRows } from '#worker/db/rows.ts';
import type { Viewer } from '#worker/identity/viewer.ts';
import { selectList } from './list-store.ts';
import { selectCommunity } from './store.ts';

const countRow = () => z.object({ count: z.number() });

const UNFILTERED = {
  search: '',
  posted_by: undefined,
  kind: undefined,
  place: '',
  since: undefined,
  open: undefined,
} as const;

/**
 * Counts what the list would have without each of its filters. Each count costs as much as a page.
 * @returns the counts, and the community that `community_code` names, for the caller to authorise.
 */
export async function countExcluded(db: Db, viewer: Viewer | null, query: PostListQuery) {
  const filters = LIST_FILTERS.filter((name) => query[name] !== UNFILTERED[name]);
  const counts = filters.map((name) => selectCount(db, viewer, { ...query, [name]: UNFILTERED[name] }));
  const [[community], ...answers] = await readAs(db, viewer, [
    selectCommunity(db, viewer, query.community_code),
    ...counts,
  ]);
  const excluded: Excluded = Object.fromEntries(filters.map((name, at) => [name, answers[at]?.[0]?.count ?? 0]));
  return { community, excluded };
}

function selectCount(db: Db, viewer: Viewer | null, query: PostListQuery) {
  const { rows } = selectList(viewer, { ...query, cursor: undefined, limit: EXCLUDED_COUNTED_MAX - 1 });
  return queryRows(db, countRow)`select count(*) as count from (${rows})`;
}
