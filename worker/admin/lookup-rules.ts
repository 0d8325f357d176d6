import * as z from 'zod/mini';
import type { AdminPerson, AdminPost } from '#contract/admin.ts';
import { REPORT_REASONS } from '#contract/report-reasons.ts';
import { flag, type RowOf } from '#worker/db/rows.ts';
import { type logRow, personRow, presentLogEntry, presentPerson } from '#worker/moderation/index.ts';
import { type Asker, type PostRow, presentToAdmin } from '#worker/posts/index.ts';

export const accountRow = () =>
  z.object({
    ...personRow().shape,
    email: z.string(),
    whatsapp_number: z.nullable(z.string()),
    is_platform_admin: flag(),
    suspended_at: z.nullable(z.number()),
    suspension_reason: z.nullable(z.string()),
  });

export const reportOnRow = () =>
  z.object({
    reason: z.enum(REPORT_REASONS),
    text: z.nullable(z.string()),
    reporter_id: z.nullable(z.string()),
    post_id: z.string(),
    created_at: z.number(),
  });

/** Reports on a person or a post, and what admins have done. */
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
