import { useInfiniteQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { useTranslation } from 'react-i18next';
import type { CommunityMember, CommunityPage } from '#contract/communities.ts';
import { USERNAME_MAX_CHARS } from '#contract/limits.ts';
import { withReference } from '#web/lib/api-client.ts';
import { formatDate } from '#web/lib/format.ts';
import { useFailure } from '#web/lib/use-failure.ts';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { LoadFailure } from '#web/ui/load-failure.tsx';
import { MoreButton } from '#web/ui/more-button.tsx';
import { SearchField } from '#web/ui/search-field.tsx';
import { membersQuery } from './api.ts';
import { RoleBadge } from './community-card.tsx';
import { JoinRequests } from './join-requests.tsx';
import { MemberDialog } from './member-dialog.tsx';

const SKELETON_ROWS = ['a', 'b', 'c', 'd', 'e'];

/** Who asks to join a community, who is in it, and what its admins do with both. */
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
            // The row that opened the dialog goes with the member.
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
  const failure = useFailure(list);
  if (failure) {
    return <LoadFailure title={withReference(t('membersFailed'), failure)} query={list} />;
  }
  const members = list.data?.pages.flatMap((page) => page.members) ?? [];
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
      {/* Here from the start: what comes into the page together with its text is not read out. */}
      <p role="status" className="sr-only">
        {list.data && !isUnsure && t('membersShown', { count: shown.length })}
      </p>
      {list.isPending || (isUnsure && !list.isFetchNextPageError) ? (
        <MemberSkeletons />
      ) : (
        !isUnsure && <MemberList members={shown} isSearching={search !== ''} onManage={onManage} />
      )}
      <MoreButton list={list} label={t('moreMembers')} failed={t('membersFailed')} />
    </div>
  );
}

/** @param wantsAll whether to read on to the end by itself: a search looks through all members, not only the first page. */
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
            {/* Everyone who is not an admin is shown as a member (docs/product.md C3). */}
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
