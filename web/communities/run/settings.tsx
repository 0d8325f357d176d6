import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type CommunityPage, communityChangeSchema } from '#contract/communities.ts';
import { COMMUNITY_CLOSES_DAYS, COMMUNITY_DESCRIPTION_MAX_CHARS, COMMUNITY_NAME_MAX_CHARS } from '#contract/limits.ts';
import { failureText } from '#web/api/client.ts';
import { queryKeys } from '#web/api/query-keys.ts';
import { changeCommunity, closeCommunity } from '#web/communities/api.ts';
import { LeaveCommunity } from '#web/communities/community/leave-community.tsx';
import { useAction } from '#web/ui/action.ts';
import { Banner } from '#web/ui/banner.tsx';
import { Button } from '#web/ui/button.tsx';
import { Checkbox } from '#web/ui/choice-fields.tsx';
import { ConfirmDialog } from '#web/ui/dialogs.tsx';
import { TextArea, TextField } from '#web/ui/field.tsx';
import { useForm } from '#web/ui/form.ts';
import { RenewDialog } from './member-dialog.tsx';

/** The settings for a community's admins. The members and the requests to join are in another tab. */
export function Settings({ community }: { community: CommunityPage }) {
  return (
    <div className="grid items-start gap-5 lg:grid-cols-2">
      <SettingsForm community={community} />
      <div className="grid gap-5">
        <AccessCode community={community} />
        <Ending community={community} />
      </div>
    </div>
  );
}

function AccessCode({ community: { id } }: { community: CommunityPage }) {
  const { t } = useTranslation('community');
  const [isAsking, setIsAsking] = useState(false);
  return (
    <section className="card grid gap-3" aria-labelledby="new-code">
      <h2 id="new-code">{t('newCode')}</h2>
      <p className="text-muted text-sm">{t('newCodeText')}</p>
      <Button look="secondary" icon="qr" className="justify-self-start" onClick={() => setIsAsking(true)}>
        {t('renew')}
      </Button>
      {isAsking && <RenewDialog communityId={id} onClose={() => setIsAsking(false)} />}
    </section>
  );
}

/** Lets an admin close the community or leave it. To leave, the last admin must first appoint another. */
function Ending({ community }: { community: CommunityPage }) {
  const { t } = useTranslation('community');
  const [isAsking, setIsAsking] = useState(false);
  const closing = useAction({
    run: () => closeCommunity(community.id),
    done: t('closing', { name: community.name }),
    onDone: () => setIsAsking(false),
    stale: [queryKeys.communities.all],
  });
  return (
    <section className="card grid gap-3" aria-labelledby="ending">
      <h2 id="ending">{t('ending')}</h2>
      <p className="text-muted text-sm">{t('endingText')}</p>
      {community.closes_at === null && (
        <Button look="secondary" className="justify-self-start text-danger" onClick={() => setIsAsking(true)}>
          {t('closeCommunity')}
        </Button>
      )}
      <LeaveCommunity community={community} />
      {isAsking && (
        <ConfirmDialog
          title={t('closeTitle', { name: community.name })}
          action={t('closeIt')}
          step={closing}
          problem={closing.error && failureText(closing.error, t('failed'), t('noAnswer'))}
          onConfirm={() => closing.mutate()}
          onClose={() => setIsAsking(false)}
        >
          <p>{t('closeText', { count: COMMUNITY_CLOSES_DAYS })}</p>
        </ConfirmDialog>
      )}
    </section>
  );
}

/**
 * The name, the description, and whether non-members can find the community. The platform's admins must approve a new
 * name.
 */
function SettingsForm({ community }: { community: CommunityPage }) {
  const { t } = useTranslation(['community', 'communities']);
  const { id, name, description, is_listed, pending_name, approval_status } = community;
  const isOpen = approval_status === 1;
  const initial = { name: pending_name ?? name, description, is_listed };
  const { form, field, set, submit, values, showServerErrors } = useForm({
    schema: communityChangeSchema,
    initial,
    isFresh: true,
  });
  const saving = useAction({
    run: (typed: typeof initial) => changeCommunity(id, changesOf(typed, initial)),
    done: t('saved'),
    stale: [queryKeys.communities.all],
  });
  const isNewName = isOpen && values.name.trim() !== name;
  return (
    <form
      ref={form}
      noValidate
      className="card grid gap-4"
      onSubmit={submit((typed) => !saving.isPending && saving.mutate(typed, { onError: showServerErrors }))}
    >
      <h2>{t('aboutIt')}</h2>
      {pending_name !== null && <Banner tone="notice">{t('nameWaits', { name: pending_name, former: name })}</Banner>}
      {saving.error && <Banner tone="error">{failureText(saving.error, t('failed'), t('noAnswer'))}</Banner>}
      <TextField
        label={t('communities:name')}
        hint={<span role="status">{t(isNewName ? 'newNameHint' : 'nameHint')}</span>}
        autoComplete="off"
        maxLength={COMMUNITY_NAME_MAX_CHARS}
        {...field('name')}
      />
      <TextArea
        label={t('communities:description')}
        hint={t('communities:descriptionHint')}
        isOptional
        rows={4}
        maxLength={COMMUNITY_DESCRIPTION_MAX_CHARS}
        {...field('description')}
      />
      <div className="grid gap-1">
        <Checkbox
          label={t('isListed')}
          name="is_listed"
          checked={values.is_listed}
          aria-describedby="is-listed-text"
          onChange={(event) => set('is_listed', event.target.checked)}
        />
        <p id="is-listed-text" className="text-muted text-sm">
          {t('isListedText')}
        </p>
      </div>
      <Button type="submit" isBusy={saving.isPending} className="justify-self-start">
        {t('save')}
      </Button>
    </form>
  );
}

/** Returns the changed fields. Unchanged fields are not sent, because another admin may have changed them meanwhile. */
function changesOf<Values extends Record<string, unknown>>(typed: Values, initial: Values): Partial<Values> {
  const changed = Object.entries(typed).filter(([name, value]) => value !== initial[name]);
  return Object.fromEntries(changed) as Partial<Values>;
}
