import type { QueryKey } from '@tanstack/react-query';
import type { PostedBy, PostKind } from '#contract/kinds.ts';

/** The filter of a list of posts. A null, empty or false field filters nothing. */
export type PostFilter = {
  search: string;
  communityCode: string | null;
  postedBy: PostedBy | null;
  kind: PostKind | null;
  place: string;
  /** Only posts from the last 1, 7 or 30 days. Today counts as one of these days. */
  days: 1 | 7 | 30 | null;
  /** Omits returned posts. */
  isOpenOnly: boolean;
  /** Only posts that contain the search's own words, not words with the same meaning. */
  isExact: boolean;
};
/** The viewer's user id, null for a visitor. Part of each query key of posts: no account may see another's data. */
export type ViewerId = string | null;

/**
 * All query keys of the app. Each contains everything that the response depends on. A group's `all` matches all its
 * keys, so that they can be marked as stale together.
 */
export const queryKeys = {
  me: ['me'],
  numberProof: (id: string) => ['number-proof', id] as const,
  notices: ['notices'],
  blocks: ['blocks'],
  devices: ['devices'],
  pushKey: ['push-key'],
  noticeSettings: ['notice-settings'],
  emailConfirmation: (token: string) => ['email-confirmation', token] as const,
  posts: {
    all: ['posts'],
    list: (viewerId: ViewerId, filter: PostFilter) => ['posts', 'list', viewerId, filter] as const,
    own: (viewerId: ViewerId) => ['posts', 'own', viewerId] as const,
    one: (viewerId: ViewerId, postId: string) => ['posts', 'one', viewerId, postId] as const,
    today: ['posts', 'today'],
    todayAt: (viewerId: ViewerId, code: string) => ['posts', 'today', viewerId, code] as const,
    latestOf: (viewerId: ViewerId, code: string) => ['posts', 'latest', viewerId, code] as const,
  },
  claims: {
    all: ['claims'],
    list: ['claims', 'list'],
    one: (id: string) => ['claims', 'one', id] as const,
  },
  matches: {
    all: ['matches'],
    counts: ['matches', 'counts'],
    ofPosts: ['matches', 'of'],
    ofPost: (postId: string) => ['matches', 'of', postId] as const,
  },
  communities: {
    all: ['communities'],
    own: (search: string) => ['communities', 'own', search] as const,
    one: (id: string) => ['communities', 'one', id] as const,
    stats: (id: string) => ['communities', 'stats', id] as const,
    members: (id: string) => ['communities', 'members', id] as const,
    joinRequests: (id: string) => ['communities', 'join-requests', id] as const,
    listed: (search: string) => ['communities', 'listed', search] as const,
  },
  admin: {
    all: ['admin'],
    allCommunities: ['admin', 'communities'],
    communities: (status: string, search: string) => ['admin', 'communities', status, search] as const,
    members: (id: string) => ['admin', 'members', id] as const,
    admins: ['admin', 'admins'],
    allFeedback: ['admin', 'feedback'],
    feedback: (state: string) => ['admin', 'feedback', state] as const,
    passkeys: ['admin', 'passkeys'],
    search: (q: string) => ['admin', 'search', q] as const,
    person: (id: string) => ['admin', 'person', id] as const,
    post: (id: string) => ['admin', 'post', id] as const,
    allLog: ['admin', 'log'],
    log: (filter: string) => ['admin', 'log', filter] as const,
    week: ['admin', 'week'],
    switches: ['admin', 'switches'],
    reports: (status: string) => ['admin', 'reports', status] as const,
  },
} as const;

export function isOfPosts([noun]: QueryKey): boolean {
  return noun === queryKeys.posts.all[0];
}

/** Returns the viewer's id, which is a part of every query key of posts. */
export function viewerOf([, , viewerId]: QueryKey): unknown {
  return viewerId;
}
