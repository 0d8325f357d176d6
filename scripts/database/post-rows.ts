import type { BatchItem } from 'drizzle-orm/batch';
import type { DrizzleD1Database } from 'drizzle-orm/d1';
import { POST_ASKED_AFTER_DAYS } from '#contract/limits.ts';
import { type PostInput, RETURNING_OUTCOMES } from '#contract/posts.ts';
import { moderationCases, moderationLog, postReports, type posts } from '#worker/db/schema.ts';
import { newId } from '#worker/identity/ids.ts';
import { searchTextsOf } from '#worker/posts/search-texts.ts';
import { HIDING_BITS } from '#worker/posts/visibility.ts';
import { DEMO_USERS } from './demo-people.ts';
import type { DemoPost } from './demo-posts.ts';
import { type Ids, suspendedFor } from './people-rows.ts';

export type PostRow = typeof posts.$inferInsert;

export function postRow(post: DemoPost, id: string, ids: Ids, now: number): PostRow {
  const { author, community, ageMs, hiddenFor } = post;
  const input: PostInput = { ...post, phone_number: DEMO_USERS[author].phone, community_code: null };
  const communityId = community ? ids.communities[community] : null;
  const texts = searchTextsOf(input, post.kind, communityId);
  const createdAt = now - ageMs;
  const isSuspended = suspendedFor(author) !== null;
  return {
    id,
    authorId: ids.users[author],
    communityId,
    title: input.title,
    ownerFirstName: input.owner_first_name,
    ownerLastName: input.owner_last_name,
    location: input.location,
    phoneNumber: input.phone_number,
    description: input.description,
    postedBy: input.posted_by,
    kind: post.kind,
    keptAt: input.kept_at ?? null,
    onBehalf: input.on_behalf === true,
    claimQuestion: input.claim_question ?? null,
    privateMarks: input.private_marks ?? null,
    contact: input.contact ?? 'number',
    answersPostId: post.answers === undefined ? null : ids.postNamed(post.answers),
    ...endOf(post, now),
    searchText: texts.search_text,
    readerText: texts.reader_text,
    visitorText: texts.visitor_text,
    searchVersion: texts.search_version,
    createdAt,
    changedAt: createdAt,
    // The first sweep matches the posts, so that people see matches when they sign in.
    matchPendingSince: post.ended || hiddenFor || isSuspended ? null : createdAt,
    hiddenBy: (hiddenFor ? HIDING_BITS.admin : 0) | (isSuspended ? HIDING_BITS.suspension : 0),
    hiddenReason: hiddenFor ?? null,
  };
}

function endOf({ ended }: DemoPost, now: number): Partial<PostRow> {
  if (!ended) return {};
  const at = now - ended.ageMs;
  if (ended.as === 'rests') return { awaySince: at, timesAsked: POST_ASKED_AFTER_DAYS.length };
  const isReturned = RETURNING_OUTCOMES.some((outcome) => outcome === ended.as);
  return { outcome: ended.as, isFound: isReturned, ...(isReturned ? { foundAt: at } : { awaySince: at }) };
}

type Reported = { post: DemoPost; row: PostRow; ids: Ids; now: number };

/** The reports on the post and the decision on them. */
export function moderationRows(db: DrizzleD1Database, { post, row, ids, now }: Reported): BatchItem<'sqlite'>[] {
  const { reports = [], hiddenFor } = post;
  if (reports.length === 0) return [];
  const reportedAt = now - post.ageMs / 2;
  const closedAt = hiddenFor ? now - post.ageMs / 3 : null;
  const since = closedAt ?? reportedAt;
  const shared = { postId: row.id, authorId: row.authorId, isCounted: false, createdAt: reportedAt, closedAt };
  const rows = reports.map(({ by, reason, text }) => ({
    id: newId(),
    reporterId: ids.users[by],
    reason,
    text,
    ...shared,
  }));
  const verdict = hiddenFor ? ({ status: 'decided', decision: 'hidden' } as const) : ({ status: 'open' } as const);
  const entry = { action: 'hide', targetType: 'post', targetId: row.id, reason: hiddenFor, createdAt: since } as const;
  return [
    ...rows.map((report) => db.insert(postReports).values(report)),
    db.insert(moderationCases).values({ id: newId(), postId: row.id, since, tellDueAt: since, ...verdict }),
    ...(hiddenFor ? [db.insert(moderationLog).values({ id: newId(), actorId: ids.users.admin, ...entry })] : []),
  ];
}
