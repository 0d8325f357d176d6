import type { BatchItem } from 'drizzle-orm/batch';
import { type DrizzleD1Database, drizzle } from 'drizzle-orm/d1';
import type { PostInput } from '#contract/posts.ts';
import { hashPassword } from '#worker/accounts/password.ts';
import { newAccessCode, newCommunityCode } from '#worker/communities/codes.ts';
import { communitySearchText } from '#worker/communities/community-rules.ts';
import {
  blocks,
  communities,
  memberships,
  moderationCases,
  moderationLog,
  phoneNumbers,
  postReports,
  posts,
  users,
} from '#worker/db/schema.ts';
import { emailKey } from '#worker/identity/email-key.ts';
import { newId } from '#worker/identity/ids.ts';
import { searchTextsOf } from '#worker/posts/search-texts.ts';
import { HIDING_BITS } from '#worker/posts/visibility.ts';
import {
  DEMO_BLOCKS,
  DEMO_COMMUNITIES,
  DEMO_POSTS,
  DEMO_USERS,
  type DemoCommunityName,
  type DemoPost,
  type DemoUser,
  type DemoUserName,
} from './demo-data.ts';
import type { LocalDatabase } from './local-database.ts';

type Ids = { users: Record<DemoUserName, string>; communities: Record<DemoCommunityName, string> };

export async function hasUsers(db: LocalDatabase): Promise<boolean> {
  return (await db.prepare('SELECT 1 FROM users LIMIT 1').first()) !== null;
}

/** Whether the demo sign-ins open this database. */
export async function hasDemoUsers(db: LocalDatabase): Promise<boolean> {
  const query = db.prepare('SELECT 1 FROM users WHERE email_key = ?').bind(emailKey(DEMO_USERS.neema.email));
  return (await query.first()) !== null;
}

/** Writes the demo data in one transaction, in the Worker's own tables and with its own rules. */
export async function seed(local: LocalDatabase, now = Date.now()): Promise<void> {
  const db = drizzle(local);
  const ids: Ids = { users: newIds(DEMO_USERS), communities: newIds(DEMO_COMMUNITIES) };
  const statements: BatchItem<'sqlite'>[] = [
    ...(await userRows(ids, now)).map((row) => db.insert(users).values(row)),
    ...numberRows(ids, now).map((row) => db.insert(phoneNumbers).values(row)),
    ...communityRows(ids, now).map((row) => db.insert(communities).values(row)),
    ...membershipRows(ids, now).map((row) => db.insert(memberships).values(row)),
    ...DEMO_POSTS.flatMap((post) => {
      const row = postRow(post, ids, now);
      return [db.insert(posts).values(row), ...moderationRows(db, { post, row, ids, now })];
    }),
    ...blockRows(ids, now).map((row) => db.insert(blocks).values(row)),
    ...logRows(ids, now).map((row) => db.insert(moderationLog).values(row)),
  ];
  await db.batch(statements as [BatchItem<'sqlite'>, ...BatchItem<'sqlite'>[]]);
}

function newIds<Name extends string>(things: Record<Name, unknown>): Record<Name, string> {
  return Object.fromEntries(Object.keys(things).map((name) => [name, newId()])) as Record<Name, string>;
}

function entriesOf<Name extends string, Value>(things: Record<Name, Value>): [Name, Value][] {
  return Object.entries(things) as [Name, Value][];
}

function userRows(ids: Ids, now: number): Promise<(typeof users.$inferInsert)[]> {
  return Promise.all(
    entriesOf<DemoUserName, DemoUser>(DEMO_USERS).map(async ([name, user]) => ({
      id: ids.users[name],
      username: user.username,
      email: user.email,
      emailKey: emailKey(user.email),
      formerNumber: ids.users[name],
      language: 'sw' as const,
      passwordHash: await hashPassword(user.password),
      isPlatformAdmin: user.isPlatformAdmin ?? false,
      suspendedAt: user.suspendedFor ? now : null,
      suspensionReason: user.suspendedFor ?? null,
      createdAt: now,
    })),
  );
}

function numberRows(ids: Ids, now: number): (typeof phoneNumbers.$inferInsert)[] {
  return entriesOf<DemoUserName, DemoUser>(DEMO_USERS).map(([name, { phone, isUnproven = false }]) => ({
    number: phone,
    userId: ids.users[name],
    provenAt: isUnproven ? null : now,
  }));
}

function communityRows(ids: Ids, now: number): (typeof communities.$inferInsert)[] {
  return entriesOf(DEMO_COMMUNITIES).map(([key, { name, description, language, admin, ageMs }]) => ({
    id: ids.communities[key],
    name,
    description,
    searchText: communitySearchText({ name, description }),
    communityCode: newCommunityCode(),
    accessCode: newAccessCode(),
    approvalStatus: 1,
    creatorId: ids.users[admin],
    creatorLanguage: language,
    createdAt: now - ageMs,
  }));
}

function membershipRows(ids: Ids, now: number): (typeof memberships.$inferInsert)[] {
  return entriesOf(DEMO_COMMUNITIES).flatMap(([key, { admin, members, ageMs }]) =>
    [admin, ...members].map((name) => ({
      communityId: ids.communities[key],
      userId: ids.users[name],
      role: name === admin ? ('admin' as const) : ('member' as const),
      joinedAt: now - ageMs,
    })),
  );
}

function suspendedFor(name: DemoUserName): string | null {
  const user: DemoUser = DEMO_USERS[name];
  return user.suspendedFor ?? null;
}

/** At the blocked person's first post. */
function blockRows(ids: Ids, now: number): (typeof blocks.$inferInsert)[] {
  return DEMO_BLOCKS.map(([blocker, blocked]) => ({
    blockerId: ids.users[blocker],
    blockedId: ids.users[blocked],
    id: newId(),
    name: DEMO_POSTS.find(({ author }) => author === blocked)?.title ?? '',
    createdAt: now,
  }));
}

/** Who is suspended, was by the admin. */
function logRows(ids: Ids, now: number): (typeof moderationLog.$inferInsert)[] {
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

function postRow(post: DemoPost, ids: Ids, now: number): typeof posts.$inferInsert {
  const { author, community, ageMs, isFound = false, reports: _reports, hiddenFor, ...text } = post;
  const input: PostInput = { ...text, phone_number: DEMO_USERS[author].phone, community_code: null };
  const communityId = community ? ids.communities[community] : null;
  const texts = searchTextsOf(input, post.kind, communityId);
  const createdAt = now - ageMs;
  const isSuspended = suspendedFor(author) !== null;
  return {
    id: newId(),
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
    onBehalf: input.on_behalf === true,
    isFound,
    searchText: texts.search_text,
    readerText: texts.reader_text,
    visitorText: texts.visitor_text,
    createdAt,
    // The first sweep finds the pairs, so that somebody who signs in sees what a match looks like.
    matchPendingSince: isFound || hiddenFor || isSuspended ? null : createdAt,
    hiddenBy: (hiddenFor ? HIDING_BITS.admin : 0) | (isSuspended ? HIDING_BITS.suspension : 0),
    hiddenReason: hiddenFor ?? null,
  };
}

type Reported = { post: DemoPost; row: typeof posts.$inferInsert; ids: Ids; now: number };

/** What the post was reported for, and how that was decided. */
function moderationRows(db: DrizzleD1Database, { post, row, ids, now }: Reported): BatchItem<'sqlite'>[] {
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
