import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { AdminPerson } from '#contract/admin.ts';
import { DECISION_UNDO_SECONDS } from '#contract/limits.ts';
import { formatDateTime } from '#web/lib/format.ts';
import { queryKeys } from '#web/lib/query-keys.ts';
import { Button } from '#web/ui/button.tsx';
import { reinstatePerson, suspendPerson } from './api.ts';
import { SuspendDialog } from './suspend-dialog.tsx';
import { useDecision } from './use-decision.ts';

/** Whether the person may write, and the way to change that; for ten minutes the last change can be undone. */
export function Standing({ person }: { person: AdminPerson }) {
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

/** What was done to the person in the last ten minutes, and why they had been suspended before. */
function lastChange({ log }: AdminPerson) {
  const [last, before] = log.filter(({ action }) => action === 'suspend' || action === 'reinstate');
  if (!last || Date.now() - Date.parse(last.created_at) > DECISION_UNDO_SECONDS * 1000) return null;
  return { action: last.action, suspendedFor: before?.action === 'suspend' ? before.reason : null };
}
