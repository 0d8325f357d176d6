import { useTranslation } from 'react-i18next';
import { type CommunityPage, communityChangeSchema } from '#contract/communities.ts';
import { COMMUNITY_DESCRIPTION_MAX_CHARS, COMMUNITY_NAME_MAX_CHARS } from '#contract/limits.ts';
import { useForm } from '#web/lib/use-form.ts';
import { Banner } from '#web/ui/banner.tsx';
import { Button } from '#web/ui/button.tsx';
import { Checkbox } from '#web/ui/checkbox.tsx';
import { TextArea, TextField } from '#web/ui/field.tsx';
import { changeCommunity } from './api.ts';
import { problemOf } from './problem-of.ts';
import { useStep } from './use-step.ts';

/** Its name, which an open one asks the platform for, its description, and whether strangers find it. */
export function SettingsForm({ community }: { community: CommunityPage }) {
  const { t } = useTranslation(['community', 'communities']);
  const { id, name, description, is_listed, pending_name, approval_status } = community;
  const isOpen = approval_status === 1;
  const initial = { name: pending_name ?? name, description, is_listed };
  const { form, field, set, submit, values, showServerErrors } = useForm({
    schema: communityChangeSchema,
    initial,
    isFresh: true,
  });
  const saving = useStep({
    take: (typed: typeof initial) => changeCommunity(id, changesOf(typed, initial)),
    doneText: t('saved'),
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
      {saving.error && <Banner tone="error">{problemOf(saving.error, t)}</Banner>}
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

/** What stays is not sent: another admin may have changed it meanwhile. */
function changesOf<Values extends Record<string, unknown>>(typed: Values, initial: Values): Partial<Values> {
  const changed = Object.entries(typed).filter(([name, value]) => value !== initial[name]);
  return Object.fromEntries(changed) as Partial<Values>;
}
