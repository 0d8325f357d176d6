import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { useTranslation } from 'react-i18next';
import type { CommunityPage } from '#contract/communities.ts';
import type { Post } from '#contract/posts.ts';
import { formatNumber } from '#web/lib/format-number.ts';
import { communityPath } from '#web/lib/paths.ts';
import { useSession } from '#web/lib/session.ts';
import { thingNumber } from '#web/lib/thing-number.ts';
import { Banner } from '#web/ui/banner.tsx';
import { ButtonLink } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { PendingPosts } from '#web/ui/pending-posts.tsx';
import { CommunityFrame } from './community-frame.tsx';
import { todayQuery } from './desk-api.ts';
import { deskKey, keepDesk, nextDesk, readDesk } from './desk-draft.ts';
import { DeskForm, type Posted } from './desk-form.tsx';
import { PrintList } from './print-list.tsx';

/** /communities/{id}/desk: an office posts what lies in its cupboard, one thing after the other. */
export function DeskScreen() {
  return (
    <CommunityFrame skeleton={<div className="skeleton h-96 w-full" aria-busy="true" />}>
      {(community) => <OpenDesk key={community.id} community={community} />}
    </CommunityFrame>
  );
}

function OpenDesk({ community }: { community: CommunityPage }) {
  const { t } = useTranslation('community');
  const { id, member_role, approval_status } = community;
  if (member_role === 'admin' && approval_status === 1) return <Desk community={community} />;
  return (
    <EmptyState icon="users" title={t(member_role === 'admin' ? 'desk.notOpenYet' : 'adminsOnly')}>
      <ButtonLink to={communityPath(id)}>{t('openMembersPage')}</ButtonLink>
    </EmptyState>
  );
}

function Desk({ community: { id, community_code: code } }: { community: CommunityPage }) {
  const { t } = useTranslation('community');
  const viewerId = useSession()?.userId ?? null;
  const key = deskKey(viewerId, id);
  const [draft, setDraft] = useState(() => readDesk(key));
  const [last, setLast] = useState<{ title: string; post: Post | null } | null>(null);
  const title = useRef<HTMLInputElement>(null);
  const today = useQuery(todayQuery(viewerId, code));

  /** The next thing begins where the last one ended, with the focus where its first word is typed. */
  function goOn({ values, post }: Posted) {
    const next = nextDesk(values);
    keepDesk(key, next);
    flushSync(() => {
      setLast({ title: values.title, post });
      setDraft(next);
    });
    title.current?.focus();
  }

  return (
    <div className="mx-auto grid w-full max-w-xl gap-4">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2>{t('desk.title')}</h2>
        {today.data !== undefined && (
          <p className="text-muted">{t('desk.today', { count: today.data, posts: formatNumber(today.data) })}</p>
        )}
      </div>
      <p className="text-muted">{t('desk.text')}</p>
      {/* Here from the start: what comes into the page together with its text is not read out. */}
      <div role="status">{last && <LastPosted {...last} />}</div>
      <DeskForm key={draft.idempotencyKey} place={key} draft={draft} code={code} titleRef={title} onPosted={goOn} />
      <PendingPosts />
      <PrintList code={code} />
    </div>
  );
}

function LastPosted({ title, post }: { title: string; post: Post | null }) {
  const { t } = useTranslation('community');
  return (
    <Banner tone={post ? 'success' : 'notice'}>
      <span className="wrap-anywhere">
        {post ? t('desk.posted', { title, number: thingNumber(post.id) }) : t('desk.kept', { title })}
      </span>
    </Banner>
  );
}
