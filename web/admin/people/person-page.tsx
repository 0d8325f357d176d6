import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { AdminPerson } from '#contract/admin.ts';
import { DECISION_UNDO_SECONDS } from '#contract/limits.ts';
import { AdminQueryState } from '#web/admin/admin-query-state.tsx';
import { personQuery, reinstatePerson, suspendPerson } from '#web/admin/api.ts';
import { SuspendDialog } from '#web/admin/suspend-dialog.tsx';
import { useDecision } from '#web/admin/use-decision.ts';
import { queryKeys } from '#web/api/query-keys.ts';
import { formatDate, formatDateTime, formatNumber } from '#web/lib/format.ts';
import { useOwnTitle } from '#web/lib/title.ts';
import { Button } from '#web/ui/button.tsx';
import { Past } from './log.tsx';
import { PostLinks, SuspendedBadge } from './look-up.tsx';
import { BackToAdmin } from './post-page.tsx';

/** Everything that admins can see of a person, with the button that suspends them. */
export function PersonPage({ id }: { id: string }) {
  const { t } = useTranslation('admin');
  const person = useQuery(personQuery(id));
  useOwnTitle(person.data?.username ?? t('title'));
  return (
    <div className="mx-auto grid w-full max-w-3xl gap-5">
      <BackToAdmin />
      <AdminQueryState query={person}>{(known) => <WholePerson person={known} />}</AdminQueryState>
    </div>
  );
}

function WholePerson({ person }: { person: AdminPerson }) {
  const { t } = useTranslation('admin');
  return (
    <>
      <h1 dir="auto" className="wrap-anywhere">
        {person.username}
      </h1>
      {person.is_suspended && <SuspendedBadge />}
      <dl className="card grid gap-x-6 gap-y-1 sm:grid-cols-[auto_1fr]">
        <Fact name={t('email')}>{person.email}</Fact>
        <Fact name={t('number')}>
          {person.whatsapp_number === null
            ? t('numberNone')
            : t(person.is_number_proven ? 'numberProven' : 'numberNotProven', { number: person.whatsapp_number })}
        </Fact>
        <Fact name={t('accountSince')}>{formatDate(person.created_at)}</Fact>
        <Fact name={t('postCount')}>{formatNumber(person.post_count)}</Fact>
        <Fact name={t('reportsAgainst')}>{formatNumber(person.reports_against)}</Fact>
        <Fact name={t('reportsMade')}>{formatNumber(person.reports_made)}</Fact>
        {person.is_platform_admin && <Fact name={t('role')}>{t('isAdmin')}</Fact>}
      </dl>
      <Standing person={person} />
      <section className="grid gap-3">
        <h2>{t('posts')}</h2>
        {person.posts.length === 0 && <p className="text-muted">{t('noPosts')}</p>}
        <PostLinks posts={person.posts} />
      </section>
      <Past reports={person.reports} log={person.log} />
    </>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-muted">{name}</dt>
      <dd dir="auto" className="wrap-anywhere mb-2 sm:mb-0">
        {children}
      </dd>
    </>
  );
}

/**
 * Shows whether the person may write, and a button that changes this. The last change can be undone for ten minutes.
 */
function Standing({ person }: { person: AdminPerson }) {
  const { t } = useTranslation('admin');
  const [isAsking, setIsAsking] = useState(false);
  const { id, username } = person;
  const reinstating = useDecision({
    decide: reinstatePerson,
    doneText: t('reinstatedToast', { name: username }),
    stale: [queryKeys.admin.all, queryKeys.posts.all],
  });
  const suspendingAgain = useDecision({
    decide: suspendPerson,
    doneText: t('suspendedToast', { name: username }),
    stale: [queryKeys.admin.all, queryKeys.posts.all],
  });
  const isBusy = reinstating.isPending || suspendingAgain.isPending;
  const last = lastChange(person);
  return (
    <section className="card grid gap-3">
      <h2>{t('standing')}</h2>
      {person.is_suspended ? (
        <>
          <p>{t('suspendedSince', { time: formatDateTime(person.suspended_at ?? '') })}</p>
          <p dir="auto" className="wrap-anywhere whitespace-pre-line">
            {t('suspendedBecause', { reason: person.suspension_reason ?? '' })}
          </p>
        </>
      ) : (
        <p>{t('maySeeAndWrite')}</p>
      )}
      <div className="flex flex-wrap gap-2">
        {person.is_suspended ? (
          <Button isBusy={isBusy} onClick={() => reinstating.mutate({ id, reason: null })}>
            {t(last?.action === 'suspend' ? 'undoSuspension' : 'reinstate')}
          </Button>
        ) : (
          <>
            {last?.action === 'reinstate' && last.suspendedFor && (
              <Button
                look="secondary"
                isBusy={isBusy}
                onClick={() => suspendingAgain.mutate({ id, reason: last.suspendedFor ?? '' })}
              >
                {t('undoReinstatement')}
              </Button>
            )}
            <Button look="danger" isLocked={isBusy} onClick={() => setIsAsking(true)}>
              {t('suspend')}
            </Button>
          </>
        )}
      </div>
      {isAsking && <SuspendDialog kind="person" id={id} name={username} onClose={() => setIsAsking(false)} />}
    </section>
  );
}

/**
 * Returns the last suspension or reinstatement if it is less than ten minutes old. For a reinstatement, adds the reason
 * of the suspension that the reinstatement ended.
 */
function lastChange({ log }: AdminPerson) {
  const [last, before] = log.filter(({ action }) => action === 'suspend' || action === 'reinstate');
  if (!last || Date.now() - Date.parse(last.created_at) > DECISION_UNDO_SECONDS * 1000) return null;
  return { action: last.action, suspendedFor: before?.action === 'suspend' ? before.reason : null };
}
