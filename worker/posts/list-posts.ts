import { createHash } from 'node:crypto';
import { sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import type { PageQuery } from '#contract/fields.ts';
import {
  type PostEntry,
  type PostListQuery,
  postListQuerySchema,
  SEARCH_PARTS,
  type SearchPart,
} from '#contract/posts.ts';
import { idOf } from '#worker/conditions/people.ts';
import { mayMiss, selectPlaces } from '#worker/conditions/posts.ts';
import { type Db, readAs } from '#worker/db/client.ts';
import { foldPhrase, splitSearch } from '#worker/db/search-text.ts';
import { queryFirst, queryRows, type RowOf } from '#worker/db/statements.ts';
import type { Config } from '#worker/env.ts';
import { invalidField } from '#worker/errors/app-error.ts';
import type { Viewer } from '#worker/identity/viewer.ts';
import { selectCommunity } from './find-post.ts';
import { type NumberReader, readWithNumbers } from './give-numbers.ts';
import { cursorSeq, eachOf, listPlace, type Search } from './newest-posts.ts';
import { FROM_POSTS, POST_COLUMNS, type PostRow, postRow } from './post-columns.ts';
import { presentPost } from './present-post.ts';
import { HITS, readMeaning, type SearchPosition, withMeaning } from './search-meaning.ts';
import { buildSearch, isAtPlace, isFoundByWords, isSearch } from './search-posts.ts';

const floorRow = () => z.object({ floor: z.number() });
/**
 * The row of a post in a list. For a search, the row also has the part of the list that contains the post (an index of
 * `SEARCH_PARTS`), its score, and how the post meets the search (`HITS`).
 */
const listedRow = () => z.object({ ...postRow().shape, part: z.number(), score: z.number(), hits: z.string() });
export type ListedRow = RowOf<typeof listedRow>;

export type Page<Row extends PostRow = PostRow> = { rows: Row[]; nextCursor: string | number | null };

/** Reads a page of the viewer's own posts, newest first. */
export async function listOwnPosts(db: Db, viewer: Viewer, { cursor, limit }: PageQuery): Promise<Page> {
  const { posts } = await readAs(db, viewer, {
    posts: queryRows(db, postRow)`
      select ${POST_COLUMNS} ${FROM_POSTS}
      where p.author_id = ${viewer.userId} and p.seq < ${cursorSeq(cursor)}
      order by p.seq desc limit ${limit + 1}`,
  });
  return toPage(posts, limit, 0);
}

/**
 * Reads a page of the posts that the viewer may see, in one round trip to the database. Without a search, the newest
 * posts are first. A search lists first the posts that contain the searched words, then posts whose words have the same
 * meaning, then posts whose words have a related meaning.
 * @returns the page, what the search means, and the community of `community_code`. The caller must check
 * that the viewer is a member of this community.
 * @throws AppError validation_failed for a cursor of another search.
 */
export async function listPosts(reader: NumberReader, query: PostListQuery) {
  const { db, viewer } = reader;
  const { tables, listed, floor, position, meaning } = selectList(viewer, query);
  const posts =
    meaning === null
      ? sql`select seq, -seq as place from (${listed}) order by seq desc limit ${query.limit}`
      : sql`
          select seq, row_number() over (order by part, score desc, seq desc) as place from (${tables} select * from (${listed}))
          order by place limit ${query.limit}`;
  const { results, numbers } = await readWithNumbers(
    reader,
    { posts },
    {
      listed: queryRows(db, listedRow)`
        ${tables} select ${POST_COLUMNS}, v.part, v.score, ${meaning ? HITS : sql`'[]'`} as hits
        from (${listed}) v cross join posts p on p.seq = v.seq left join communities c on c.id = p.community_id
        order by ${meaning ? sql`v.part, v.score desc,` : sql``} v.seq desc limit ${query.limit + 1}`,
      end: queryFirst(db, floorRow)`${floor}`,
      ...(query.community_code !== null && { community: selectCommunity(db, viewer, query.community_code) }),
    },
  );
  const { community } = results;
  const page = toPage(results.listed, query.limit, results.end?.floor ?? 0);
  const nextCursor =
    page.nextCursor === null || splitSearch(query.search).length === 0
      ? page.nextCursor
      : writePosition(query, nextPosition(position, page));
  return { community, numbers, meaning, page: { rows: page.rows, nextCursor } };
}

/**
 * Selects a page of the posts that the viewer may see, and one more post, which shows that another page follows.
 * `listed` is the select. The caller puts `tables`, a `with` clause, before the select. `floor` is a separate statement
 * that returns the `seq` at which the examination of posts stopped early; 0 if the examination did not stop early. The
 * page contains only posts with a higher `seq`.
 * @throws AppError validation_failed for a cursor of another search.
 */
export function selectList(viewer: Viewer | null, query: PostListQuery) {
  const position = readPosition(query);
  const meaning = splitSearch(query.search).length > 0 ? readMeaning(query) : null;
  const isPastWords = position !== null && position.part !== 'words';
  const asked = position === null ? query : { ...query, cursor: String(position.seq) };
  const {
    seqs,
    floor,
    floorAlone = floor,
  } = isPastWords
    ? { seqs: sql`select null as seq where false`, floor: sql`0` }
    : isSearch(query)
      ? buildSearch(viewer, asked)
      : listNewest(viewer, asked);
  const words = sql`with words (seq) as materialized (${seqs})`;
  const list = { floor: sql`select ${floorAlone} as floor`, position, meaning };
  if (meaning === null)
    return { ...list, tables: sql``, listed: sql`select seq, 0 as part, 0 as score from (${seqs})` };
  const tables = withMeaning(meaning, {
    viewer,
    query,
    position,
    isInPlace: isAtPlace(viewer, query),
    isFoundByWords: isFoundByWords(viewer, query),
  });
  return {
    ...list,
    tables: sql`${words}, stop (floor) as materialized (select ${floor}) ${tables}`,
    listed: sql`
      select seq, 0 as part, 0 as score from words union all select seq, 1, 0 from meaning
      union all select seq, 2, score from near`,
  };
}

const DIGEST_CHARS = 8;

/** Returns a digest of the filters, as a part of the cursor. A cursor with the digest of other filters is refused. */
function digestOf({ search, exact, community_code, posted_by, kind, place, since, open }: PostListQuery): string {
  const filters = [splitSearch(search), exact, community_code, posted_by, kind, foldPhrase(place), since, open];
  return createHash('sha256').update(JSON.stringify(filters)).digest('base64url').slice(0, DIGEST_CHARS);
}

/**
 * Parses the cursor.
 * @returns null without a cursor or without a search.
 * @throws AppError validation_failed for a cursor of another search.
 */
function readPosition(query: PostListQuery): SearchPosition | null {
  const { cursor, search } = query;
  if (cursor === undefined) return null;
  const [part, ...rest] = cursor.split('-');
  const isOfSearch = SEARCH_PARTS.some((known) => known === part);
  if (isOfSearch !== splitSearch(search).length > 0) throw invalidField('cursor', 'cursor_invalid');
  if (!isOfSearch) return null;
  if (rest.slice(NUMBERS_IN_CURSOR).join('-') !== digestOf(query)) throw invalidField('cursor', 'cursor_invalid');
  const [seq = 0, score = 0, found = 0, near = 0] = rest.map(Number);
  return { part: part as SearchPart, seq, score, found, near };
}

const NUMBERS_IN_CURSOR = 4;

function writePosition(query: PostListQuery, { part, seq, score, found, near }: SearchPosition): string {
  return [part, seq, score, found, near, digestOf(query)].join('-');
}

function nextPosition(before: SearchPosition | null, { rows, nextCursor }: Page<ListedRow>): SearchPosition {
  const last = rows.at(-1);
  // If a page is not full, the search may have stopped before it examined all posts for the searched words. The next
  // page therefore continues with the part `words`.
  const isFull = last !== undefined && last.seq === nextCursor;
  const near = rows.filter(({ part }) => part === SEARCH_PARTS.indexOf('near')).length;
  return {
    part: (isFull ? SEARCH_PARTS[last.part] : undefined) ?? 'words',
    seq: Number(nextCursor),
    score: isFull ? last.score : 0,
    found: (before?.found ?? 0) + rows.length - near,
    near: (before?.near ?? 0) + near,
  };
}

/**
 * Merges the newest public posts with the newest posts of each of the viewer's communities. Reads only one page of the
 * public posts and of each community's posts, so that the cost does not grow with the number of posts. Each of these
 * reads examines at most `WINDOW` posts, newest first. If moderation or a block hides posts from the viewer, a read may
 * stop before its page is full. The merged page then ends at the newest post at which a read stopped, so that no post
 * is skipped.
 */
function listNewest(viewer: Viewer | null, query: PostListQuery): Search {
  const me = viewer && idOf(viewer);
  const places = selectPlaces(me, query.community_code);
  const { seqs, floor } = listPlace(me, query);
  return {
    seqs: sql`
      select i.value as seq from (${places}) m cross join ${eachOf(seqs)} i order by seq desc limit ${query.limit + 1}`,
    floor: sql`iif(${mayMiss(me)}, coalesce((select max(${floor}) from (${places}) m), 0), 0)`,
  };
}

/**
 * Makes a page of the rows.
 * @param floor the `seq` at which the examination of posts stopped early; 0 if the examination did not stop early.
 */
function toPage<Row extends PostRow>(rows: Row[], limit: number, floor: number): Page<Row> {
  const looked = rows.filter((row) => row.seq > floor);
  if (looked.length <= limit) return { rows: looked, nextCursor: floor > 0 ? floor + 1 : null };
  const shown = looked.slice(0, limit);
  return { rows: shown, nextCursor: shown.at(-1)?.seq ?? null };
}

/** Reads the newest posts as visitors see them. Visitors see no phone numbers, so no limit on shown numbers applies. */
export async function readNewest(
  db: Db,
  config: Config,
  limit: number,
): Promise<{ entries: PostEntry[]; nextCursor: Page['nextCursor'] }> {
  const visitor = { db, config, viewer: null };
  const query = postListQuerySchema.parse({ limit: String(limit) });
  const { page } = await listPosts({ ...visitor, networks: [], limits: null }, query);
  return { entries: page.rows.map((row) => ({ Post: presentPost(row, visitor) })), nextCursor: page.nextCursor };
}
