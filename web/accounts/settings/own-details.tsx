import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useId } from 'react';
import { useTranslation } from 'react-i18next';
import { type Me, meChangeSchema } from '#contract/accounts.ts';
import { emailChangeSchema } from '#contract/channels.ts';
import { LANGUAGES, nameOf } from '#contract/language.ts';
import { EMAIL_MAX_CHARS, USERNAME_MAX_CHARS } from '#contract/limits.ts';
import { failureText } from '#web/api/client.ts';
import { meQuery } from '#web/api/me.ts';
import { useDialogAddress } from '#web/lib/address.ts';
import { paths } from '#web/lib/paths.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Button, ButtonLink } from '#web/ui/button.tsx';
import { PasswordField } from '#web/ui/choice-fields.tsx';
import { FormDialog } from '#web/ui/dialogs.tsx';
import { TextField } from '#web/ui/field.tsx';
import { useForm } from '#web/ui/form.ts';
import { showToast } from '#web/ui/toast.tsx';
import { askForEmailLink, changeMe } from './own-api.ts';

/** Name, e-mail address, phone number and language, each with a button to change or prove it. */
export function OwnDetails({ me }: { me: Me }) {
  const { t } = useTranslation('settings');
  const renaming = useDialogAddress('dialog', 'name');
  const emailChange = useDialogAddress('dialog', 'email');
  return (
    <section className="grid gap-3">
      <h2>{t('detailsTitle')}</h2>
      <div className="card grid gap-4">
        <Detail label={t('name')} value={me.username}>
          <Button look="secondary" onClick={renaming.open}>
            {t('changeName')}
          </Button>
        </Detail>
        <Detail label={t('email')} value={me.email} isProven={me.is_email_available ? me.is_email_proven : null}>
          {me.is_email_available && (
            <Button look="secondary" onClick={emailChange.open}>
              {t(me.is_email_proven ? 'changeEmail' : 'proveEmail')}
            </Button>
          )}
        </Detail>
        <OwnNumber me={me} />
        <OwnLanguage me={me} />
      </div>
      {renaming.isOpen && <NameDialog me={me} onClose={renaming.close} />}
      {emailChange.isOpen && <EmailDialog me={me} onClose={emailChange.close} />}
    </section>
  );
}

function OwnNumber({ me: { whatsapp_number: number, is_whatsapp_verified: isProven } }: { me: Me }) {
  const { t } = useTranslation('settings');
  const action = number === null ? 'addNumber' : isProven ? 'changeNumber' : 'proveNumber';
  return (
    <Detail label={t('number')} value={number ?? t('none')} isProven={number === null ? null : isProven}>
      <ButtonLink look="secondary" to={paths.proveNumber} state={{ from: paths.account }}>
        {t(action)}
      </ButtonLink>
    </Detail>
  );
}

type DetailProps = {
  label: string;
  value: string;
  /** Whether the value is proven; null if the value needs no proof. */
  isProven?: boolean | null;
  children: ReactNode;
};

function Detail({ label, value, isProven = null, children }: DetailProps) {
  const { t } = useTranslation('settings');
  return (
    <div className="flex flex-wrap items-center justify-between gap-3">
      <div className="min-w-0">
        <p className="text-muted text-sm">{label}</p>
        <p dir="auto" className="wrap-anywhere font-semibold">
          {value}
        </p>
        {isProven !== null && (
          <Badge tone={isProven ? 'found' : 'plain'} {...(isProven && { icon: 'check' as const })}>
            {t(isProven ? 'proven' : 'notProven')}
          </Badge>
        )}
      </div>
      {children}
    </div>
  );
}

/** The language of messages to the user. The app's own language is chosen at the top of every page. */
function OwnLanguage({ me }: { me: Me }) {
  const { t } = useTranslation('settings');
  const client = useQueryClient();
  const hint = useId();
  const saving = useMutation({
    mutationFn: changeMe,
    // Requests run one after the other, so that the server saves the user's last choice.
    scope: { id: 'language' },
    onSuccess(changed) {
      client.setQueryData(meQuery.queryKey, changed);
      showToast.success(t('saved'));
    },
    onError: (error) => showToast.error(failureText(error, t('failed')), 'language-not-saved'),
  });
  const chosen = (saving.isPending && saving.variables.language) || me.language;
  return (
    <fieldset aria-describedby={hint}>
      <legend className="text-muted text-sm">{t('language')}</legend>
      <p id={hint} className="text-muted text-sm">
        {t('languageText')}
      </p>
      <div className="flex flex-wrap gap-x-6">
        {LANGUAGES.map((language) => (
          <label key={language} className="flex min-h-11 items-center gap-3">
            <input
              type="radio"
              name="language"
              className="size-5 accent-(--accent)"
              checked={chosen === language}
              onChange={() => saving.mutate({ language })}
            />
            <span lang={language} className="font-medium">
              {nameOf(language)}
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}

function NameDialog({ me, onClose }: { me: Me; onClose: () => void }) {
  const { t } = useTranslation('settings');
  const client = useQueryClient();
  const { form, field, submit, showServerErrors } = useForm({
    schema: meChangeSchema,
    initial: { username: me.username },
  });
  const saving = useMutation({
    mutationFn: changeMe,
    onSuccess(changed) {
      client.setQueryData(meQuery.queryKey, changed);
      showToast.success(t('saved'));
    },
    onError: showServerErrors,
  });
  return (
    <FormDialog
      title={t('changeName')}
      form={form}
      saving={saving}
      failed={t('failed')}
      onSubmit={submit((change) => saving.mutate(change, { onSuccess: onClose }))}
      submitLabel={t('save')}
      busyLabel={t('saving')}
      onClose={onClose}
    >
      <TextField label={t('name')} autoComplete="nickname" maxLength={USERNAME_MAX_CHARS} {...field('username')} />
    </FormDialog>
  );
}

/** Sends a link that proves the current e-mail address or a new one. */
function EmailDialog({ me, onClose }: { me: Me; onClose: () => void }) {
  const { t } = useTranslation('settings');
  const { form, field, submit, showServerErrors } = useForm({
    schema: emailChangeSchema,
    initial: { email: me.is_email_proven ? '' : me.email, current_password: '' },
  });
  const sending = useMutation({ mutationFn: askForEmailLink, onError: showServerErrors });
  return (
    <FormDialog
      title={t('emailTitle')}
      form={form}
      saving={sending}
      failed={t('failed')}
      done={
        sending.isSuccess && <p className="wrap-anywhere">{t('linkSent', { email: sending.variables.email.trim() })}</p>
      }
      onSubmit={submit((input) => sending.mutate(input))}
      submitLabel={t('sendLink')}
      busyLabel={t('sendingLink')}
      onClose={onClose}
    >
      <p className="text-muted">{t('emailText')}</p>
      <TextField label={t('email')} type="email" autoComplete="email" maxLength={EMAIL_MAX_CHARS} {...field('email')} />
      <PasswordField label={t('currentPassword')} autoComplete="current-password" {...field('current_password')} />
    </FormDialog>
  );
}
