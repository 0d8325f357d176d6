import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { Me } from '#contract/accounts.ts';
import { DEFAULT_NOTICE_SETTINGS, type NoticeSettings, noticeSettingsSchema } from '#contract/channels.ts';
import { failureText } from '#web/api/client.ts';
import { useSession } from '#web/api/session.ts';
import { paths } from '#web/lib/paths.ts';
import {
  HomeScreenFirst,
  noticeSettingsQuery,
  PushRefused,
  pushKeyQuery,
  usePushChoice,
} from '#web/push/push-choice.tsx';
import { isSubscribed } from '#web/push/subscription.ts';
import { arePushesRefused, pushSupport } from '#web/push/support.ts';
import { Banner } from '#web/ui/banner.tsx';
import { Button } from '#web/ui/button.tsx';
import { TextField } from '#web/ui/field.tsx';
import { useForm } from '#web/ui/form.ts';
import { QueryState } from '#web/ui/query-state.tsx';
import { saveNoticeSettings } from './own-api.ts';

/**
 * The settings for notices while Patikana is closed: whether this phone receives pushes, which channels notify the
 * user, and the quiet hours.
 */
export function NoticeSettingsPart({ me }: { me: Me }) {
  const { t } = useTranslation('settings');
  const query = useQuery(noticeSettingsQuery);
  const pushKey = useQuery(pushKeyQuery);
  return (
    <section className="grid gap-3">
      <h2>{t('noticesTitle')}</h2>
      <p className="text-muted">{t('noticesText')}</p>
      <QueryState
        query={{ ...query, data: pushKey.isPending ? undefined : query.data }}
        failed={t('noticesFailed')}
        skeleton={<div className="skeleton h-96" aria-busy="true" />}
      >
        {(settings) => (
          <>
            {pushKey.isSuccess && <PushHere />}
            <NoticeSettingsForm me={me} settings={settings} hasPush={pushKey.isSuccess} />
          </>
        )}
      </QueryState>
    </section>
  );
}

type NoticeSettingsFormProps = {
  me: Me;
  settings: NoticeSettings;
  /** Whether the server sends pushes. */
  hasPush: boolean;
};

/** Each channel with an explanation and an example, then the quiet hours. */
function NoticeSettingsForm({ me, settings, hasPush }: NoticeSettingsFormProps) {
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
        // A user whose phone number is no longer proven cannot switch WhatsApp notices on. The user can always switch
        // them off, because the number may belong to another person now.
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
      {saving.isError && <Banner tone="error">{failureText(saving.error, t('failed'))}</Banner>}
      <Banner tone="success">{saving.isSuccess && !isChanged && t('saved')}</Banner>
      <Button type="submit" isBusy={saving.isPending} isLocked={!isChanged} busyLabel={t('saving')}>
        {t('save')}
      </Button>
    </form>
  );
}

function textOf<Field extends { value: string | null }>(field: Field): Field & { value: string } {
  return { ...field, value: field.value ?? '' };
}

type ChannelProps = {
  label: string;
  text: string;
  example: string;
  isOn: boolean;
  onChange: (isOn: boolean) => void;
  isLocked?: boolean;
  children?: ReactNode;
};

/** A switch with an explanation and an example. */
function Channel({ label, text, example, isOn, onChange, isLocked = false, children }: ChannelProps) {
  const { t } = useTranslation('settings');
  const id = useId();
  return (
    <div className="grid gap-1.5">
      <label className="flex min-h-11 items-center gap-3">
        <input
          type="checkbox"
          className="size-5 shrink-0 accent-(--accent)"
          checked={isOn}
          disabled={isLocked}
          aria-describedby={id}
          onChange={(event) => onChange(event.target.checked)}
        />
        <span className="font-semibold">{label}</span>
      </label>
      <div id={id} className="grid gap-1.5 text-sm">
        <p className="text-muted">{text}</p>
        <p className="rounded-lg bg-sunken px-3 py-2">
          <span className="text-muted">{t('example')}: </span>
          {example}
        </p>
      </div>
      {children}
    </div>
  );
}

/**
 * Shows whether this phone receives pushes, with a button that switches them on or off. Shows nothing if the browser
 * does not support pushes.
 */
function PushHere() {
  const support = pushSupport();
  if (support === 'none') return null;
  if (support === 'here') return <Choice />;
  return (
    <div className="card">
      <HomeScreenFirst />
    </div>
  );
}

function Choice() {
  const { t } = useTranslation('push');
  const userId = useSession()?.userId ?? '';
  const [isOn, setIsOn] = useState(() => isSubscribed(userId));
  const { begin, end } = usePushChoice();
  const card = useRef<HTMLDivElement>(null);
  const hasFailed = begin.isError || end.isError;

  /** The pressed button is replaced by another one, so the focus moves to the card. */
  function setDone(isOnNow: boolean) {
    setIsOn(isOnNow);
    if (isOnNow !== isOn || arePushesRefused()) card.current?.focus();
  }

  if (arePushesRefused()) {
    return (
      <div ref={card} tabIndex={-1} className="outline-none">
        <PushRefused />
      </div>
    );
  }
  return (
    <div ref={card} tabIndex={-1} className="card grid gap-3 outline-none">
      {hasFailed && <Banner tone="error">{t('failed')}</Banner>}
      <p role="status">{isOn ? t('here') : t(end.isSuccess ? 'ended' : 'notHere')}</p>
      {isOn ? (
        <Button
          // The key makes this a new button in React. Otherwise the second press of a double click on "begin" would
          // press "end".
          key="end"
          look="secondary"
          isBusy={end.isPending}
          onClick={() => end.mutate(undefined, { onSuccess: () => setDone(false) })}
        >
          {t('endHere')}
        </Button>
      ) : (
        <Button
          key="begin"
          icon="bell"
          isBusy={begin.isPending}
          busyLabel={t('asking')}
          onClick={() => begin.mutate(undefined, { onSuccess: setDone })}
        >
          {t('beginHere')}
        </Button>
      )}
    </div>
  );
}
