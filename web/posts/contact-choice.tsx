import { useTranslation } from 'react-i18next';
import { CLAIM_QUESTION_MAX_CHARS, PRIVATE_MARKS_MAX_CHARS } from '#contract/limits.ts';
import { CONTACTS, type Contact } from '#contract/posts.ts';
import type { useForm } from '#web/lib/use-form.ts';
import { Button } from '#web/ui/button.tsx';
import { TextArea } from '#web/ui/field.tsx';
import type { PostFormValues } from './post-draft.ts';
import { isWantedByMany, textOf } from './read-words.ts';

type Fields = Pick<ReturnType<typeof useForm<PostFormValues>>, 'values' | 'set' | 'field'>;

const WORDS = {
  number: { label: 'contactNumber', text: 'contactNumberText' },
  claim: { label: 'contactClaim', text: 'claimFirstMine' },
} as const satisfies Record<Contact, object>;

/**
 * Suggests to the finder of a document or device to be contacted through Patikana. The number is shown unless they
 * press the button. The same button takes the choice back, so that the focus stays on it.
 */
export function ContactSuggestion({ values, set }: Pick<Fields, 'values' | 'set'>) {
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

/** How people contact a finder; through claims, what claimants are asked and what their answers are compared with. */
export function ContactChoice({ values, set, field }: Fields) {
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
