import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { Block } from '#contract/claims.ts';
import { NoticeSettingsPart } from '#web/accounts/settings/notice-settings.tsx';
import { blocksQuery, unblock } from '#web/accounts/settings/own-api.ts';
import { OwnData } from '#web/accounts/settings/own-data.tsx';
import { OwnDetails } from '#web/accounts/settings/own-details.tsx';
import { Devices, OwnPassword } from '#web/accounts/settings/security.tsx';
import { withReference } from '#web/api/client.ts';
import { meQuery } from '#web/api/me.ts';
import { queryKeys } from '#web/api/query-keys.ts';
import { useSession } from '#web/api/session.ts';
import { formatDate } from '#web/lib/format.ts';
import { Button } from '#web/ui/button.tsx';
import { LoginNeeded, QueryState } from '#web/ui/query-state.tsx';
import { showToast } from '#web/ui/toast.tsx';

/** /account: the signed-in person's own details, notice settings, sessions, blocks and data. */
export function AccountScreen() {
  const { t } = useTranslation('accounts');
  const isSignedIn = useSession() !== null;
  return (
    <div className="mx-auto grid w-full max-w-2xl gap-8">
      <h1>{t('accountTitle')}</h1>
      {isSignedIn ? <OwnAccount /> : <LoginNeeded title={t('accountLoginFirst')} label={t('login')} />}
    </div>
  );
}

function OwnAccount() {
  const { t } = useTranslation('settings');
  // Refetches the account when the user returns to the app, because the user may have proven the phone number in
  // WhatsApp, or the e-mail address by opening our link.
  const query = useQuery({ ...meQuery, refetchOnMount: 'always', refetchOnWindowFocus: 'always' });
  return (
    <QueryState query={query} failed={t('loadFailed')} skeleton={<div className="skeleton h-80" aria-busy="true" />}>
      {(me) => (
        <>
          <OwnDetails me={me} />
          <NoticeSettingsPart me={me} />
          <Devices />
          <OwnPassword />
          <BlockedPeople />
          <OwnData />
        </>
      )}
    </QueryState>
  );
}

/** The people whom the user has blocked, each with a button that unblocks them. */
function BlockedPeople() {
  const { t } = useTranslation('accounts');
  const heading = useRef<HTMLHeadingElement>(null);
  const list = useQuery(blocksQuery);
  return (
    <section className="grid gap-3">
      <h2 ref={heading} tabIndex={-1} className="outline-none">
        {t('blockedTitle')}
      </h2>
      <p className="text-muted">{t('blockedText')}</p>
      <QueryState
        query={list}
        failed={t('blockedFailed')}
        skeleton={<div className="skeleton h-20" aria-busy="true" />}
        empty={list.data?.length === 0 && <p className="card">{t('blockedNobody')}</p>}
      >
        {(blocks) => (
          <ul className="grid gap-3">
            {blocks.map((block) => (
              <BlockedPerson key={block.id} block={block} onUnblocked={() => heading.current?.focus()} />
            ))}
          </ul>
        )}
      </QueryState>
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
      // The pressed "Unblock" button is no longer in the list, so the caller moves the focus.
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
