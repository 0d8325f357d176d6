import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { useTranslation } from 'react-i18next';
import type { AdminCommunity } from '#contract/admin.ts';
import { SEARCH_MAX_CHARS } from '#contract/limits.ts';
import { AdminQueryState } from '#web/admin/admin-query-state.tsx';
import {
  adminCommunitiesQuery,
  approveCommunity,
  reinstateCommunity,
  rejectCommunity,
  type Status,
} from '#web/admin/api.ts';
import { Person } from '#web/admin/people/look-up.tsx';
import { SuspendDialog } from '#web/admin/suspend-dialog.tsx';
import { useDecision } from '#web/admin/use-decision.ts';
import { rowsOf } from '#web/api/queries.ts';
import { queryKeys } from '#web/api/query-keys.ts';
import { useTypedParam } from '#web/lib/address.ts';
import { formatDate, formatDateTime, formatNumber } from '#web/lib/format.ts';
import { Button, LinkButton } from '#web/ui/button.tsx';
import { SearchField } from '#web/ui/choice-fields.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { ReasonDialog } from '#web/ui/reason-dialog.tsx';
import { AppointAdmin } from './appoint-admin.tsx';

/** Lists and searches the communities of one status. Here an admin approves or rejects communities and new names. */
export function CommunityDecisions({ status }: { status: Status }) {
  const { t } = useTranslation('admin');
  const { settled, typed, setTyped } = useTypedParam('search');
  const search = settled.trim();
  const [rejecting, setRejecting] = useState<AdminCommunity | null>(null);
  const region = useRef<HTMLElement>(null);
  const list = useInfiniteQuery({
    ...adminCommunitiesQuery(status, search),
    placeholderData: keepPreviousData,
    // Refetched on every visit: another admin may have decided.
    staleTime: 0,
  });
  const communities = rowsOf(list.data);
  const empty = search ? t('noneMatch') : status === 'pending' ? t('nonePending') : t('noneApproved');

  /**
   * Moves the focus, because the buttons for the decision are removed. Closes the dialog first: an element behind an
   * open dialog cannot take the focus.
   */
  function onDecided() {
    flushSync(() => setRejecting(null));
    region.current?.focus();
  }

  return (
    <section ref={region} tabIndex={-1} aria-label={t(`parts.${status}`)} className="grid gap-4 outline-none">
      <SearchField
        label={t('search')}
        clearLabel={t('clearSearch')}
        maxLength={SEARCH_MAX_CHARS}
        value={typed}
        onChange={setTyped}
      />
      <AdminQueryState query={list} empty={communities.length === 0 && <EmptyState icon="check" title={empty} />}>
        {() => (
          <ul className="grid gap-3" aria-busy={list.isPlaceholderData}>
            {communities.map((community) => (
              <DecisionCard
                key={community.id}
                community={community}
                onApproved={onDecided}
                onReject={() => setRejecting(community)}
              />
            ))}
          </ul>
        )}
      </AdminQueryState>
      {rejecting && <RejectDialog community={rejecting} onRejected={onDecided} onClose={() => setRejecting(null)} />}
    </section>
  );
}

type DecisionCardProps = { community: AdminCommunity; onApproved: () => void; onReject: () => void };

/** A community with the details needed to decide on it, or on its new name. */
function DecisionCard({ community, onApproved, onReject }: DecisionCardProps) {
  const { t } = useTranslation('admin');
  const { name, description, approval_status, pending_name, closes_at } = community;
  const isOpen = approval_status === 1;
  return (
    <li className="card grid gap-3">
      <div className="grid gap-1">
        <h2 dir="auto" className="break-words">
          {name}
        </h2>
        {pending_name !== null && (
          <p className="wrap-anywhere font-semibold">{t('community.newName', { name: pending_name })}</p>
        )}
        <p className="text-muted text-sm">
          {t('createdBy', { username: community.creator_username, date: formatDate(community.created_at) })}
        </p>
        {isOpen && (
          <p className="text-muted text-sm">{t('memberCount', { members: formatNumber(community.member_count) })}</p>
        )}
        {closes_at !== null && <p className="text-lost">{t('community.closesOn', { date: formatDate(closes_at) })}</p>}
      </div>
      {description ? (
        <p dir="auto" className="whitespace-pre-line break-words">
          {description}
        </p>
      ) : (
        !isOpen && <p className="text-muted">{t('community.noDescription')}</p>
      )}
      {!community.has_admin && <AppointAdmin community={community} />}
      {(!isOpen || pending_name !== null) && <Decision {...{ community, onApproved, onReject }} />}
      {isOpen && <Suspension community={community} />}
    </li>
  );
}

function Decision({ community, onApproved, onReject }: DecisionCardProps) {
  const { t } = useTranslation('admin');
  const { name, pending_name } = community;
  const approval = useDecision({
    decide: approveCommunity,
    doneText:
      pending_name === null ? t('approvedToast', { name }) : t('community.renamedToast', { name: pending_name }),
    stale: [queryKeys.admin.allCommunities, queryKeys.communities.all],
    onDone: onApproved,
  });
  return (
    <>
      <CommunityAsker community={community} />
      <div className="flex flex-wrap gap-2">
        <Button icon="check" isBusy={approval.isPending} onClick={() => approval.mutate(community)}>
          {t(pending_name === null ? 'approve' : 'community.approveName')}
        </Button>
        <Button look="secondary" icon="close" isLocked={approval.isPending} onClick={onReject}>
          {t(pending_name === null ? 'reject' : 'community.rejectName')}
        </Button>
      </div>
    </>
  );
}

/**
 * A button that suspends the community. If the community is suspended, shows since when and why, and a button that
 * reinstates it.
 */
function Suspension({ community: { id, name, suspended_at, suspension_reason } }: { community: AdminCommunity }) {
  const { t } = useTranslation('admin');
  const [isAsking, setIsAsking] = useState(false);
  const reinstating = useDecision({
    decide: reinstateCommunity,
    doneText: t('community.reinstatedToast', { name }),
    stale: [queryKeys.admin.all, queryKeys.posts.all, queryKeys.communities.all],
  });
  const isSuspended = suspended_at !== null;
  return (
    <>
      {isSuspended && (
        <div className="grid gap-1">
          <p className="text-lost">{t('community.suspendedSince', { time: formatDateTime(suspended_at) })}</p>
          <p dir="auto" className="wrap-anywhere whitespace-pre-line">
            {t('suspendedBecause', { reason: suspension_reason ?? '' })}
          </p>
        </div>
      )}
      {/* One button for both actions, so that the focus stays on it. */}
      <Button
        look={isSuspended ? 'primary' : 'secondary'}
        className={`justify-self-start ${isSuspended ? '' : 'text-danger'}`}
        aria-label={t(isSuspended ? 'community.reinstateNamed' : 'community.suspendNamed', { name })}
        isBusy={reinstating.isPending}
        onClick={() => (isSuspended ? reinstating.mutate(id) : setIsAsking(true))}
      >
        {t(isSuspended ? 'community.reinstate' : 'suspend')}
      </Button>
      {isAsking && <SuspendDialog kind="community" id={id} name={name} onClose={() => setIsAsking(false)} />}
    </>
  );
}

/** The person who requested the community or its new name, with their history, phone number and rejected requests. */
function CommunityAsker({ community }: { community: AdminCommunity }) {
  const { t } = useTranslation('admin');
  const { asker, asker_whatsapp_number: number, earlier_rejections: rejections } = community;
  return (
    <div className="grid gap-3 text-sm">
      <Person role={t('community.asker')} person={asker} />
      {number === null ? (
        <p className="text-muted">{t('community.noNumber')}</p>
      ) : (
        <LinkButton look="secondary" icon="phone" className="justify-self-start" href={`tel:${number}`}>
          {t('community.call', { number })}
        </LinkButton>
      )}
      {rejections.length > 0 && (
        <section className="grid gap-2">
          <h3 className="font-semibold">{t('community.rejectedBefore')}</h3>
          <ul className="grid gap-2">
            {rejections.map(({ name, reason, rejected_at }) => (
              <li key={rejected_at} className="border-line border-l-2 pl-3">
                <p className="wrap-anywhere text-muted">
                  {t('community.rejection', { name, date: formatDate(rejected_at) })}
                </p>
                <p dir="auto" className="wrap-anywhere whitespace-pre-line">
                  {reason}
                </p>
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  );
}

type RejectDialogProps = { community: AdminCommunity; onRejected: () => void; onClose: () => void };

/**
 * Asks why the admin rejects the community or its new name. The person who requested the community or the name reads
 * the reason word for word.
 */
function RejectDialog({ community, onRejected, onClose }: RejectDialogProps) {
  const { t } = useTranslation('admin');
  // The admin may be rejecting only a new name. The community then keeps its current name and stays open.
  const isOfName = community.pending_name !== null;
  const name = community.pending_name ?? community.name;
  const rejection = useDecision({
    decide: rejectCommunity,
    doneText: t(isOfName ? 'community.nameRejectedToast' : 'rejectedToast', { name }),
    stale: [queryKeys.admin.allCommunities, queryKeys.communities.all],
    onDone: onRejected,
    isInDialog: true,
  });
  return (
    <ReasonDialog
      title={t(isOfName ? 'community.rejectNameTitle' : 'rejectTitle', { name })}
      text={t(isOfName ? 'community.rejectNameText' : 'rejectText')}
      label={t('reason')}
      hint={t('reasonHint')}
      action={t('reject')}
      saving={rejection}
      failed={t('failed')}
      onSubmit={(reason) => rejection.mutate({ id: community.id, reason })}
      onClose={onClose}
    />
  );
}
