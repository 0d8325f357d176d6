import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { type Device, passwordChangeSchema } from '#contract/accounts.ts';
import { HOUR_MS } from '#contract/durations.ts';
import { failureText } from '#web/api/client.ts';
import { queryKeys } from '#web/api/query-keys.ts';
import { useDialogAddress } from '#web/lib/address.ts';
import { formatAge, formatDate } from '#web/lib/format.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Button } from '#web/ui/button.tsx';
import { checkConfirm, NewPasswordFields, PasswordField } from '#web/ui/choice-fields.tsx';
import { FormDialog } from '#web/ui/dialogs.tsx';
import { useForm } from '#web/ui/form.ts';
import { QueryState } from '#web/ui/query-state.tsx';
import { showToast } from '#web/ui/toast.tsx';
import { changePassword, devicesQuery, signOutDevice, signOutEverywhere } from './own-api.ts';

/** Shows two buttons: one to change the password, and one to sign out everywhere else. */
export function OwnPassword() {
  const { t } = useTranslation('settings');
  const change = useDialogAddress('dialog', 'password');
  const everywhere = useDialogAddress('dialog', 'everywhere');
  return (
    <section className="grid gap-3">
      <h2>{t('passwordTitle')}</h2>
      <div className="card flex flex-wrap gap-3">
        <Button look="secondary" icon="shield" onClick={change.open}>
          {t('changePassword')}
        </Button>
        <Button look="secondary" onClick={everywhere.open}>
          {t('signOutEverywhere')}
        </Button>
      </div>
      {change.isOpen && <PasswordDialog onClose={change.close} />}
      {everywhere.isOpen && <SignOutEverywhereDialog onClose={everywhere.close} />}
    </section>
  );
}

function PasswordDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('settings');
  const client = useQueryClient();
  const { form, field, submit, showServerErrors } = useForm({
    schema: passwordChangeSchema,
    initial: { current_password: '', new_password: '', confirm: '' },
    check: ({ new_password, confirm }) =>
      checkConfirm(new_password, confirm, { missing: t('confirmRequired'), different: t('passwordsDiffer') }),
  });
  const saving = useMutation({
    mutationFn: changePassword,
    onSuccess() {
      showToast.success(t('passwordChanged'));
      void client.invalidateQueries({ queryKey: queryKeys.devices });
    },
    onError: showServerErrors,
  });
  return (
    <FormDialog
      title={t('changePassword')}
      form={form}
      saving={saving}
      failed={t('failed')}
      onSubmit={submit(({ confirm: _same, ...passwords }) => saving.mutate(passwords, { onSuccess: onClose }))}
      submitLabel={t('changePassword')}
      busyLabel={t('saving')}
      onClose={onClose}
    >
      <p className="text-muted">{t('changePasswordText')}</p>
      <PasswordField label={t('currentPassword')} autoComplete="current-password" {...field('current_password')} />
      <NewPasswordFields
        label={t('newPassword')}
        hint={t('newPasswordHint')}
        confirmLabel={t('confirmPassword')}
        password={field('new_password')}
        confirm={field('confirm')}
      />
    </FormDialog>
  );
}

function SignOutEverywhereDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('settings');
  const client = useQueryClient();
  const ending = useMutation({
    mutationFn: signOutEverywhere,
    onSuccess() {
      showToast.success(t('signedOutEverywhere'));
      void client.invalidateQueries({ queryKey: queryKeys.devices });
    },
  });
  return (
    <FormDialog
      title={t('signOutEverywhere')}
      saving={ending}
      failed={t('failed')}
      onSubmit={(event) => {
        event.preventDefault();
        ending.mutate(undefined, { onSuccess: onClose });
      }}
      submitLabel={t('signOutEverywhere')}
      busyLabel={t('saving')}
      onClose={onClose}
    >
      <p>{t('signOutEverywhereText')}</p>
    </FormDialog>
  );
}

/** Lists the devices on which the user is signed in, each with a button that signs the device out. */
export function Devices() {
  const { t } = useTranslation('settings');
  const heading = useRef<HTMLHeadingElement>(null);
  const list = useQuery(devicesQuery);
  return (
    <section className="grid gap-3">
      <h2 ref={heading} tabIndex={-1} className="outline-none">
        {t('devicesTitle')}
      </h2>
      <p className="text-muted">{t('devicesText')}</p>
      <QueryState
        query={list}
        failed={t('devicesFailed')}
        skeleton={<div className="skeleton h-24" aria-busy="true" />}
        empty={list.data?.length === 0 && <p className="card">{t('devicesNone')}</p>}
      >
        {(devices) => (
          <ul className="grid gap-3">
            {devices.map((device) => (
              <DeviceItem key={device.id} device={device} onSignedOut={() => heading.current?.focus()} />
            ))}
          </ul>
        )}
      </QueryState>
    </section>
  );
}

function DeviceItem({ device, onSignedOut }: { device: Device; onSignedOut: () => void }) {
  const { t } = useTranslation('settings');
  const client = useQueryClient();
  const name = device.name || t('deviceUnknown');
  const ending = useMutation({
    mutationFn: () => signOutDevice(device.id),
    async onSuccess() {
      showToast.success(t('deviceSignedOut'));
      await client.invalidateQueries({ queryKey: queryKeys.devices });
      // The pressed "Log out" button is no longer in the list, so the caller moves the focus.
      onSignedOut();
    },
    onError: (error) => showToast.error(failureText(error, t('failed')), 'device-not-signed-out'),
  });
  const isRecent = Date.now() - Date.parse(device.last_seen_at) < HOUR_MS;
  return (
    <li className="card flex flex-wrap items-center justify-between gap-3">
      <div className="min-w-0">
        <p className="wrap-anywhere font-semibold">{name}</p>
        <p className="text-muted text-sm">
          {isRecent ? t('deviceSeenNow') : t('deviceSeen', { age: formatAge(device.last_seen_at) })}
        </p>
        <p className="text-muted text-sm">{t('deviceSince', { date: formatDate(device.created_at) })}</p>
      </div>
      {device.is_this ? (
        <Badge tone="found" icon="check">
          {t('deviceThis')}
        </Badge>
      ) : (
        <Button look="secondary" isBusy={ending.isPending} onClick={() => ending.mutate()}>
          {t('deviceSignOut')} <span className="sr-only">{name}</span>
        </Button>
      )}
    </li>
  );
}
