import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { PlatformAdmin } from '#contract/admin.ts';
import { AdminQueryState } from '#web/admin/admin-query-state.tsx';
import { adminsQuery, revokeAdmin } from '#web/admin/api.ts';
import { useDecision } from '#web/admin/use-decision.ts';
import { failureText } from '#web/api/client.ts';
import { queryKeys } from '#web/api/query-keys.ts';
import { useSession } from '#web/api/session.ts';
import { formatDate } from '#web/lib/format.ts';
import { Button } from '#web/ui/button.tsx';
import { ConfirmDialog } from '#web/ui/dialogs.tsx';
import { SuspendedBadge } from './look-up.tsx';

/** The platform's admins. Each has a link to their entries in the moderation log and a button that revokes the role. */
export function AdminList() {
  const { t } = useTranslation('admin');
  const [revoking, setRevoking] = useState<PlatformAdmin | null>(null);
  const region = useRef<HTMLElement>(null);
  const admins = useQuery({ ...adminsQuery, staleTime: 0 });
  return (
    <section ref={region} tabIndex={-1} aria-label={t('parts.admins')} className="grid gap-4 outline-none">
      <p className="text-muted">{t('admins.text')}</p>
      <AdminQueryState query={admins}>
        {(known) => (
          <ul className="grid gap-3">
            {known.map((admin) => (
              <AdminRow key={admin.id} admin={admin} onRevoke={() => setRevoking(admin)} />
            ))}
          </ul>
        )}
      </AdminQueryState>
      {revoking && (
        <RevokeDialog
          admin={revoking}
          onClose={() => setRevoking(null)}
          // Moves the focus, because the button that opened the dialog is removed with its row.
          onRevoked={() => {
            flushSync(() => setRevoking(null));
            region.current?.focus();
          }}
        />
      )}
    </section>
  );
}

function AdminRow({ admin, onRevoke }: { admin: PlatformAdmin; onRevoke: () => void }) {
  const { t } = useTranslation('admin');
  return (
    <li className="card flex flex-wrap items-center justify-between gap-3">
      <div className="grid min-w-0 justify-items-start gap-1">
        <Link dir="auto" className="link wrap-anywhere py-1 font-semibold" to={{ search: `?person=${admin.id}` }}>
          {admin.username}
        </Link>
        <p className="wrap-anywhere text-muted text-sm">{admin.email}</p>
        <p className="text-muted text-sm">{t('admins.since', { date: formatDate(admin.granted_at) })}</p>
        {admin.is_suspended && <SuspendedBadge />}
        <Link className="link py-1" to={{ search: `?tab=log&by=${admin.id}` }}>
          {t('admins.log')}
        </Link>
      </div>
      <Button look="secondary" aria-label={t('admins.revokeNamed', { name: admin.username })} onClick={onRevoke}>
        {t('admins.revoke')}
      </Button>
    </li>
  );
}

type DialogProps = { admin: PlatformAdmin; onRevoked: () => void; onClose: () => void };

function RevokeDialog({ admin: { id, username }, onRevoked, onClose }: DialogProps) {
  const { t } = useTranslation('admin');
  const isOwn = useSession()?.userId === id;
  const revoking = useDecision({
    decide: revokeAdmin,
    doneText: t('admins.revokedToast', { name: username }),
    stale: [queryKeys.admin.all, ...(isOwn ? [queryKeys.me] : [])],
    onDone: onRevoked,
    isInDialog: true,
  });
  return (
    <ConfirmDialog
      title={t('admins.revokeTitle', { name: username })}
      action={t('admins.revoke')}
      step={revoking}
      problem={revoking.error && failureText(revoking.error, t('failed'))}
      onConfirm={() => revoking.mutate(id)}
      onClose={onClose}
    >
      <p className="text-muted">{t(isOwn ? 'admins.revokeOwnText' : 'admins.revokeText')}</p>
    </ConfirmDialog>
  );
}
