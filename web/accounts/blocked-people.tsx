import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { Block } from '#contract/blocks.ts';
import { withReference } from '#web/lib/api-client.ts';
import { formatDate } from '#web/lib/format.ts';
import { queryKeys } from '#web/lib/query-keys.ts';
import { useFailure } from '#web/lib/use-failure.ts';
import { Button } from '#web/ui/button.tsx';
import { LoadFailure } from '#web/ui/load-failure.tsx';
import { showToast } from '#web/ui/toast.tsx';
import { blocksQuery, unblock } from './own-api.ts';

/** Whom the reader has blocked, each with the way back. */
export function BlockedPeople() {
  const { t } = useTranslation('accounts');
  const heading = useRef<HTMLHeadingElement>(null);
  const list = useQuery(blocksQuery);
  const failure = useFailure(list);
  return (
    <section className="grid gap-3">
      <h2 ref={heading} tabIndex={-1} className="outline-none">
        {t('blockedTitle')}
      </h2>
      <p className="text-muted">{t('blockedText')}</p>
      {failure && <LoadFailure title={withReference(t('blockedFailed'), failure)} query={list} />}
      {list.isPending && !failure && <div className="skeleton h-20" aria-busy="true" />}
      {list.data?.length === 0 && <p className="card">{t('blockedNobody')}</p>}
      <ul className="grid gap-3">
        {list.data?.map((block) => (
          <BlockedPerson key={block.id} block={block} onUnblocked={() => heading.current?.focus()} />
        ))}
      </ul>
    </section>
  );
}

function BlockedPerson({ block, onUnblocked }: { block: Block; onUnblocked: () => void }) {
  const { t } = useTranslation('accounts');
  const client = useQueryClient();
  const ending = useMutation({
    mutationFn: () => unblock(block.id),
    async onSuccess() {
      showToast.success(t('unblocked'));
      for (const queryKey of [queryKeys.posts.all, queryKeys.matches.all, queryKeys.notices])
        void client.invalidateQueries({ queryKey });
      await client.invalidateQueries({ queryKey: queryKeys.blocks });
      // The button that had the focus is gone by now.
      onUnblocked();
    },
    onError: (error) => showToast.error(withReference(t('unblockFailed'), error), 'not-unblocked'),
  });
  return (
    <li className="card flex flex-wrap items-center justify-between gap-3">
      <div className="min-w-0">
        <p dir="auto" className="wrap-anywhere font-semibold">
          {block.name}
        </p>
        <p className="text-muted text-sm">{t('blockedOn', { date: formatDate(block.created_at) })}</p>
      </div>
      <Button look="secondary" isBusy={ending.isPending} onClick={() => ending.mutate()}>
        {t('unblock')} <span className="sr-only">{block.name}</span>
      </Button>
    </li>
  );
}
