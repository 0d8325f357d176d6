import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import type { TFunction } from 'i18next';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useSearchParams } from 'react-router';
import { type AdminPerson, SWITCHES } from '#contract/admin.ts';
import { isReportReason } from '#contract/kinds.ts';
import type { LogEntry } from '#contract/moderation.ts';
import { AdminQueryState } from '#web/admin/admin-query-state.tsx';
import { adminsQuery, type LogFilter, logQuery } from '#web/admin/api.ts';
import { rowsOf } from '#web/api/queries.ts';
import { formatDateTime } from '#web/lib/format.ts';
import { Button } from '#web/ui/button.tsx';
import { SelectField } from '#web/ui/choice-fields.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';

/** The filter's choices. Each type of target, such as a post, is followed by single actions on targets of this type. */
const KINDS = {
  post: { target_type: 'post' },
  hide: { action: 'hide' },
  restore: { action: 'restore' },
  undo: { action: 'undo' },
  post_deleted: { action: 'post_deleted' },
  person: { target_type: 'user' },
  suspend_person: { action: 'suspend', target_type: 'user' },
  reinstate_person: { action: 'reinstate', target_type: 'user' },
  grant_admin: { action: 'grant_admin' },
  revoke_admin: { action: 'revoke_admin' },
  community: { target_type: 'community' },
  approve: { action: 'approve' },
  reject: { action: 'reject' },
  approve_name: { action: 'approve_name' },
  reject_name: { action: 'reject_name' },
  appoint: { action: 'appoint' },
  suspend_community: { action: 'suspend', target_type: 'community' },
  reinstate_community: { action: 'reinstate', target_type: 'community' },
  switch: { target_type: 'switch' },
  feedback: { target_type: 'feedback' },
} as const satisfies Record<string, LogFilter>;
type Kind = keyof typeof KINDS;
const KIND_NAMES = Object.keys(KINDS) as Kind[];

/** The moderation log, newest entry first. The URL contains the filter. */
export function LogList() {
  const { t } = useTranslation('admin');
  const { what, actorId, choose } = useLogFilter();
  const list = useInfiniteQuery(logQuery({ ...(what && KINDS[what]), ...(actorId && { actor_id: actorId }) }));
  const entries = rowsOf(list.data);
  const isFiltered = what !== null || actorId !== '';
  return (
    <div className="grid gap-4">
      <div className="grid gap-3 sm:grid-cols-2">
        <SelectField
          label={t('log.what')}
          name="what"
          value={what ?? ''}
          options={[
            { value: '', label: t('log.everything') },
            ...KIND_NAMES.map((kind) => ({
              value: kind,
              label: 'action' in KINDS[kind] ? `– ${t(`log.kinds.${kind}`)}` : t(`log.kinds.${kind}`),
            })),
          ]}
          onChange={(next) => choose('what', next)}
        />
        <ActorField actorId={actorId} onChange={(next) => choose('by', next)} />
      </div>
      <AdminQueryState
        query={list}
        empty={
          entries.length === 0 && (
            <EmptyState icon="shield" title={t(isFiltered ? 'log.noneMatch' : 'nothingDone')}>
              {isFiltered && (
                <Button look="secondary" onClick={() => choose(null, '')}>
                  {t('log.clear')}
                </Button>
              )}
            </EmptyState>
          )
        }
      >
        {() => <LogEntries entries={entries} />}
      </AdminQueryState>
    </div>
  );
}

/**
 * Selects the person whose actions the log shows: one of the platform's admins, or the person in the page's URL, who
 * may no longer be an admin.
 */
function ActorField({ actorId, onChange }: { actorId: string; onChange: (id: string) => void }) {
  const { t } = useTranslation('admin');
  const admins = useQuery(adminsQuery).data ?? [];
  const isKnown = actorId === '' || admins.some(({ id }) => id === actorId);
  return (
    <SelectField
      label={t('log.by')}
      name="by"
      value={actorId}
      options={[
        { value: '', label: t('log.anybody') },
        ...admins.map(({ id, username }) => ({ value: id, label: username })),
        ...(isKnown ? [] : [{ value: actorId, label: t('log.somebody') }]),
      ]}
      onChange={onChange}
    />
  );
}

function useLogFilter() {
  const [params, setParams] = useSearchParams();
  return {
    what: KIND_NAMES.find((kind) => kind === params.get('what')) ?? null,
    actorId: params.get('by') ?? '',
    /** @param name the filter to change; null clears all filters. */
    choose(name: 'what' | 'by' | null, value: string) {
      const next = new URLSearchParams(name ? params : { tab: 'log' });
      if (name && value) next.set(name, value);
      else if (name) next.delete(name);
      setParams(next, { replace: true, preventScrollReset: true });
    },
  };
}

/** The reports about a person or a post, and what admins have done about the person or post. */
export function Past({ reports, log }: Pick<AdminPerson, 'reports' | 'log'>) {
  const { t } = useTranslation('admin');
  return (
    <>
      <section className="grid gap-3">
        <h2>{t('reports')}</h2>
        {reports.length === 0 && <p className="text-muted">{t('noReports')}</p>}
        <ul className="grid gap-3">
          {reports.map(({ reason, text, post_id, reporter_id, created_at }) => (
            <li key={`${post_id} ${reporter_id} ${created_at}`} className="card grid gap-1">
              <p className="font-semibold">{t(`reportReasons.${reason}`)}</p>
              {text && (
                <p dir="auto" className="wrap-anywhere whitespace-pre-line">
                  {text}
                </p>
              )}
              <p className="text-muted text-sm">{formatDateTime(created_at)}</p>
              <p className="flex flex-wrap gap-x-4">
                <Link className="link py-1" to={{ search: `?post=${post_id}` }}>
                  {t('openPost')}
                </Link>
                {reporter_id && (
                  <Link className="link py-1" to={{ search: `?person=${reporter_id}` }}>
                    {t('openReporter')}
                  </Link>
                )}
              </p>
            </li>
          ))}
        </ul>
      </section>
      <section className="grid gap-3">
        <h2>{t('done')}</h2>
        {log.length === 0 && <p className="text-muted">{t('nothingDone')}</p>}
        <LogEntries entries={log} />
      </section>
    </>
  );
}

/** One sentence for each logged action, with links to the person who acted and to the action's target. */
function LogEntries({ entries }: { entries: readonly LogEntry[] }) {
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

/**
 * Returns the query string that opens the target's page, or a list that contains the target; null if there is neither
 * or the target no longer exists.
 */
function targetSearch({ target_type, target_id, target_name }: LogEntry): string | null {
  if (target_id === null || target_name === null) return null;
  if (target_type === 'user') return `?person=${target_id}`;
  if (target_type === 'post') return `?post=${target_id}`;
  if (target_type === 'community') return `?${new URLSearchParams({ tab: 'approved', search: target_name })}`;
  return null;
}

const MARKS = { actor: '<actor>', target: '<target>' };

/**
 * Replaces the marks `<actor>` and `<target>` in a translated sentence by elements. Each language has the marks in its
 * own order.
 */
function fillIn(sentence: string, parts: Record<keyof typeof MARKS, ReactNode>): ReactNode[] {
  return sentence.split(/(<actor>|<target>)/).map((piece) => {
    if (piece === MARKS.actor) return <span key="actor">{parts.actor}</span>;
    return piece === MARKS.target ? <span key="target">{parts.target}</span> : piece;
  });
}
