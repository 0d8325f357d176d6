import { sql } from 'drizzle-orm';
import type { Db } from '#worker/db/client.ts';
import { queryRows } from '#worker/db/rows.ts';
import { assignments, FROM_POSTS, isMatchedAlike, POST_COLUMNS, type PostRow, postRow } from './post-columns.ts';
import { SEARCH_VERSION, searchTextsOf } from './search-texts.ts';

/** One batch takes the database some tenths of a second; three per sweep are 18,000 posts an hour. */
const POSTS_AT_ONCE = 100;
const BATCHES_PER_SWEEP = 3;

/**
 * For the sweep: after SEARCH_VERSION has changed, makes the search texts of older posts again, and with them their index
 * entries, in small pieces while people search. The newest posts come first, as in a search.
 */
export async function renewTexts(db: Db): Promise<void> {
  for (let batch = 0; batch < BATCHES_PER_SWEEP; batch++) {
    const [first, ...others] = (await listOutdated(db)).map((post) => renewText(db, post));
    if (first === undefined) return;
    await db.repeatable.batch([first, ...others]);
  }
}

function listOutdated(db: Db): Promise<PostRow[]> {
  return queryRows(db, postRow)`
    select ${POST_COLUMNS} ${FROM_POSTS}
    where p.search_version = (select min(search_version) from posts) and p.search_version < ${SEARCH_VERSION}
    order by p.seq desc limit ${POSTS_AT_ONCE}`;
}

/** Statement: skips a post that was edited meanwhile, as it already has the new texts. */
function renewText(db: Db, post: PostRow) {
  const texts = searchTextsOf(post, post.kind, post.community_id);
  return db.repeatable.run(sql`
    update posts set ${assignments(texts)}
    where seq = ${post.seq} and ${isMatchedAlike(post, post.community_id)} and kept_at is ${post.kept_at}
      and kind = ${post.kind}`);
}
