import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { stripPhoneSeparators } from '#contract/normalise-phone.ts';
import type { useForm } from '#web/lib/use-form.ts';
import { Button } from '#web/ui/button.tsx';
import { Checkbox } from '#web/ui/checkbox.tsx';
import { TextArea, TextField } from '#web/ui/field.tsx';
import { isOfLostPhone } from './complete-post.ts';
import { ContactChoice } from './contact-choice.tsx';
import { IdentifierFields } from './identifier-fields.tsx';
import { OwnerChoice } from './owner-choice.tsx';
import type { PostFormValues } from './post-draft.ts';
import { KeptAtField, KindField } from './thing-fields.tsx';

type Fields = Pick<ReturnType<typeof useForm<PostFormValues>>, 'typed' | 'values' | 'set' | 'field'>;

/** First what a finder knows at once: what, where, and how to reach them. Who answers a lost post is asked no more than that. */
export function PostFields({ typed, values, set, field, titleQuestion }: Fields & { titleQuestion: ReactNode }) {
  const { t } = useTranslation('posts');
  const locationHint =
    values.is_owner === null ? t('locationHint') : t(values.is_owner ? 'locationHintLost' : 'locationHintFound');
  const isAnswer = values.answers_post_id !== null;
  return (
    <>
      {isAnswer ? (
        <Button look="quiet" className="-ml-4 justify-self-start" onClick={() => set('answers_post_id', null)}>
          {t('answerNot')}
        </Button>
      ) : (
        <OwnerChoice
          isOwner={values.is_owner}
          isGuessed={typed.is_owner === null}
          onChoose={(isOwner) => set('is_owner', isOwner)}
        />
      )}
      <TextField label={t('title')} hint={t('titleHint')} autoComplete="off" enterKeyHint="next" {...field('title')} />
      {titleQuestion}
      <TextField label={t('location')} hint={locationHint} autoComplete="off" {...field('location')} />
      <NumberField {...{ values, set, field }} />
      {!isAnswer && (
        <Checkbox
          label={t('onBehalf')}
          name="on_behalf"
          checked={values.on_behalf}
          onChange={(event) => set('on_behalf', event.target.checked)}
        />
      )}
      <ContactChoice {...{ typed, values, set, field }} />
      <KeptAtField {...{ values, field }} />
      <TextArea
        label={t('description')}
        hint={values.is_owner ? t('descriptionHintLost') : t('descriptionHint')}
        isOptional
        {...field('description')}
      />
      {!isAnswer && <KindField {...{ values, set }} />}
      <IdentifierFields {...{ values, set, field }} />
      {!isAnswer && <OwnerFields {...{ values, set, field }} />}
    </>
  );
}

/** Whoever is in the field before their account's number is known types it themselves: it must not come between. */
function NumberField({ values, set, field }: Pick<Fields, 'values' | 'set' | 'field'>) {
  const { t } = useTranslation('posts');
  const isByClaim = !values.is_owner && values.contact === 'claim';
  const hint = isOfLostPhone(values) ? t('phoneHintOther') : t(isByClaim ? 'phoneHintClaim' : 'phoneHint');
  return (
    <TextField
      label={t('phoneNumber')}
      hint={<span role="status">{hint}</span>}
      type="tel"
      inputMode="tel"
      autoComplete="tel"
      {...field('phone_number')}
      value={values.phone_number ?? ''}
      dir="ltr"
      onFocus={() => values.phone_number === '' && set('phone_number', '')}
      onChange={(event) => set('phone_number', stripPhoneSeparators(event.target.value))}
    />
  );
}

function OwnerFields({ values, set, field }: Pick<Fields, 'values' | 'set' | 'field'>) {
  const { t } = useTranslation('posts');
  return (
    <>
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField
          label={t('ownerFirstName')}
          isOptional
          autoComplete={values.is_owner ? 'given-name' : 'off'}
          {...field('owner_first_name')}
        />
        <TextField
          label={t('ownerLastName')}
          isOptional
          autoComplete={values.is_owner ? 'family-name' : 'off'}
          {...field('owner_last_name')}
        />
      </div>
      <Checkbox
        label={t('isOwner')}
        name="is_owner"
        checked={values.is_owner === true}
        onChange={(event) => set('is_owner', event.target.checked)}
      />
    </>
  );
}
