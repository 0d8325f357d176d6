import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { POST_KINDS } from '#contract/kinds.ts';
import {
  CLAIM_QUESTION_MAX_CHARS,
  CONTACTS,
  type Contact,
  KEPT_AT_MAX_CHARS,
  PRIVATE_MARKS_MAX_CHARS,
} from '#contract/posts.ts';
import { Checkbox, SelectField } from '#web/ui/choice-fields.tsx';
import { TextArea, TextField } from '#web/ui/field.tsx';
import type { useForm } from '#web/ui/form.ts';
import { Icon } from '#web/ui/icon.tsx';
import type { PostFormValues } from './post-draft.ts';
import { findLikelyDetails, isAboutPhone, textOf } from './read-words.ts';

type Fields = Pick<ReturnType<typeof useForm<PostFormValues>>, 'values' | 'set' | 'field'>;

const REASONS = {
  identifier: 'likelyIdentifier',
  kept_at: 'likelyKeptAt',
  on_behalf: 'likelyOnBehalf',
  claim_question: 'likelyClaimQuestion',
} as const;
type Reason = keyof typeof REASONS;

/**
 * "More details": the fields that few posts need. Opens automatically once, when one of these fields has a value, or
 * when the post's text suggests that a field is needed (a message then names the field). Later only the user opens and
 * closes it, except that `useForm` opens it to show an error.
 */
export function MoreDetails({ values, set, field }: Fields) {
  const { t } = useTranslation('posts');
  const isAnswer = values.answers_post_id !== null;
  const reasons = findReasons(values);
  const isWanted = reasons.length > 0 || holdsDetails(values);
  const [isOpen, setIsOpen] = useState(isWanted);
  const [hasOpened, setHasOpened] = useState(isWanted);
  if (isWanted && !hasOpened) {
    setHasOpened(true);
    setIsOpen(true);
  }

  return (
    <div className="border-line border-y">
      {/* Outside `<details>`: a screen reader ignores a live region that appears together with its text. */}
      <div role="status" className="mt-3 grid gap-1 rounded-xl bg-sunken px-3 py-2 text-sm empty:absolute empty:p-0">
        {reasons.map((reason) => (
          <p key={reason}>{t(REASONS[reason])}</p>
        ))}
      </div>
      <details open={isOpen} onToggle={(event) => setIsOpen(event.currentTarget.open)} className="group">
        <summary className="flex min-h-11 cursor-pointer list-none items-center gap-3 py-2 [&::-webkit-details-marker]:hidden">
          <span className="grid grow">
            <span className="font-semibold">{t('moreDetails')}</span>
            <span className="text-muted text-sm">{t(values.is_owner ? 'moreDetailsLost' : 'moreDetailsFound')}</span>
          </span>
          <Icon name="chevron" className="size-5 shrink-0 transition-transform group-open:rotate-180" />
        </summary>
        <div className="grid gap-4 pt-1 pb-4">
          <IdentifierFields {...{ values, set, field }} />
          {!values.is_owner && <KeptAtField field={field} />}
          {!isAnswer && (
            <>
              <Checkbox
                label={t('onBehalf')}
                name="on_behalf"
                checked={values.on_behalf}
                onChange={(event) => set('on_behalf', event.target.checked)}
              />
              <KindField {...{ values, set }} />
            </>
          )}
          <ContactChoice {...{ values, set, field }} />
        </div>
      </details>
    </div>
  );
}

/**
 * Returns the fields in "More details" that the post probably needs. Omits fields that the form does not have for this
 * post, and the identifier if the post already has one.
 */
function findReasons(values: PostFormValues): Reason[] {
  const likely: Reason[] = findLikelyDetails(textOf(values));
  if (!values.is_owner && values.contact === 'claim') likely.push('claim_question');
  return likely.filter((reason) => {
    if (reason === 'identifier') return !values.has_identifiers;
    if (reason === 'kept_at') return !values.is_owner;
    return reason !== 'on_behalf' || values.answers_post_id === null;
  });
}

/**
 * Whether one of the fields in "More details" has a value. The kind of item counts only if the user has chosen it; the
 * Worker may have read it from the text.
 */
function holdsDetails(values: PostFormValues): boolean {
  const { identifier, second_identifier, kept_at, claim_question, private_marks } = values;
  const texts = [identifier, second_identifier, kept_at, claim_question, private_marks];
  return values.has_identifiers || values.on_behalf || values.chosen_kind !== null || texts.some((text) => text !== '');
}

/** The item's identifiers, such as a serial number; a phone has two. The API never returns them to anybody. */
function IdentifierFields({ values, set, field }: Fields) {
  const { t } = useTranslation('posts');
  const hasTwo = values.second_identifier !== '' || isAboutPhone(textOf(values));
  const control = {
    autoComplete: 'off',
    autoCapitalize: 'characters',
    spellCheck: false,
    dir: 'ltr',
    isOptional: true,
  };
  return (
    <>
      <TextField
        label={t('identifier')}
        hint={t(values.has_identifiers ? 'identifierKept' : 'identifierHint')}
        {...control}
        {...field('identifier')}
      />
      {hasTwo && (
        <TextField
          label={t('secondIdentifier')}
          hint={t('secondIdentifierHint')}
          {...control}
          {...field('second_identifier')}
        />
      )}
      {values.has_identifiers && (
        <Checkbox
          label={t('removeIdentifiers')}
          name="removes_identifiers"
          checked={values.removes_identifiers}
          onChange={(event) => set('removes_identifiers', event.target.checked)}
        />
      )}
    </>
  );
}

/** Where a found item is now: the first thing that its owner asks. */
function KeptAtField({ field }: Pick<Fields, 'field'>) {
  const { t } = useTranslation('posts');
  return (
    <TextField
      label={t('keptAt')}
      hint={t('keptAtHint')}
      isOptional
      autoComplete="off"
      maxLength={KEPT_AT_MAX_CHARS}
      {...field('kept_at')}
    />
  );
}

/** Lets the author correct the kind of item, which the Worker read from the text. */
function KindField({ values, set }: Pick<Fields, 'values' | 'set'>) {
  const { t } = useTranslation('posts');
  return (
    <SelectField
      label={t('kind')}
      name="kind"
      value={values.chosen_kind ?? values.read_kind ?? 'read'}
      options={[
        { value: 'read', label: t('kindRead') },
        ...POST_KINDS.map((kind) => ({ value: kind, label: t(`kinds.${kind}`) })),
      ]}
      onChange={(kind) => set('chosen_kind', kind)}
    />
  );
}

const WORDS = {
  number: { label: 'contactNumber', text: 'contactNumberText' },
  claim: { label: 'contactClaim', text: 'claimFirstMine' },
} as const satisfies Record<Contact, object>;

/**
 * Lets a finder choose how people contact them. If people must claim first, also asks for the question to claimants,
 * and for the marks with which the finder compares the answers.
 */
function ContactChoice({ values, set, field }: Fields) {
  const { t } = useTranslation('posts');
  if (values.is_owner) return null;
  return (
    <>
      <fieldset className="grid gap-1">
        <legend className="mb-1 font-semibold">{t('contactQuestion')}</legend>
        {CONTACTS.map((contact) => (
          <label key={contact} className="flex min-h-11 items-start gap-3 py-1.5">
            <input
              type="radio"
              name="contact"
              value={contact}
              checked={values.contact === contact}
              onChange={() => set('contact', contact)}
              className="mt-0.5 size-5 shrink-0 accent-(--accent)"
            />
            <span className="grid">
              <span className="font-medium">{t(WORDS[contact].label)}</span>
              <span className="text-muted text-sm">{t(WORDS[contact].text)}</span>
            </span>
          </label>
        ))}
      </fieldset>
      {values.contact === 'claim' && (
        <>
          <TextArea
            label={t('claimQuestion')}
            hint={t('claimQuestionHint')}
            isOptional
            rows={2}
            maxLength={CLAIM_QUESTION_MAX_CHARS}
            {...field('claim_question')}
          />
          <TextArea
            label={t('privateMarks')}
            hint={t('privateMarksHint')}
            isOptional
            rows={3}
            maxLength={PRIVATE_MARKS_MAX_CHARS}
            {...field('private_marks')}
          />
        </>
      )}
    </>
  );
}
