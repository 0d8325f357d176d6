import { hashPassword } from '#worker/accounts/password.ts';
import { newAccessCode, newCommunityCode } from '#worker/communities/codes.ts';
import { communitySearchText } from '#worker/communities/community-rules.ts';
import type {
  blocks,
  communities,
  joinRequests,
  memberships,
  moderationLog,
  noticeSettings,
  phoneNumbers,
  users,
} from '#worker/db/schema.ts';
import { emailKey } from '#worker/identity/email-key.ts';
import { newId } from '#worker/identity/ids.ts';
import {
  DEMO_BLOCKS,
  DEMO_COMMUNITIES,
  DEMO_USERS,
  type DemoCommunity,
  type DemoCommunityName,
  type DemoUser,
  type DemoUserName,
} from './demo-people.ts';
import { DEMO_POSTS } from './demo-posts.ts';

export type Ids = {
  users: Record<DemoUserName, string>;
  communities: Record<DemoCommunityName, string>;
  /** @throws Error if no post has the name. */
  postNamed: (name: string) => string;
};

function entriesOf<Name extends string, Value>(things: Record<Name, Value>): [Name, Value][] {
  return Object.entries(things) as [Name, Value][];
}

const DEMO_COMMUNITY_ENTRIES = entriesOf<DemoCommunityName, DemoCommunity>(DEMO_COMMUNITIES);

/** @param origin the app's origin, for the links in their e-mails. */
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

export function suspendedFor(name: DemoUserName): string | null {
  const user: DemoUser = DEMO_USERS[name];
  return user.suspendedFor ?? null;
}

/** Blocks, as if made at the blocked person's first post. */
export function blockRows(ids: Ids, now: number): (typeof blocks.$inferInsert)[] {
  return DEMO_BLOCKS.map(([blocker, blocked]) => ({
    blockerId: ids.users[blocker],
    blockedId: ids.users[blocked],
    id: newId(),
    name: DEMO_POSTS.find(({ author }) => author === blocked)?.title ?? '',
    createdAt: now,
  }));
}

/** The log entries of suspensions, which the admin has made. */
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
