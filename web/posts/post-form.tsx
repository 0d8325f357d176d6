import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Post } from '#contract/posts.ts';
import { useForm } from '#web/lib/use-form.ts';
import { useKeptValues } from '#web/lib/use-kept-values.ts';
import { AccountNotice } from './account-needed.tsx';
import { CommunityField } from './community-field.tsx';
import { completePost } from './complete-post.ts';
import { isAboutDocument } from './is-about-document.ts';
import { PhotoField } from './photos/photo-field.tsx';
import { type PostFormValues, VISITORS_DRAFT } from './post-draft.ts';
import { PostFields } from './post-fields.tsx';
import { postFormSchema } from './post-form-schema.ts';
import { RestoredNotice } from './restored-notice.tsx';
import { SubmitPart } from './submit-part.tsx';
import { TitleQuestion, useTitleQuestion } from './title-question.tsx';
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
    complete: (typed) => completePost(typed, accountNumber),
  });
  useKeptValues(fields.typed, draft.keep);
  const { settle, focus, ...titleQuestion } = useTitleQuestion(fields.values);
  const submission = usePostSubmit(post?.id ?? null, draft, showServerErrors);

  useEffect(() => {
    if (takesFocus) focusField(form.current, '[name=title]');
  }, [form, takesFocus]);

  function startOver() {
    draft.finish();
    onStartOver();
  }

  /** The buttons of the question go with its answer, and the focus goes to what they changed. */
  function answerTitle(isOwner: boolean) {
    settle();
    fields.set('is_owner', isOwner);
    focusField(form.current, `[name=posted_by][value=${isOwner ? 'owner' : 'finder'}]`);
  }

  return (
    <form
      ref={form}
      noValidate
      className="card grid gap-4"
      onSubmit={submit((values) => (titleQuestion.titleSays === null ? void submission.submit(values) : focus()))}
    >
      {submission.question !== 'account' && <AccountNotice />}
      {draft.isRestored && !submission.success && (
        <RestoredNotice
          isVisitors={draftKey === VISITORS_DRAFT}
          isLocked={submission.isLocked}
          onStartOver={startOver}
        />
      )}
      <PostFields {...fields} titleQuestion={<TitleQuestion {...titleQuestion} onAnswer={answerTitle} />} />
      <PhotoField
        place={draft.place}
        post={post}
        isOfDocument={post ? post.kind === 'document' : isAboutDocument(fields.values.title)}
      />
      <CommunityField value={fields.values.community_code} onChange={(code) => fields.set('community_code', code)} />
      <SubmitPart submission={submission} label={post === null ? t('create') : t('saveChanges')} />
    </form>
  );
}

function focusField(form: HTMLFormElement | null, selector: string): void {
  form?.querySelector<HTMLElement>(selector)?.focus();
}
