import { useInfiniteQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import { FEEDBACK_STATES, type FeedbackEntry } from '#contract/admin.ts';
import { rowsOf } from '#web/api/queries.ts';
import { queryKeys } from '#web/api/query-keys.ts';
import { formatDateTime } from '#web/lib/format.ts';
import { Button } from '#web/ui/button.tsx';
import { SelectField } from '#web/ui/choice-fields.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { AdminQueryState } from './admin-query-state.tsx';
import { feedbackQuery, markFeedbackDone } from './api.ts';
import { useDecision } from './use-decision.ts';

/** The feedback from the footer's form, newest first. The URL selects open or done entries. */
export function FeedbackInbox() {
  const { t } = useTranslation('admin');
  const [params, setParams] = useSearchParams();
  const state = FEEDBACK_STATES.find((name) => name === params.get('state')) ?? 'open';
  const region = useRef<HTMLElement>(null);
  const list = useInfiniteQuery(feedbackQuery(state));
  const entries = rowsOf(list.data);
  return (
    <section ref={region} tabIndex={-1} aria-label={t('parts.feedback')} className="grid gap-4 outline-none">
      <SelectField
        label={t('feedback.show')}
        name="state"
        value={state}
        options={FEEDBACK_STATES.map((name) => ({ value: name, label: t(`feedback.${name}`) }))}
        onChange={(next) => setParams({ tab: 'feedback', ...(next === 'done' && { state: next }) }, { replace: true })}
      />
      <AdminQueryState
        query={list}
        empty={entries.length === 0 && <EmptyState icon="chat" title={t(`feedback.none.${state}`)} />}
      >
        {() => (
          <ul className="grid gap-3">
            {entries.map((entry) => (
              <Entry key={entry.id} entry={entry} onDone={() => region.current?.focus()} />
            ))}
          </ul>
        )}
      </AdminQueryState>
    </section>
  );
}

/** @param onDone moves the focus, because the pressed "Mark as done" button is removed with its entry. */
function Entry({ entry, onDone }: { entry: FeedbackEntry; onDone: () => void }) {
  const { t } = useTranslation('admin');
  const { id, email, message, created_at, done_at } = entry;
  const marking = useDecision({
    decide: markFeedbackDone,
    doneText: t('feedback.doneToast'),
    stale: [queryKeys.admin.allFeedback, queryKeys.admin.allLog],
    onDone,
  });
  return (
    <li className="card grid gap-2">
      <p className="flex flex-wrap justify-between gap-x-4 gap-y-1 text-sm">
        <a className="link break-all" href={`mailto:${email}`}>
          {email}
        </a>
        <time dateTime={created_at} className="text-muted">
          {formatDateTime(created_at)}
        </time>
      </p>
      <p dir="auto" className="whitespace-pre-line break-words">
        {message}
      </p>
      {done_at === null ? (
        <Button
          look="secondary"
          icon="check"
          className="justify-self-start"
          isBusy={marking.isPending || marking.isSuccess}
          onClick={() => marking.mutate(id)}
        >
          {t('feedback.markDone')}
        </Button>
      ) : (
        <p className="text-muted text-sm">{t('feedback.doneAt', { time: formatDateTime(done_at) })}</p>
      )}
    </li>
  );
}
