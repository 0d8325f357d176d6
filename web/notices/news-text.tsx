import { useTranslation } from 'react-i18next';
import type { ClaimNewsMessage, CommunityDecisionMessage } from '#contract/live-messages.ts';
import { formatDate } from '#web/lib/format.ts';
import { HidingText } from '#web/ui/hiding-text.tsx';
import type { News } from './news.ts';

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

/** Of the community itself, or of the new name of one that has a name already. */
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
