import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import { useFailure } from '#web/lib/use-failure.ts';
import { Button } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { MoreButton } from '#web/ui/more-button.tsx';
import { SelectField } from '#web/ui/select-field.tsx';
import { adminsQuery, type LogFilter, logQuery } from './api.ts';
import { ListFailure, ListSkeleton } from './list-states.tsx';
import { LogEntries } from './log-entries.tsx';

/** What can be chosen: a kind of object with everything that was done to it, then single actions. */
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

/** What was done, newest first. The address holds the filter. */
export function LogList() {
  const { t } = useTranslation('admin');
  const { what, actorId, choose } = useLogFilter();
  const list = useInfiniteQuery(logQuery({ ...(what && KINDS[what]), ...(actorId && { actor_id: actorId }) }));
  const failure = useFailure(list);
  const entries = list.data?.pages.flatMap((page) => page.rows) ?? [];
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
      {failure && <ListFailure error={failure} list={list} />}
      {list.isPending && !failure && <ListSkeleton />}
      {list.data && entries.length === 0 && (
        <EmptyState icon="shield" title={t(isFiltered ? 'log.noneMatch' : 'nothingDone')}>
          {isFiltered && (
            <Button look="secondary" onClick={() => choose(null, '')}>
              {t('log.clear')}
            </Button>
          )}
        </EmptyState>
      )}
      <LogEntries entries={entries} />
      <MoreButton list={list} label={t('more')} failed={t('failed')} />
    </div>
  );
}

/** The platform's admins, and the person in the address, who may be one no longer. */
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
    /** @param name null clears the whole filter. */
    choose(name: 'what' | 'by' | null, value: string) {
      const next = new URLSearchParams(name ? params : { tab: 'log' });
      if (name && value) next.set(name, value);
      else if (name) next.delete(name);
      setParams(next, { replace: true, preventScrollReset: true });
    },
  };
}
