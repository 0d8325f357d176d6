import type { TFunction } from 'i18next';
import type { LiveMessage } from '#contract/live-messages.ts';
import {
  claimPath,
  communityMembersPath,
  communityPath,
  deskPath,
  paths,
  postPath,
  runCommunityPath,
} from '#web/lib/paths.ts';

/** What is told beside matches: how something of the reader's was decided, or what waits for them to decide. */
export type News = Exclude<LiveMessage, { type: 'matching_post' | 'password_changed' }>;

const TITLES = {
  community_approved: 'approvedTitle',
  community_rejected: 'rejectedTitle',
  community_suspended: 'communitySuspendedTitle',
  community_reinstated: 'communityReinstatedTitle',
  post_hidden: 'hiddenTitle',
  post_restored: 'restoredTitle',
  still_looking: 'stillLookingTitle',
  account_suspended: 'suspendedTitle',
  account_reinstated: 'reinstatedTitle',
  reports_waiting: 'reportsTitle',
  claim_received: 'claimReceivedTitle',
  claim_asked: 'claimAskedTitle',
  claim_replied: 'claimRepliedTitle',
  claim_accepted: 'claimAcceptedTitle',
  claim_declined: 'claimDeclinedTitle',
  claim_withdrawn: 'claimWithdrawnTitle',
  claim_closed: 'claimClosedTitle',
  claim_paused: 'claimPausedTitle',
  handed_over: 'handedOverTitle',
  community_without_admin: 'noAdminTitle',
  community_closing: 'closingTitle',
  community_reopened: 'reopenedTitle',
  join_request: 'joinRequestTitle',
  join_accepted: 'joinAcceptedTitle',
} as const satisfies Record<News['type'], string>;

/** A community that has a name already keeps it, whatever becomes of the new one. */
const RENAMING_TITLES = { community_approved: 'renamedTitle', community_rejected: 'notRenamedTitle' } as const;

export function titleOf(message: News, t: TFunction<'notices'>): string {
  return t('former_name' in message ? RENAMING_TITLES[message.type] : TITLES[message.type]);
}

/** Each says when its community closes, and why it is suspended. */
const PLACES_OF_COMMUNITY = [communityPath, runCommunityPath, deskPath];

/** Whether the page at the path shows what the message tells: it need not come between. A hand-over has its confetti first. */
export function isToldAt(pathname: string, message: LiveMessage): boolean {
  if (message.type === 'community_closing' || message.type === 'community_suspended')
    return PLACES_OF_COMMUNITY.some((place) => place(message.community_id) === pathname);
  return 'claim_id' in message && message.type !== 'handed_over' && claimPath(message.claim_id) === pathname;
}

/** Where the reader can go on from here; null where there is nothing left. */
export function nextPlace(message: News, t: TFunction<'notices'>): { to: string; label: string } | null {
  switch (message.type) {
    case 'community_approved':
    case 'community_suspended':
    case 'community_reinstated':
      return { to: runCommunityPath(message.community_id), label: t('openCommunity') };
    case 'community_closing':
    case 'community_reopened':
    case 'join_accepted':
      return { to: communityPath(message.community_id), label: t('openCommunity') };
    case 'join_request':
      return { to: communityMembersPath(message.community_id), label: t('openRequests') };
    case 'community_without_admin':
      return { to: appointPath(message.name), label: t('openAdministration') };
    case 'community_rejected':
    case 'account_suspended':
    case 'account_reinstated':
      return null;
    case 'claim_received':
    case 'claim_asked':
    case 'claim_replied':
    case 'claim_accepted':
    case 'claim_declined':
    case 'claim_withdrawn':
    case 'claim_closed':
    case 'claim_paused':
    case 'handed_over':
      return { to: claimPath(message.claim_id), label: t('openClaim') };
    case 'reports_waiting':
      return { to: `${paths.admin}?tab=reports`, label: t('openReports') };
    default:
      return { to: postPath(message.post_id), label: t('openPost') };
  }
}

/** Among the approved ones, where one of its members can be made its admin. */
function appointPath(name: string): string {
  return `${paths.admin}?${new URLSearchParams({ tab: 'approved', search: name })}`;
}
