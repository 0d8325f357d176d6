import { type SQL, sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import type { AdminPerson, AdminPost } from '#contract/admin.ts';
import { REPORT_REASONS } from '#contract/kinds.ts';
import { ADMIN_FOUND_MAX } from '#contract/limits.ts';
import { normaliseAccountPhone } from '#contract/typed-numbers.ts';
import type { Db } from '#worker/db/client.ts';
import { splitSearch } from '#worker/db/search-text.ts';
import { flag, queryFirst, queryRows, type RowOf, readAsPlatformAdmin } from '#worker/db/statements.ts';
import type { Viewer } from '#worker/identity/viewer.ts';
import { KNOWN_OF_PERSON, personRow, presentPerson } from '#worker/moderation/list-cases.ts';
import { type logRow, presentLogEntry, selectLog } from '#worker/moderation/moderation-log.ts';
import { claimReportsOn } from '#worker/moderation/report-post.ts';
import { FROM_POSTS, POST_COLUMNS, type PostRow, postRow } from '#worker/posts/post-columns.ts';
import { type Asker, presentToAdmin } from '#worker/posts/present-post.ts';
import { selectSaying } from '#worker/posts/search-posts.ts';

/** The last Unicode character. A prefix followed by this character sorts after all texts with the prefix. */
const AFTER_ALL = '\u{10ffff}';

/** Finds people by id, phone number or the start of their name or e-mail. Finds posts, even hidden, by id or words. */
export async function findAnything(db: Db, viewer: Viewer, q: string) {
  const isSaid = splitSearch(q).length > 0;
  const words = isSaid ? sql`union all select * from (${selectSaying(viewer, q, ADMIN_FOUND_MAX)})` : sql``;
  const { people, posts } = await readAsPlatformAdmin(db, viewer, {
    people: queryRows(db, personRow)`
      select ${KNOWN_OF_PERSON} from users u where ${q} <> '' and u.id in (${peopleLike(q)})
      order by u.created_at desc, u.id limit ${ADMIN_FOUND_MAX}`,
    posts: queryRows(db, postRow)`
      select ${POST_COLUMNS} ${FROM_POSTS}
      where p.seq in (select seq from posts where id = ${q} ${words}) order by p.seq desc limit ${ADMIN_FOUND_MAX}`,
  });
  return { people, posts };
}

/** Selects people by id, phone number, e-mail or name. A union, so that each part uses its own index. */
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

export async function readPerson(db: Db, viewer: Viewer, id: string) {
  const { account, posts, reports, log } = await readAsPlatformAdmin(db, viewer, {
    account: queryFirst(db, accountRow)`
      select ${KNOWN_OF_PERSON}, u.email, n.number as whatsapp_number, u.is_platform_admin, u.suspended_at,
        u.suspension_reason
      from users u left join phone_numbers n on n.user_id = u.id where u.id = ${id}`,
    posts: queryRows(db, postRow)`
      select ${POST_COLUMNS} ${FROM_POSTS} where p.author_id = ${id} order by p.seq desc limit ${ADMIN_FOUND_MAX}`,
    reports: selectReports(
      db,
      sql`
        select ${REPORT} from post_reports where author_id = ${id}
        union all select ${REPORT} from claim_reports where id in (${claimReportsOn(sql`${id}`)})`,
    ),
    log: selectPast(db, id),
  });
  return { account, past: { posts, reports, log } };
}

export async function readPostPage(db: Db, viewer: Viewer, id: string) {
  const { post, author, reports, log } = await readAsPlatformAdmin(db, viewer, {
    post: queryFirst(db, postRow)`select ${POST_COLUMNS} ${FROM_POSTS} where p.id = ${id}`,
    author: queryFirst(db, personRow)`
      select ${KNOWN_OF_PERSON} from users u where u.id = (select author_id from posts where id = ${id})`,
    reports: selectReports(db, sql`select ${REPORT} from post_reports where post_id = ${id}`),
    log: selectPast(db, id),
  });
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

const accountRow = () =>
  z.object({
    ...personRow().shape,
    email: z.string(),
    whatsapp_number: z.nullable(z.string()),
    is_platform_admin: flag(),
    suspended_at: z.nullable(z.number()),
    suspension_reason: z.nullable(z.string()),
  });

const reportOnRow = () =>
  z.object({
    reason: z.enum(REPORT_REASONS),
    text: z.nullable(z.string()),
    reporter_id: z.nullable(z.string()),
    post_id: z.string(),
    created_at: z.number(),
  });

/** The reports on a person or a post, and what admins have done about the person or post. */
type Past = { reports: RowOf<typeof reportOnRow>[]; log: RowOf<typeof logRow>[] };

export function presentAdminPerson(
  account: RowOf<typeof accountRow>,
  { posts, ...past }: Past & { posts: PostRow[] },
  admin: Asker,
): AdminPerson {
  return {
    ...presentPerson(account),
    email: account.email,
    whatsapp_number: account.whatsapp_number,
    is_platform_admin: account.is_platform_admin === 1,
    suspended_at: account.suspended_at === null ? null : new Date(account.suspended_at).toISOString(),
    suspension_reason: account.suspension_reason,
    posts: posts.map((post) => presentToAdmin(post, admin)),
    ...presentPast(past),
  };
}

export function presentAdminPost(
  post: PostRow,
  { author, ...past }: Past & { author: RowOf<typeof personRow> },
  admin: Asker,
): AdminPost {
  return { post: presentToAdmin(post, admin), author: presentPerson(author), ...presentPast(past) };
}

function presentPast({ reports, log }: Past) {
  return {
    reports: reports.map((report) => ({ ...report, created_at: new Date(report.created_at).toISOString() })),
    log: log.map(presentLogEntry),
  };
}
