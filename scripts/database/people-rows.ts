import type { BatchItem } from 'drizzle-orm/batch';
import type { DrizzleD1Database } from 'drizzle-orm/d1';
import { POST_ASKED_AFTER_DAYS } from '#contract/limits.ts';
import { type PostInput, RETURNING_OUTCOMES } from '#contract/posts.ts';
import { hashPassword } from '#worker/accounts/password.ts';
import { newAccessCode, newCommunityCode } from '#worker/communities/find-community.ts';
import { communitySearchText } from '#worker/communities/present-community.ts';
import { HIDING_BITS } from '#worker/conditions/posts.ts';
import type { communities, joinRequests, memberships } from '#worker/db/tables/communities.ts';
import { type blocks, moderationCases, moderationLog, postReports } from '#worker/db/tables/moderation.ts';
import type { noticeSettings } from '#worker/db/tables/notices.ts';
import type { phoneNumbers, users } from '#worker/db/tables/people.ts';
import type { posts } from '#worker/db/tables/posts.ts';
import { emailKey, newId } from '#worker/identity/digests.ts';
import { searchTextsOf } from '#worker/posts/search-texts.ts';
import {
  DEMO_BLOCKS,
  DEMO_COMMUNITIES,
  DEMO_USERS,
  type DemoCommunity,
  type DemoCommunityName,
  type DemoUser,
  type DemoUserName,
} from './demo-people.ts';
import { DEMO_POSTS, type DemoPost } from './demo-posts.ts';

export type Ids = {
  users: Record<DemoUserName, string>;
  communities: Record<DemoCommunityName, string>;
  /** Returns the id of a post. @throws Error if no post has the name. */
  postNamed: (name: string) => string;
};

function entriesOf<Name extends string, Value>(things: Record<Name, Value>): [Name, Value][] {
  return Object.entries(things) as [Name, Value][];
}

const DEMO_COMMUNITY_ENTRIES = entriesOf<DemoCommunityName, DemoCommunity>(DEMO_COMMUNITIES);

/** Returns the rows of the demo users. @param origin the app's origin, for links in e-mails. */
export function userRows(ids: Ids, origin: string, now: number): Promise<(typeof users.$inferInsert)[]> {
  return Promise.all(
    entriesOf<DemoUserName, DemoUser>(DEMO_USERS).map(async ([name, user]) => ({
      id: ids.users[name],
      username: user.username,
      email: user.email,
      emailKey: emailKey(user.email),
      ...(user.hasProvenEmail && { emailProvenAt: now, emailOrigin: origin }),
      language: 'sw' as const,
      passwordHash: await hashPassword(user.password),
      isPlatformAdmin: user.isPlatformAdmin ?? false,
      platformAdminSince: user.isPlatformAdmin ? now : null,
      suspendedAt: user.suspendedFor ? now : null,
      suspensionReason: user.suspendedFor ?? null,
      createdAt: now,
    })),
  );
}

export function numberRows(ids: Ids, now: number): (typeof phoneNumbers.$inferInsert)[] {
  return entriesOf<DemoUserName, DemoUser>(DEMO_USERS).map(([name, { phone, isUnproven = false }]) => ({
    number: phone,
    userId: ids.users[name],
    provenAt: isUnproven ? null : now,
  }));
}

export function settingsRows(ids: Ids): (typeof noticeSettings.$inferInsert)[] {
  return entriesOf<DemoUserName, DemoUser>(DEMO_USERS).flatMap(([name, { settings }]) => {
    if (!settings) return [];
    const { quiet_from: quietFrom, quiet_to: quietTo, ...channels } = settings;
    return [{ userId: ids.users[name], ...channels, quietFrom, quietTo }];
  });
}

export function communityRows(ids: Ids, now: number): (typeof communities.$inferInsert)[] {
  return DEMO_COMMUNITY_ENTRIES.map(
    ([key, { name, description, language, admin, ageMs, pendingName, closesInMs }]) => ({
      id: ids.communities[key],
      name,
      description,
      ...(pendingName !== undefined && { pendingName, pendingNameBy: ids.users[admin], pendingNameAt: now }),
      ...(closesInMs !== undefined && { closesAt: now + closesInMs }),
      searchText: communitySearchText({ name, description }),
      communityCode: newCommunityCode(),
      accessCode: newAccessCode(),
      approvalStatus: 1,
      creatorId: ids.users[admin],
      creatorLanguage: language,
      createdAt: now - ageMs,
    }),
  );
}

export function membershipRows(ids: Ids, now: number): (typeof memberships.$inferInsert)[] {
  return DEMO_COMMUNITY_ENTRIES.flatMap(([key, { admin, members, ageMs }]) =>
    [admin, ...members].map((name) => ({
      communityId: ids.communities[key],
      userId: ids.users[name],
      role: name === admin ? ('admin' as const) : ('member' as const),
      joinedAt: now - ageMs,
    })),
  );
}

export function joinRequestRows(ids: Ids, now: number): (typeof joinRequests.$inferInsert)[] {
  return DEMO_COMMUNITY_ENTRIES.flatMap(([key, { requests = [] }]) =>
    requests.map(({ by, message }) => ({
      id: newId(),
      communityId: ids.communities[key],
      userId: ids.users[by],
      message,
      createdAt: now,
    })),
  );
}

function suspendedFor(name: DemoUserName): string | null {
  const user: DemoUser = DEMO_USERS[name];
  return user.suspendedFor ?? null;
}

/**
 * Returns the rows of the demo blocks. A block's `name`, by which the blocker recognises the blocked person, is the
 * title of this person's first post.
 */
export function blockRows(ids: Ids, now: number): (typeof blocks.$inferInsert)[] {
  return DEMO_BLOCKS.map(([blocker, blocked]) => ({
    blockerId: ids.users[blocker],
    blockedId: ids.users[blocked],
    id: newId(),
    name: DEMO_POSTS.find(({ author }) => author === blocked)?.title ?? '',
    createdAt: now,
  }));
}

/** Returns the log entries of suspensions, with the demo admin as the actor. */
export function logRows(ids: Ids, now: number): (typeof moderationLog.$inferInsert)[] {
  return entriesOf<DemoUserName, DemoUser>(DEMO_USERS)
    .filter(([name]) => suspendedFor(name) !== null)
    .map(([name, user]) => ({
      id: newId(),
      actorId: ids.users.admin,
      action: 'suspend',
      targetType: 'user',
      targetId: ids.users[name],
      reason: user.suspendedFor ?? null,
      createdAt: now,
    }));
}

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
    // In its first run, the Worker's clean-up job (sweep) matches these posts, so that users see matches.
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

/** Returns the rows of the reports on a post and of the decision on them. */
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
