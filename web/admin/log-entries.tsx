import type { TFunction } from 'i18next';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { LogEntry } from '#contract/moderation.ts';
import { SWITCHES } from '#contract/operating.ts';
import { isReportReason } from '#contract/report-reasons.ts';
import { formatDateTime } from '#web/lib/format.ts';

/** One sentence an action, with links to the person who took it and to its object. */
export function LogEntries({ entries }: { entries: readonly LogEntry[] }) {
  return (
    <ol className="grid gap-3">
      {entries.map((entry) => (
        <Entry key={entry.id} entry={entry} />
      ))}
    </ol>
  );
}

function Entry({ entry }: { entry: LogEntry }) {
  const { t } = useTranslation('admin');
  const { actor_id, actor_name, reason, created_at } = entry;
  const parts = {
    actor: actor_id !== null && (
      <Link className="link font-semibold" to={{ search: `?person=${actor_id}` }}>
        <bdi>{actor_name}</bdi>
      </Link>
    ),
    target: <Target entry={entry} />,
  };
  const isByReports = actor_id === null && reason !== null && isReportReason(reason);
  return (
    <li className="card grid gap-1">
      <p className="wrap-anywhere whitespace-pre-line first-letter:uppercase">
        {fillIn(t(`${sentenceKey(entry)}.${actor_id === null ? 'alone' : 'by'}`, MARKS), parts)}
        {reason && (
          <>
            {': '}
            <bdi>{isByReports ? t(`reportReasons.${reason}`) : reason}</bdi>
          </>
        )}
      </p>
      <p className="flex flex-wrap gap-x-4 text-muted text-sm">
        <time dateTime={created_at}>{formatDateTime(created_at)}</time>
        {actor_id === null && <span>{t('byItself')}</span>}
      </p>
    </li>
  );
}

function sentenceKey({ action, target_type }: LogEntry) {
  if (action !== 'suspend' && action !== 'reinstate') return `log.sentences.${action}` as const;
  return `log.sentences.${action}_${target_type === 'community' ? 'community' : 'person'}` as const;
}

function Target({ entry }: { entry: LogEntry }) {
  const { t } = useTranslation('admin');
  const label = nameTarget(entry, t);
  const search = targetSearch(entry);
  if (search === null) return <bdi className="font-semibold">{label}</bdi>;
  return (
    <Link className="link font-semibold" to={{ search }}>
      <bdi>{label}</bdi>
    </Link>
  );
}

function nameTarget({ target_type, target_id, target_name }: LogEntry, t: TFunction<'admin'>): string {
  if (target_type === 'switch') {
    const known = SWITCHES.find((one) => one === target_id);
    return known ? t(`switchBoard.names.${known}`) : (target_id ?? '');
  }
  return target_name === null ? t(`log.gone.${target_type}`) : t(`log.targets.${target_type}`, { name: target_name });
}

/** The page or list with the target; null for one that has none, or no longer exists. */
function targetSearch({ target_type, target_id, target_name }: LogEntry): string | null {
  if (target_id === null || target_name === null) return null;
  if (target_type === 'user') return `?person=${target_id}`;
  if (target_type === 'post') return `?post=${target_id}`;
  if (target_type === 'community') return `?${new URLSearchParams({ tab: 'approved', search: target_name })}`;
  return null;
}

const MARKS = { actor: '<actor>', target: '<target>' };

/** Puts elements in the place of the marks of a translated sentence, wherever a language has them. */
function fillIn(sentence: string, parts: Record<keyof typeof MARKS, ReactNode>): ReactNode[] {
  return sentence.split(/(<actor>|<target>)/).map((piece) => {
    if (piece === MARKS.actor) return <span key="actor">{parts.actor}</span>;
    return piece === MARKS.target ? <span key="target">{parts.target}</span> : piece;
  });
}
