import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { stripPhoneSeparators } from '#contract/typed-numbers.ts';
import { Button } from '#web/ui/button.tsx';
import { TextArea, TextField } from '#web/ui/field.tsx';
import type { useForm } from '#web/ui/form.ts';
import { Icon, type IconName } from '#web/ui/icon.tsx';
import type { PostFormValues } from './post-draft.ts';
import { isOfLostPhone, isWantedByMany, textOf } from './read-words.ts';

type Fields = Pick<ReturnType<typeof useForm<PostFormValues>>, 'values' | 'set' | 'field'>;

/**
 * The fields that every post shows. The fields that a finder can surely fill in come first. For a post that answers a
 * lost post ("I found this"), the fields for the side and the owner's name are missing.
 */
export function PostFields({ values, set, field }: Fields) {
  const { t } = useTranslation('posts');
  const isAnswer = values.answers_post_id !== null;
  return (
    <>
      {isAnswer ? (
        <Button look="quiet" className="-ml-4 justify-self-start" onClick={() => set('answers_post_id', null)}>
          {t('answerNot')}
        </Button>
      ) : (
        <OwnerQuestion isOwner={values.is_owner} onAnswer={(isOwner) => set('is_owner', isOwner)} />
      )}
      <TextField label={t('title')} hint={t('titleHint')} autoComplete="off" enterKeyHint="next" {...field('title')} />
      <TextField
        label={t('location')}
        hint={t(`locationHint.${sideOf(values.is_owner)}`)}
        autoComplete="off"
        {...field('location')}
      />
      <NumberField {...{ values, set, field }} />
      {!isAnswer && <NameFields {...{ values, field }} />}
      <TextArea
        label={t('description')}
        hint={values.is_owner ? t('descriptionHintLost') : t('descriptionHint')}
        isOptional
        {...field('description')}
      />
      {/* The suggestion depends on the title and the description. It is below both fields, so that the field that the
          user is editing does not move when the suggestion appears. */}
      <ContactSuggestion {...{ values, set }} />
    </>
  );
}

function sideOf(isOwner: boolean | null): 'unset' | 'lost' | 'found' {
  if (isOwner === null) return 'unset';
  return isOwner ? 'lost' : 'found';
}

/** Asks whether the user lost the item. If the user does not answer, the post is a finder's post. */
function OwnerQuestion({
  isOwner,
  onAnswer,
}: {
  isOwner: PostFormValues['is_owner'];
  onAnswer: (isOwner: boolean) => void;
}) {
  const { t } = useTranslation('posts');
  return (
    <fieldset className="grid gap-2">
      <legend className="mb-2 font-semibold">{t('isOwner')}</legend>
      <div className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,8rem),1fr))] gap-3">
        <Answer
          look="has-checked:border-lost has-checked:bg-lost-soft has-checked:text-lost"
          icon="search"
          value="owner"
          label={t('isOwnerYes')}
          checked={isOwner === true}
          onChange={() => onAnswer(true)}
        />
        <Answer
          look="has-checked:border-found has-checked:bg-found-soft has-checked:text-found"
          icon="tag"
          value="finder"
          label={t('isOwnerNo')}
          checked={isOwner === false}
          onChange={() => onAnswer(false)}
        />
      </div>
      <p role="status" className="text-muted text-sm">
        {t(`isOwnerMeans.${sideOf(isOwner)}`)}
      </p>
    </fieldset>
  );
}

type AnswerProps = {
  look: string;
  icon: IconName;
  value: string;
  label: string;
  checked: boolean;
  onChange: () => void;
};

function Answer({ look, icon, label, ...radio }: AnswerProps) {
  return (
    <label
      className={`grid min-h-24 cursor-pointer content-center gap-2 rounded-xl border-2 border-field-line p-3 font-semibold ${look}`}
    >
      <span className="flex items-center justify-between gap-2">
        <input {...radio} type="radio" name="posted_by" className="size-5 accent-current" />
        <Icon name={icon} className="size-7" />
      </span>
      {label}
    </label>
  );
}

/**
 * The field for the phone number. If the user has emptied this field, or focused it while empty, the account's number
 * does not fill it.
 */
function NumberField({ values, set, field }: Fields) {
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

/** The owner's name, as written on the item. If the user is the owner, the browser can fill in the user's own name. */
function NameFields({ values, field }: Pick<Fields, 'values' | 'field'>) {
  const { t } = useTranslation(['posts', 'common']);
  const hintId = useId();
  return (
    <fieldset className="grid gap-1.5" aria-describedby={hintId}>
      <legend className="mb-1.5 font-semibold">
        {t('nameOnIt')} <span className="font-normal text-muted text-sm">{t('common:optional')}</span>
      </legend>
      <p id={hintId} className="text-muted text-sm">
        {values.is_owner ? t('nameOnItHintLost') : t('nameOnItHint')}
      </p>
      <div className="grid grid-cols-2 gap-3">
        <TextField
          label={t('firstName')}
          autoComplete={values.is_owner ? 'given-name' : 'off'}
          {...field('owner_first_name')}
        />
        <TextField
          label={t('lastName')}
          autoComplete={values.is_owner ? 'family-name' : 'off'}
          {...field('owner_last_name')}
        />
      </div>
    </fieldset>
  );
}

/**
 * Suggests to the finder of a document or device that people contact the finder through Patikana. If the finder does
 * not press the button, the post shows the phone number. The same button undoes the choice, so that the focus stays on
 * the button.
 */
function ContactSuggestion({ values, set }: Pick<Fields, 'values' | 'set'>) {
  const { t } = useTranslation('posts');
  const isSuggested = !values.is_owner && isWantedByMany(textOf(values));
  const isByClaim = values.contact === 'claim';
  return (
    <div className="-mt-2 flex flex-wrap items-center gap-x-3 rounded-xl bg-sunken px-3 py-1 has-[p:empty]:absolute has-[p:empty]:p-0">
      <p role="status" className="grow basis-48 py-1 text-sm empty:py-0">
        {isSuggested && t(isByClaim ? 'claimFirstMine' : 'contactSuggestion')}
      </p>
      {isSuggested && (
        <Button look="quiet" className="-ml-4" onClick={() => set('contact', isByClaim ? 'number' : 'claim')}>
          {t(isByClaim ? 'showMyNumber' : 'hideMyNumber')}
        </Button>
      )}
    </div>
  );
}
