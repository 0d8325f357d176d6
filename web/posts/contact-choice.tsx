import { useTranslation } from 'react-i18next';
import { CLAIM_QUESTION_MAX_CHARS, PRIVATE_MARKS_MAX_CHARS } from '#contract/limits.ts';
import { CONTACTS, type Contact } from '#contract/posts.ts';
import type { useForm } from '#web/lib/use-form.ts';
import { TextArea } from '#web/ui/field.tsx';
import type { PostFormValues } from './post-draft.ts';

type Fields = Pick<ReturnType<typeof useForm<PostFormValues>>, 'typed' | 'values' | 'set' | 'field'>;

const WORDS = {
  claim: { label: 'contactClaim', text: 'claimFirstMine' },
  number: { label: 'contactNumber', text: 'contactNumberText' },
} as const satisfies Record<Contact, object>;

/** How a finder is reached; by a claim, what it is asked and compared with. */
export function ContactChoice({ typed, values, set, field }: Fields) {
  const { t } = useTranslation('posts');
  if (values.is_owner) return null;
  const isProposed = typed.contact === null && values.contact === 'claim';
  return (
    <>
      <fieldset className="grid gap-1">
        <legend className="mb-1 font-semibold">{t('contactQuestion')}</legend>
        {[...CONTACTS].reverse().map((contact) => (
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
        <p role="status" className="text-muted text-sm">
          {isProposed && t('contactProposed')}
        </p>
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
