import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { Me } from '#contract/accounts.ts';
import { DEFAULT_NOTICE_SETTINGS, type NoticeSettings, noticeSettingsSchema } from '#contract/notice-settings.ts';
import { describeFailure } from '#web/lib/describe-failure.ts';
import { paths } from '#web/lib/paths.ts';
import { noticeSettingsQuery } from '#web/lib/push-query.ts';
import { useForm } from '#web/lib/use-form.ts';
import { Banner } from '#web/ui/banner.tsx';
import { Button } from '#web/ui/button.tsx';
import { TextField } from '#web/ui/field.tsx';
import { Channel } from './channel.tsx';
import { saveNoticeSettings } from './own-api.ts';

type Props = {
  me: Me;
  settings: NoticeSettings;
  /** Whether the server sends pushes at all. */
  hasPush: boolean;
};

/** One way after the other, each in plain words and with an example, and the hours in which nothing is to wake anybody. */
export function NoticeSettingsForm({ me, settings, hasPush }: Props) {
  const { t } = useTranslation('settings');
  const client = useQueryClient();
  const { form, values, set, field, submit, showServerErrors } = useForm({
    schema: noticeSettingsSchema,
    initial: settings,
    isFresh: true,
  });
  const saving = useMutation({
    mutationFn: saveNoticeSettings,
    onSuccess: (saved) => client.setQueryData(noticeSettingsQuery.queryKey, saved),
    onError: showServerErrors,
  });
  const channel = (name: 'push' | 'whatsapp' | 'email') => ({
    isOn: values[name],
    onChange: (isOn: boolean) => set(name, isOn),
  });
  const isChanged = Object.entries(settings).some(([name, saved]) => values[name as keyof NoticeSettings] !== saved);
  const isQuiet = values.quiet_from !== null;

  function setQuiet(isOn: boolean) {
    set('quiet_from', isOn ? DEFAULT_NOTICE_SETTINGS.quiet_from : null);
    set('quiet_to', isOn ? DEFAULT_NOTICE_SETTINGS.quiet_to : null);
  }

  return (
    <form
      ref={form}
      noValidate
      className="card grid gap-5"
      onSubmit={submit((input) => !saving.isPending && saving.mutate(input))}
    >
      {hasPush && <Channel label={t('push')} text={t('pushText')} example={t('pushExample')} {...channel('push')} />}
      <Channel
        label={t('whatsapp')}
        text={t('whatsappText')}
        example={t('whatsappExample')}
        {...channel('whatsapp')}
        // One that was proven once may be somebody else's by now: to switch off is always possible.
        isLocked={!me.is_whatsapp_verified && !values.whatsapp}
      >
        {!me.is_whatsapp_verified && (
          <Link className="link justify-self-start py-1" to={paths.proveNumber} state={{ from: paths.account }}>
            {t('whatsappNeedsProof')}
          </Link>
        )}
      </Channel>
      {me.is_email_available && (
        <Channel label={t('byEmail')} text={t('byEmailText')} example={t('byEmailExample')} {...channel('email')}>
          {!me.is_email_proven && <p className="text-notice text-sm">{t('byEmailNeedsProof')}</p>}
        </Channel>
      )}
      <Channel label={t('quiet')} text={t('quietText')} example={t('quietExample')} isOn={isQuiet} onChange={setQuiet}>
        {isQuiet && (
          <div className="grid grid-cols-2 gap-3">
            <TextField label={t('quietFrom')} type="time" required {...textOf(field('quiet_from'))} />
            <TextField label={t('quietTo')} type="time" required {...textOf(field('quiet_to'))} />
          </div>
        )}
      </Channel>
      {saving.isError && <Banner tone="error">{describeFailure(saving.error, t('failed'))}</Banner>}
      <Banner tone="success">{saving.isSuccess && !isChanged && t('saved')}</Banner>
      <Button type="submit" isBusy={saving.isPending} isLocked={!isChanged} busyLabel={t('saving')}>
        {t('save')}
      </Button>
    </form>
  );
}

/** A field that is empty holds no null. */
function textOf<Field extends { value: string | null }>(field: Field): Field & { value: string } {
  return { ...field, value: field.value ?? '' };
}
