import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { KEPT_AT_MAX_CHARS } from '#contract/limits.ts';
import { POST_KINDS } from '#contract/post-kinds.ts';
import type { useForm } from '#web/lib/use-form.ts';
import { Checkbox } from '#web/ui/checkbox.tsx';
import { TextField } from '#web/ui/field.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { SelectField } from '#web/ui/select-field.tsx';
import { ContactChoice } from './contact-choice.tsx';
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
 * What few posts need. Opens once, when a field inside has a value or the text makes one likely, and says which. From
 * then on only the user closes it, and nothing reopens it but an error inside (`useForm`).
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
      {/* Outside the disclosure: a screen reader hears nothing of a region that appears together with its text. */}
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

/** Only of fields that the form shows, and of an identifier only while the post has none. */
function findReasons(values: PostFormValues): Reason[] {
  const likely: Reason[] = findLikelyDetails(textOf(values));
  if (!values.is_owner && values.contact === 'claim') likely.push('claim_question');
  return likely.filter((reason) => {
    if (reason === 'identifier') return !values.has_identifiers;
    if (reason === 'kept_at') return !values.is_owner;
    return reason !== 'on_behalf' || values.answers_post_id === null;
  });
}

/** The kind that the Worker read is no value: nobody has chosen it. */
function holdsDetails(values: PostFormValues): boolean {
  const { identifier, second_identifier, kept_at, claim_question, private_marks } = values;
  const texts = [identifier, second_identifier, kept_at, claim_question, private_marks];
  return values.has_identifiers || values.on_behalf || values.chosen_kind !== null || texts.some((text) => text !== '');
}

/** The number that only this thing has; a phone has two. A stored one is not shown, not even to its author. */
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

/** Where a found thing is now: its owner asks that first. */
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

/** Lets the author correct the kind that the Worker reads from the text. */
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
