import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Post } from '#contract/posts.ts';
import { useForm } from '#web/lib/use-form.ts';
import { useKeptValues } from '#web/lib/use-kept-values.ts';
import { AccountNotice } from './account-needed.tsx';
import { CommunityField } from './community-field.tsx';
import { MoreDetails } from './more-details.tsx';
import { PhotoField } from './photos/photo-field.tsx';
import { type PostFormValues, VISITORS_DRAFT } from './post-draft.ts';
import { PostFields } from './post-fields.tsx';
import { postFormSchema } from './post-form-schema.ts';
import { isAboutDocument, isOfLostPhone } from './read-words.ts';
import { RestoredNotice } from './restored-notice.tsx';
import { SubmitPart } from './submit-part.tsx';
import { useAccountNumber } from './use-account-number.ts';
import { useDraft } from './use-draft.ts';
import { usePostSubmit } from './use-post-submit.ts';

type PostFormProps = { post: Post | null; saved: PostFormValues; draftKey: string; takesFocus?: boolean };

/**
 * The form, kept through whatever interrupts it. One that starts over is a new one: nothing of the last is left in it.
 * @param post the one to update, or null to make one.
 * @param saved what the fields hold before anything is typed.
 * @param draftKey where the form keeps what is typed.
 * @param takesFocus whether the button that led to it is gone.
 */
export function PostForm({ takesFocus = false, ...props }: PostFormProps) {
  const [round, setRound] = useState(0);
  return (
    <DraftForm key={round} {...props} takesFocus={takesFocus || round > 0} onStartOver={() => setRound(round + 1)} />
  );
}

function DraftForm({ post, saved, draftKey, takesFocus, onStartOver }: PostFormProps & { onStartOver: () => void }) {
  const { t } = useTranslation('posts');
  const draft = useDraft(draftKey, saved);
  const accountNumber = useAccountNumber();
  const { form, submit, showServerErrors, ...fields } = useForm({
    schema: postFormSchema,
    initial: draft.initial,
    complete: (typed) => fillNumber(typed, accountNumber),
  });
  useKeptValues(fields.typed, draft.keep);
  const submission = usePostSubmit(post?.id ?? null, draft, showServerErrors);

  useEffect(() => {
    if (takesFocus) form.current?.querySelector<HTMLElement>('[name=title]')?.focus();
  }, [form, takesFocus]);

  function startOver() {
    draft.finish();
    onStartOver();
  }

  return (
    <form
      ref={form}
      noValidate
      className="card grid gap-4"
      onSubmit={submit((values) => void submission.submit(values))}
    >
      {submission.question !== 'account' && <AccountNotice />}
      {draft.isRestored && !submission.success && (
        <RestoredNotice
          isVisitors={draftKey === VISITORS_DRAFT}
          isLocked={submission.isLocked}
          onStartOver={startOver}
        />
      )}
      <PostFields {...fields} />
      <PhotoField
        place={draft.place}
        post={post}
        isOfDocument={post ? post.kind === 'document' : isAboutDocument(fields.values.title)}
      />
      <CommunityField value={fields.values.community_code} onChange={(code) => fields.set('community_code', code)} />
      <MoreDetails {...fields} />
      <SubmitPart submission={submission} label={post === null ? t('create') : t('saveChanges')} />
    </form>
  );
}

/** Adds the account's number, unless it does not reach the author: it is in the lost phone, or the post is for somebody else. */
function fillNumber(typed: PostFormValues, accountNumber: string | null): PostFormValues {
  const number = isOfLostPhone(typed) || typed.on_behalf ? null : accountNumber;
  return { ...typed, phone_number: typed.phone_number ?? number ?? '' };
}
