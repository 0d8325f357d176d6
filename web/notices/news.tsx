import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import type { ClaimNewsMessage, CommunityDecisionMessage, LiveMessage } from '#contract/live-messages.ts';
import { formatDate } from '#web/lib/format.ts';
import {
  claimPath,
  communityMembersPath,
  communityPath,
  deskPath,
  paths,
  postPath,
  runCommunityPath,
} from '#web/lib/paths.ts';
import { HidingText } from '#web/posts/post/hiding-text.tsx';

const CLAIM_TEXTS = {
  claim_received: 'claimReceivedText',
  claim_asked: 'claimAskedText',
  claim_replied: 'claimRepliedText',
  claim_accepted: 'claimAcceptedText',
  claim_declined: 'claimDeclinedText',
  claim_withdrawn: 'claimWithdrawnText',
  claim_closed: 'claimClosedText',
  claim_paused: 'claimPausedText',
  handed_over: 'handedOverText',
} as const satisfies Record<ClaimNewsMessage['type'], string>;

export function NewsText({ message }: { message: News }) {
  const { t } = useTranslation('notices');
  switch (message.type) {
    case 'post_hidden':
      return (
        <div className="grid gap-2">
          <PostTitle title={message.title} />
          <HidingText by={message.hidden_by ?? 'admin'} reason={message.reason} />
        </div>
      );
    case 'post_restored':
      return (
        <div className="grid gap-2">
          <PostTitle title={message.title} />
          <p>{t('restoredText')}</p>
        </div>
      );
    case 'still_looking':
      return (
        <div className="grid gap-2">
          <PostTitle title={message.title} />
          <p>{t('stillLookingText')}</p>
        </div>
      );
    case 'reports_waiting':
      return <p>{t(message.is_overdue ? 'reportsOverdue' : 'reportsWaiting', { count: message.waiting })}</p>;
    case 'community_without_admin':
      return <p className="wrap-anywhere">{t('noAdminText', { name: message.name })}</p>;
    case 'community_closing':
      return (
        <p className="wrap-anywhere">
          {t('closingText', { name: message.name, date: formatDate(message.closes_at ?? message.created_at) })}
        </p>
      );
    case 'community_reopened':
      return <p className="wrap-anywhere">{t('reopenedText', { name: message.name })}</p>;
    case 'join_request':
      return <p className="wrap-anywhere">{t('joinRequestText', { name: message.name })}</p>;
    case 'join_accepted':
      return <p className="wrap-anywhere">{t('joinAcceptedText', { name: message.name })}</p>;
    case 'community_suspended':
    case 'community_reinstated':
      return (
        <div className="wrap-anywhere grid gap-2">
          <p>
            {t(message.type === 'community_suspended' ? 'communitySuspendedText' : 'communityReinstatedText', {
              name: message.name,
            })}
          </p>
          {message.reason && <p className="whitespace-pre-line">{t('rejectedReason', { reason: message.reason })}</p>}
        </div>
      );
    case 'account_suspended':
    case 'account_reinstated':
      return (
        <div className="wrap-anywhere grid gap-2">
          <p>{t(message.type === 'account_suspended' ? 'suspendedText' : 'reinstatedText')}</p>
          {message.reason && <p className="whitespace-pre-line">{t('rejectedReason', { reason: message.reason })}</p>}
        </div>
      );
    case 'community_approved':
    case 'community_rejected':
      return <CommunityDecision message={message} />;
    default:
      return (
        <div className="grid gap-2">
          {message.title && <PostTitle title={message.title} />}
          <p>{t(CLAIM_TEXTS[message.type])}</p>
        </div>
      );
  }
}

/** The decision on a new community, or on the new name of an existing one. */
function CommunityDecision({ message: { type, name, former_name, reason } }: { message: CommunityDecisionMessage }) {
  const { t } = useTranslation('notices');
  const isApproved = type === 'community_approved';
  return (
    <div className="wrap-anywhere grid gap-2">
      <p>
        {former_name === undefined
          ? t(isApproved ? 'approvedText' : 'rejectedText', { name })
          : t(isApproved ? 'renamedText' : 'notRenamedText', { name, former: former_name })}
      </p>
      {reason && <p className="whitespace-pre-line">{t('rejectedReason', { reason })}</p>}
    </div>
  );
}

function PostTitle({ title }: { title: string }) {
  return (
    <p dir="auto" className="wrap-anywhere font-semibold">
      {title}
    </p>
  );
}

/** All notices except matches and password changes: decisions, and requests that wait for the user. */
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

/** Titles for decisions on a new name of an existing community. */
const RENAMING_TITLES = { community_approved: 'renamedTitle', community_rejected: 'notRenamedTitle' } as const;

export function titleOf(message: News, t: TFunction<'notices'>): string {
  return t('former_name' in message ? RENAMING_TITLES[message.type] : TITLES[message.type]);
}

/**
 * The pages of a community. If the community is suspended or closing, a banner on these pages says so. The notice of
 * the suspension or closing then opens no modal there.
 */
const PLACES_OF_COMMUNITY = [communityPath, runCommunityPath, deskPath];

/**
 * Whether the page at the path already shows what the notice says, so that the notice needs no modal. The notice of a
 * hand-over always opens a modal, because the modal shows confetti.
 */
export function isToldAt(pathname: string, message: LiveMessage): boolean {
  if (message.type === 'community_closing' || message.type === 'community_suspended')
    return PLACES_OF_COMMUNITY.some((place) => place(message.community_id) === pathname);
  return 'claim_id' in message && message.type !== 'handed_over' && claimPath(message.claim_id) === pathname;
}

/** Returns the link to the user's next step, or null if there is none. */
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

/** Returns the address at which a platform admin finds the community and can appoint an admin for it. */
function appointPath(name: string): string {
  return `${paths.admin}?${new URLSearchParams({ tab: 'approved', search: name })}`;
}
