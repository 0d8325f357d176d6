import { useInfiniteQuery } from '@tanstack/react-query';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { useTranslation } from 'react-i18next';
import type { CommunityMember, CommunityPage, JoinRequest } from '#contract/communities.ts';
import { USERNAME_MAX_CHARS } from '#contract/limits.ts';
import { failureText } from '#web/api/client.ts';
import { rowsOf } from '#web/api/queries.ts';
import { queryKeys } from '#web/api/query-keys.ts';
import { answerJoinRequest, type JoinAnswer, joinRequestsQuery, membersQuery } from '#web/communities/api.ts';
import { RoleBadge } from '#web/communities/list/community-card.tsx';
import { formatAge, formatDate } from '#web/lib/format.ts';
import { useAction } from '#web/ui/action.ts';
import { Banner } from '#web/ui/banner.tsx';
import { Button } from '#web/ui/button.tsx';
import { SearchField } from '#web/ui/choice-fields.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { QueryState } from '#web/ui/query-state.tsx';
import { MemberDialog } from './member-dialog.tsx';

const SKELETON_ROWS = ['a', 'b', 'c', 'd', 'e'];

/** The requests to join and the list of members, with the admins' actions. */
export function Members({ community }: { community: CommunityPage }) {
  const [managed, setManaged] = useState<CommunityMember | null>(null);
  const region = useRef<HTMLDivElement>(null);
  return (
    <div ref={region} tabIndex={-1} className="grid gap-5 outline-none">
      <JoinRequests community={community} />
      <SearchedMembers communityId={community.id} onManage={setManaged} />
      {managed && (
        <MemberDialog
          community={community}
          member={managed}
          onClose={() => setManaged(null)}
          onRemoved={() => {
            flushSync(() => setManaged(null));
            // Moves the focus, because the row that opened the dialog is removed with the member.
            region.current?.focus();
          }}
        />
      )}
    </div>
  );
}

type Manage = (member: CommunityMember) => void;

function SearchedMembers({ communityId, onManage }: { communityId: string; onManage: Manage }) {
  const { t } = useTranslation(['community', 'communities']);
  const [typed, setTyped] = useState('');
  const search = typed.trim().toLowerCase();
  const list = useMembers(communityId, search !== '');
  const members = rowsOf(list.data);
  const shown = members.filter(({ username }) => username.toLowerCase().includes(search));
  const isUnsure = shown.length === 0 && list.hasNextPage;
  return (
    <div className="grid gap-4">
      <SearchField
        label={t('searchMembers')}
        clearLabel={t('communities:clearSearch')}
        maxLength={USERNAME_MAX_CHARS}
        value={typed}
        onChange={setTyped}
      />
      {/* Rendered from the start: a screen reader ignores a live region that appears together with its text. */}
      <p role="status" className="sr-only">
        {list.data && !isUnsure && t('membersShown', { count: shown.length })}
      </p>
      <QueryState query={list} failed={t('membersFailed')} skeleton={<MemberSkeletons />} more={t('moreMembers')}>
        {() =>
          isUnsure ? (
            !list.isFetchNextPageError && <MemberSkeletons />
          ) : (
            <MemberList members={shown} isSearching={search !== ''} onManage={onManage} />
          )
        }
      </QueryState>
    </div>
  );
}

/** @param wantsAll whether to load every page: a search must cover all members, not only the loaded ones. */
function useMembers(communityId: string, wantsAll: boolean) {
  const list = useInfiniteQuery(membersQuery(communityId));
  const { hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = list;
  useEffect(() => {
    if (wantsAll && hasNextPage && !isFetchingNextPage && !isFetchNextPageError) void fetchNextPage();
  }, [wantsAll, hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage]);
  return list;
}

type ListProps = { members: CommunityMember[]; isSearching: boolean; onManage: Manage };

function MemberList({ members, isSearching, onManage }: ListProps) {
  const { t } = useTranslation('community');
  if (members.length === 0) {
    return <EmptyState icon="users" title={isSearching ? t('noMembersMatch') : t('noMembers')} />;
  }
  return (
    <ul className="card divide-y divide-line p-0!">
      {members.map((member) => (
        <li key={member.user_id} className="grid grid-cols-[1fr_auto] items-center gap-2 py-3 pr-1 pl-4">
          <div className="flex min-w-0 flex-wrap items-center justify-between gap-x-4 gap-y-1">
            <div className="min-w-0">
              <p dir="auto" className="break-words font-semibold">
                {member.username}
              </p>
              <p className="text-muted text-sm">{t('joinedOn', { date: formatDate(member.joined_at) })}</p>
            </div>
            {/* Anyone who is not an admin is shown as a member (docs/product.md C3). */}
            <RoleBadge role={member.role === 'admin' ? 'admin' : 'member'} />
          </div>
          <button
            type="button"
            className="icon-button"
            aria-label={t('manage', { name: member.username })}
            onClick={() => onManage(member)}
          >
            <Icon name="edit" />
          </button>
        </li>
      ))}
    </ul>
  );
}

function MemberSkeletons() {
  const { t } = useTranslation(['community', 'communities']);
  return (
    <ul className="card divide-y divide-line p-0!" aria-busy="true" aria-label={t('loadingMembers')}>
      {SKELETON_ROWS.map((row) => (
        <li key={row} className="grid gap-2 px-4 py-3.5">
          <div className="skeleton h-5 w-40" />
          <div className="skeleton h-4 w-28" />
        </li>
      ))}
    </ul>
  );
}

/** The open requests to join, oldest first. Shows nothing if there are none. */
function JoinRequests({ community }: { community: CommunityPage }) {
  const { t } = useTranslation('community');
  const region = useRef<HTMLElement>(null);
  const list = useInfiniteQuery(joinRequestsQuery(community.id));
  const requests = rowsOf(list.data);
  return (
    <section
      ref={region}
      tabIndex={-1}
      aria-label={t('requests')}
      // `absolute` when empty: otherwise the grid would leave a gap for the empty section.
      className={`outline-none ${requests.length > 0 || list.isError ? 'grid gap-3' : 'absolute'}`}
    >
      {requests.length > 0 && <h2>{t('requests')}</h2>}
      {requests.length > 0 && community.is_suspended && <p>{t('requestsSuspended')}</p>}
      <QueryState query={list} failed={t('requestsFailed')} skeleton={null} more={t('moreRequests')}>
        {() => (
          <ul className="grid gap-3 empty:hidden">
            {requests.map((request) => (
              <Request key={request.user_id} community={community} request={request} region={region} />
            ))}
          </ul>
        )}
      </QueryState>
    </section>
  );
}

type Props = { community: CommunityPage; request: JoinRequest; region: RefObject<HTMLElement | null> };

/** @param region receives the focus after the admin's answer, because the request and its buttons are then removed. */
function Request({ community, request: { user_id: userId, username, message, created_at }, region }: Props) {
  const { t } = useTranslation('community');
  const onDone = () => region.current?.focus();
  const take = (answer: JoinAnswer) => answerJoinRequest(community.id, answer);
  const accepting = useAction({
    run: take,
    done: t('accepted', { name: username }),
    onDone,
    stale: [queryKeys.communities.all],
  });
  const declining = useAction({
    run: take,
    done: t('declined', { name: username }),
    onDone,
    stale: [queryKeys.communities.all],
  });
  const isBusy = [accepting, declining].some(({ isPending, isSuccess }) => isPending || isSuccess);
  const problem = accepting.error ?? declining.error;
  return (
    <li className="card grid gap-3">
      <div className="grid gap-1">
        <h3 dir="auto" className="wrap-anywhere font-semibold">
          {username}
        </h3>
        {message && (
          <p dir="auto" className="wrap-anywhere whitespace-pre-line">
            {message}
          </p>
        )}
        <p className="text-muted text-sm">{t('asked', { age: formatAge(created_at) })}</p>
      </div>
      {problem && <Banner tone="error">{failureText(problem, t('failed'), t('noAnswer'))}</Banner>}
      <div className="flex flex-wrap gap-2">
        {!community.is_suspended && (
          <Button icon="check" isBusy={isBusy} onClick={() => accepting.mutate({ userId, isAccepted: true })}>
            {t('accept')}
          </Button>
        )}
        <Button
          look="secondary"
          icon="close"
          isLocked={isBusy}
          onClick={() => declining.mutate({ userId, isAccepted: false })}
        >
          {t('decline')}
        </Button>
      </div>
    </li>
  );
}
