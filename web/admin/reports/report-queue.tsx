import { useInfiniteQuery } from '@tanstack/react-query';
import { type KeyboardEvent, type ReactNode, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { DECISION_UNDO_SECONDS } from '#contract/limits.ts';
import { AdminQueryState } from '#web/admin/admin-query-state.tsx';
import { type CaseStatus, type DeletedCase, type QueuedCase, reportsQuery } from '#web/admin/api.ts';
import { KnownPeople } from '#web/admin/people/look-up.tsx';
import { rowsOf } from '#web/api/queries.ts';
import { formatAge } from '#web/lib/format.ts';
import { PostBadges, PostFacts } from '#web/posts/post/post-parts.tsx';
import { Button } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { CaseReports } from './case-details.tsx';
import { HarshDialog, type HarshVerdict, useVerdict } from './verdict.tsx';

/**
 * The reported posts of one status. A case that was decided stays in its place in the list until the next visit, so
 * that the admin can undo the decision.
 */
export function ReportQueue({ status }: { status: CaseStatus }) {
  const { t } = useTranslation('admin');
  const [asked, setAsked] = useState<{ entry: QueuedCase; verdict: HarshVerdict } | null>(null);
  const list = useInfiniteQuery({ ...reportsQuery(status), staleTime: 0 });
  const cases = rowsOf(list.data);
  return (
    <section aria-label={t(status === 'open' ? 'reports' : 'parts.decidedReports')} className="grid gap-4">
      {status === 'open' && cases.length > 0 && (
        <p className="text-muted text-sm pointer-coarse:hidden">{t('queue.keys')}</p>
      )}
      <AdminQueryState
        query={list}
        empty={
          cases.length === 0 && (
            <EmptyState icon="check" title={t(status === 'open' ? 'queue.noReports' : 'queue.noDecidedReports')} />
          )
        }
      >
        {() => (
          <ul className="grid gap-4">
            {cases.map((entry) =>
              entry.decision === 'post_deleted' ? (
                <DeletedCaseCard key={entry.id} entry={entry} />
              ) : (
                <CaseCard
                  key={entry.id}
                  entry={entry}
                  list={status}
                  onAsk={(verdict) => setAsked({ entry, verdict })}
                />
              ),
            )}
          </ul>
        )}
      </AdminQueryState>
      {asked && <HarshDialog {...asked} list={status} onClose={() => setAsked(null)} />}
    </section>
  );
}

type CaseCardProps = { entry: QueuedCase; list: CaseStatus; onAsk: (verdict: HarshVerdict) => void };

/** A post with its reports, the people involved and the possible decisions. */
function CaseCard({ entry, list, onAsk }: CaseCardProps) {
  const { t } = useTranslation('admin');
  const card = useRef<HTMLLIElement>(null);
  const { post } = entry;

  /** Each decision has a key that works anywhere in the card. The buttons show the keys. */
  function pressKey(event: KeyboardEvent) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
    // Compares the keys in JavaScript: in a CSS selector, a key such as `"` would be a syntax error.
    const buttons = [...(card.current?.querySelectorAll<HTMLButtonElement>('[aria-keyshortcuts]') ?? [])];
    const button = buttons.find((one) => one.getAttribute('aria-keyshortcuts') === event.key.toLowerCase());
    if (!button) return;
    event.preventDefault();
    button.click();
  }

  return (
    <li
      ref={card}
      tabIndex={-1}
      aria-labelledby={`case-${entry.id}`}
      onKeyDown={pressKey}
      className="card grid min-w-0 gap-4"
    >
      <p className="flex flex-wrap justify-between gap-2 text-muted text-sm">
        <span>
          {t(entry.status === 'open' ? 'queue.waitsSince' : 'queue.decidedAt', { age: formatAge(entry.since) })}
        </span>
        {entry.is_edited && <span className="font-semibold text-notice">{t('queue.isEdited')}</span>}
      </p>
      <div className="grid gap-2">
        <PostBadges post={post} />
        <h2 id={`case-${entry.id}`} className="wrap-anywhere text-lg">
          <Link to={{ search: `?post=${post.id}` }} dir="auto" className="underline-offset-4 hover:underline">
            {post.title}
          </Link>
        </h2>
        <PostFacts post={post} />
        {post.description && (
          <p dir="auto" className="wrap-anywhere whitespace-pre-wrap">
            {post.description}
          </p>
        )}
        {post.phone_number && <p className="tabular-nums">{post.phone_number}</p>}
        {post.hidden_by.length > 0 && (
          <ul className="text-muted text-sm">
            {post.hidden_by.map((by) => (
              <li key={by}>{t(`hiddenBy.${by}`)}</li>
            ))}
          </ul>
        )}
      </div>
      <CaseReports entry={entry} />
      <KnownPeople entry={entry} />
      <CaseKeys entry={entry} list={list} onAsk={onAsk} onDecided={() => card.current?.focus()} />
    </li>
  );
}

type CaseKeysProps = {
  entry: QueuedCase;
  /** The status of the list that shows the case. */
  list: CaseStatus;
  onAsk: (verdict: HarshVerdict) => void;
  onDecided: () => void;
};

/** The decision buttons of an open case, or the undo button of a decided one. */
function CaseKeys({ entry, list, onAsk, onDecided }: CaseKeysProps) {
  const { t } = useTranslation('admin');
  const verdict = useVerdict(list, { onDone: onDecided });
  const keep = (
    <Key letter="k" look="primary" isBusy={verdict.isPending} onPress={() => verdict.mutate({ entry, kind: 'keep' })}>
      {t(entry.post.is_hidden || entry.decision === 'hidden' ? 'queue.restore' : 'queue.keep')}
    </Key>
  );
  const hide = (
    <Key letter="h" look="secondary" isBusy={verdict.isPending} onPress={() => onAsk('hide')}>
      {t('queue.hide')}
    </Key>
  );
  if (entry.status === 'open') {
    return (
      <div className="flex flex-wrap gap-2">
        {keep}
        {hide}
        {!entry.author.is_suspended && (
          <Key letter="s" look="secondary" isBusy={verdict.isPending} onPress={() => onAsk('suspend')}>
            {t('queue.suspend')}
          </Key>
        )}
      </div>
    );
  }
  return (
    <div className="flex flex-wrap items-center gap-3">
      <p className="font-semibold">{t(outcomeOf(entry))}</p>
      {isUndoable(entry) ? (
        <Key
          letter="u"
          look="secondary"
          isBusy={verdict.isPending}
          onPress={() => verdict.mutate({ entry, kind: 'undo' })}
        >
          {t('queue.undo')}
        </Key>
      ) : entry.decision === 'hidden' ? (
        keep
      ) : (
        hide
      )}
    </div>
  );
}

function outcomeOf({ decision, isSuspendedWithIt }: QueuedCase) {
  if (isSuspendedWithIt) return 'queue.wasSuspended';
  return decision === 'hidden' ? 'queue.wasHidden' : 'queue.wasKept';
}

function isUndoable({ decided_at }: QueuedCase): boolean {
  return decided_at !== null && Date.now() - Date.parse(decided_at) < DECISION_UNDO_SECONDS * 1000;
}

function Key({
  letter,
  look,
  isBusy,
  onPress,
  children,
}: {
  letter: string;
  look: 'primary' | 'secondary';
  isBusy: boolean;
  onPress: () => void;
  children: ReactNode;
}) {
  return (
    <Button look={look} isBusy={isBusy} aria-keyshortcuts={letter} onClick={onPress}>
      {children}
      <span
        aria-hidden="true"
        className="rounded border border-current px-1.5 text-xs uppercase opacity-70 pointer-coarse:hidden"
      >
        {letter}
      </span>
    </Button>
  );
}

/** The reports on a post that was deleted before a decision. Nothing is left to decide. */
function DeletedCaseCard({ entry }: { entry: DeletedCase }) {
  const { t } = useTranslation('admin');
  return (
    <li className="card grid min-w-0 gap-4">
      <p className="text-muted text-sm">{t('queue.decidedAt', { age: formatAge(entry.since) })}</p>
      <h2 className="text-lg">{t('queue.wasDeleted')}</h2>
      <CaseReports entry={entry} />
      <KnownPeople entry={entry} />
    </li>
  );
}
