import { type SQL, sql } from 'drizzle-orm';
import { parseCode } from '#worker/communities/codes.ts';
import type { PageQuery, PostListQuery } from '#worker/contract/posts.ts';
import { type Db, readAs } from '#worker/db/client.ts';
import { containsAll } from '#worker/db/contains-all.ts';
import { parseSearch } from '#worker/db/search-text.ts';
import type { Viewer } from '#worker/http/viewer.ts';
import type { PostRow } from './post-rules.ts';
import { FROM_POSTS, POST_COLUMNS, selectCommunity } from './store.ts';

/** How many of the newest posts one page of a search for one or two letters looks at; the next page looks further. */
const SHORT_SEARCH_WINDOW_POSTS = 5_000;

export type Page = { rows: PostRow[]; nextCursor: number | null };

/** A page of one's own posts, newest first. */
export async function listOwnPosts(db: Db, viewer: Viewer, { cursor, limit }: PageQuery): Promise<Page> {
  const [rows] = await readAs(db, viewer, [
    db.all<PostRow>(sql`
      select ${POST_COLUMNS} ${FROM_POSTS}
      where p.author_id = ${viewer.userId} and p.seq < ${before(cursor)}
      order by p.seq desc limit ${limit + 1}`),
  ]);
  return toPage(rows, limit, null);
}

/**
 * A page of what the viewer may see, newest first, in one round trip.
 * @returns the community that `community_code` named beside the page, for the caller to judge before it shows the page.
 */
export async function listPosts(db: Db, viewer: Viewer | null, query: PostListQuery) {
  const { match, short } = parseSearch(query.search);
  const floor = match === null && short.length > 0 ? shortSearchFloor(query.cursor) : null;
  const [[community], [newest], rows] = await readAs(db, viewer, [
    selectCommunity(db, viewer, query.community_code),
    db.all<{ seq: number }>(sql`select coalesce(max(seq), 0) as seq from posts`),
    db.all<PostRow>(
      match !== null
        ? searchByTrigrams(viewer, query, match, short)
        : floor !== null
          ? searchNewest(viewer, query, short, floor)
          : listNewest(viewer, query),
    ),
  ]);
  const start = Math.min(before(query.cursor), (newest?.seq ?? 0) + 1);
  const windowEnd = floor === null ? 0 : start - SHORT_SEARCH_WINDOW_POSTS;
  return { community, page: toPage(rows, query.limit, windowEnd > 1 ? windowEnd : null) };
}

/** The newest of each place the viewer may look into, merged: reads a page per community, however many posts there are. */
function listNewest(viewer: Viewer | null, query: PostListQuery): SQL {
  const rest = sql`${ofKind('q', query)} and q.seq < ${before(query.cursor)} order by q.seq desc limit ${query.limit + 1}`;
  if (query.community_code !== null) {
    return sql`select ${POST_COLUMNS} ${FROM_POSTS} where p.seq in (
      select q.seq from posts q where q.community_id = ${communityId(query)} ${rest}
    ) order by p.seq desc`;
  }
  return sql`
    select ${POST_COLUMNS} from (
      select seq from (select q.seq from posts q where q.community_id is null ${rest})
      union all
      select i.seq from memberships m cross join posts i
      where m.user_id = ${viewer?.userId ?? ''}
        and i.seq in (select q.seq from posts q where q.community_id = m.community_id ${rest})
    ) v cross join posts p on p.seq = v.seq left join communities c on c.id = p.community_id
    order by p.seq desc limit ${query.limit + 1}`;
}

function searchByTrigrams(viewer: Viewer | null, query: PostListQuery, match: string, short: string[]): SQL {
  return sql`
    select ${POST_COLUMNS} from posts_search s cross join posts p on p.seq = s.rowid
    left join communities c on c.id = p.community_id
    where s.posts_search match ${match} and s.rowid < ${before(query.cursor)}
      ${ofKind('p', query)} and ${visible(viewer, query)} and ${containsAll('p.search_text', short)}
    order by s.rowid desc limit ${query.limit + 1}`;
}

function searchNewest(viewer: Viewer | null, query: PostListQuery, short: string[], floor: SQL): SQL {
  return sql`
    select ${POST_COLUMNS} ${FROM_POSTS}
    where p.seq < ${before(query.cursor)} and p.seq >= ${floor}
      ${ofKind('p', query)} and ${visible(viewer, query)} and ${containsAll('p.search_text', short)}
    order by p.seq desc limit ${query.limit + 1}`;
}

function shortSearchFloor(cursor: string | undefined): SQL {
  const start = sql`min(${before(cursor)}, coalesce((select max(seq) from posts), 0) + 1)`;
  return sql`${start} - ${SHORT_SEARCH_WINDOW_POSTS}`;
}

function before(cursor: string | undefined): number {
  return cursor === undefined ? Number.MAX_SAFE_INTEGER : Number(cursor);
}

function communityId({ community_code }: PostListQuery): SQL {
  const code = parseCode(community_code ?? '');
  return sql`(select id from communities where community_code = ${code} or access_code = ${code})`;
}

function visible(viewer: Viewer | null, query: PostListQuery): SQL {
  if (query.community_code !== null) return sql`p.community_id = ${communityId(query)}`;
  return sql`(p.community_id is null or p.community_id in (
    select m.community_id from memberships m where m.user_id = ${viewer?.userId ?? ''}))`;
}

function ofKind(table: 'p' | 'q', { posted_by }: PostListQuery): SQL {
  return posted_by === undefined ? sql`` : sql`and ${sql.raw(table)}.posted_by = ${posted_by}`;
}

function toPage(rows: PostRow[], limit: number, windowEnd: number | null): Page {
  if (rows.length <= limit) return { rows, nextCursor: windowEnd };
  const shown = rows.slice(0, limit);
  return { rows: shown, nextCursor: shown.at(-1)?.seq ?? null };
}
