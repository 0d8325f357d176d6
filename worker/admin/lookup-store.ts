import { type SQL, sql } from 'drizzle-orm';
import { ADMIN_FOUND_MAX } from '#contract/limits.ts';
import { normaliseAccountPhone } from '#contract/normalise-phone.ts';
import type { Db } from '#worker/db/client.ts';
import { readAsPlatformAdmin } from '#worker/db/platform-admin.ts';
import { queryRows } from '#worker/db/rows.ts';
import { splitSearch } from '#worker/db/search-text.ts';
import type { Viewer } from '#worker/identity/viewer.ts';
import { claimReportsOn, KNOWN_OF_PERSON, personRow, selectLog } from '#worker/moderation/index.ts';
import { FROM_POSTS, POST_COLUMNS, postRow, selectSaying } from '#worker/posts/index.ts';
import { accountRow, reportOnRow } from './lookup-rules.ts';

/** Sorts after every text with the same prefix. */
const AFTER_ALL = '\u{10ffff}';

/** Finds people by the start of their name or e-mail, by number or id, and posts by id or words, including hidden ones. */
export async function findAnything(db: Db, viewer: Viewer, q: string) {
  const isSaid = splitSearch(q).length > 0;
  const words = isSaid ? sql`union all select * from (${selectSaying(viewer, q, ADMIN_FOUND_MAX)})` : sql``;
  const [people, posts] = await readAsPlatformAdmin(db, viewer, [
    queryRows(db, personRow)`
      select ${KNOWN_OF_PERSON} from users u where ${q} <> '' and u.id in (${peopleLike(q)})
      order by u.created_at desc, u.id limit ${ADMIN_FOUND_MAX}`,
    queryRows(db, postRow)`
      select ${POST_COLUMNS} ${FROM_POSTS}
      where p.seq in (select seq from posts where id = ${q} ${words}) order by p.seq desc limit ${ADMIN_FOUND_MAX}`,
  ]);
  return { people, posts };
}

/** A union, so that each way to find a person uses its own index. */
function peopleLike(q: string): SQL {
  const number = normaliseAccountPhone(q);
  const beginning = (column: SQL, text: string) => sql`
    select * from (select id from users where ${column} >= ${text} and ${column} < ${text + AFTER_ALL}
      order by ${column} limit ${ADMIN_FOUND_MAX})`;
  return sql`
    select id from users where id = ${q}
    union select user_id from phone_numbers where number = ${number}
    union ${beginning(sql`email_key`, q.toLowerCase())}
    union ${beginning(sql`username collate nocase`, q)}`;
}

/** Everything on a person's admin page. */
export async function readPerson(db: Db, viewer: Viewer, id: string) {
  const [[account], posts, reports, log] = await readAsPlatformAdmin(db, viewer, [
    queryRows(db, accountRow)`
      select ${KNOWN_OF_PERSON}, u.email, n.number as whatsapp_number, u.is_platform_admin, u.suspended_at,
        u.suspension_reason
      from users u left join phone_numbers n on n.user_id = u.id where u.id = ${id}`,
    queryRows(db, postRow)`
      select ${POST_COLUMNS} ${FROM_POSTS} where p.author_id = ${id} order by p.seq desc limit ${ADMIN_FOUND_MAX}`,
    selectReports(
      db,
      sql`
        select ${REPORT} from post_reports where author_id = ${id}
        union all select ${REPORT} from claim_reports where id in (${claimReportsOn(sql`${id}`)})`,
    ),
    selectPast(db, id),
  ]);
  return { account, past: { posts, reports, log } };
}

/** Everything on a post's admin page. */
export async function readPostPage(db: Db, viewer: Viewer, id: string) {
  const [[post], [author], reports, log] = await readAsPlatformAdmin(db, viewer, [
    queryRows(db, postRow)`select ${POST_COLUMNS} ${FROM_POSTS} where p.id = ${id}`,
    queryRows(db, personRow)`
      select ${KNOWN_OF_PERSON} from users u where u.id = (select author_id from posts where id = ${id})`,
    selectReports(db, sql`select ${REPORT} from post_reports where post_id = ${id}`),
    selectPast(db, id),
  ]);
  return { post, author, past: { reports, log } };
}

const REPORT = sql.raw('id, reason, text, reporter_id, post_id, created_at');

function selectReports(db: Db, reports: SQL) {
  return queryRows(db, reportOnRow)`
    select reason, text, reporter_id, post_id, created_at from (${reports})
    order by created_at desc, id limit ${ADMIN_FOUND_MAX}`;
}

function selectPast(db: Db, targetId: string) {
  return selectLog(
    db,
    sql`where l.target_id = ${targetId} order by l.created_at desc, l.id desc limit ${ADMIN_FOUND_MAX}`,
  );
}
