import { useInfiniteQuery } from '@tanstack/react-query';
import { type RefObject, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { CommunityPage, JoinRequest } from '#contract/communities.ts';
import { withReference } from '#web/lib/api-client.ts';
import { formatAge } from '#web/lib/format.ts';
import { useFailure } from '#web/lib/use-failure.ts';
import { Banner } from '#web/ui/banner.tsx';
import { Button } from '#web/ui/button.tsx';
import { LoadFailure } from '#web/ui/load-failure.tsx';
import { MoreButton } from '#web/ui/more-button.tsx';
import { answerJoinRequest, type JoinAnswer, joinRequestsQuery } from './api.ts';
import { problemOf } from './problem-of.ts';
import { useStep } from './use-step.ts';

/** Who asks to be let in, who has waited longest first. Nothing while nobody does. */
export function JoinRequests({ community }: { community: CommunityPage }) {
  const { t } = useTranslation('community');
  const region = useRef<HTMLElement>(null);
  const list = useInfiniteQuery(joinRequestsQuery(community.id));
  const failure = useFailure(list);
  const requests = list.data?.pages.flatMap((page) => page.requests) ?? [];
  if (failure) {
    return <LoadFailure title={withReference(t('requestsFailed'), failure)} query={list} />;
  }
  return (
    <section
      ref={region}
      tabIndex={-1}
      aria-label={t('requests')}
      // Without anybody it is out of the flow, where the grid around it leaves no gap for it.
      className={`outline-none ${requests.length > 0 ? 'grid gap-3' : 'absolute'}`}
    >
      {requests.length > 0 && <h2>{t('requests')}</h2>}
      {requests.length > 0 && community.is_suspended && <p>{t('requestsSuspended')}</p>}
      <ul className="grid gap-3 empty:hidden">
        {requests.map((request) => (
          <Request key={request.user_id} community={community} request={request} region={region} />
        ))}
      </ul>
      <MoreButton list={list} label={t('moreRequests')} failed={t('requestsFailed')} />
    </section>
  );
}

type Props = { community: CommunityPage; request: JoinRequest; region: RefObject<HTMLElement | null> };

/** @param region takes the focus, as the buttons go with the request. */
function Request({ community, request: { user_id: userId, username, message, created_at }, region }: Props) {
  const { t } = useTranslation('community');
  const onDone = () => region.current?.focus();
  const take = (answer: JoinAnswer) => answerJoinRequest(community.id, answer);
  const accepting = useStep({ take, doneText: t('accepted', { name: username }), onDone });
  const declining = useStep({ take, doneText: t('declined', { name: username }), onDone });
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
      {problem && <Banner tone="error">{problemOf(problem, t)}</Banner>}
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
