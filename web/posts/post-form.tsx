import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useLocation } from 'react-router';
import { postInputSchema } from '#contract/posts.ts';
import { ApiError } from '#web/lib/api-client.ts';
import { paths } from '#web/lib/paths.ts';
import { useSession } from '#web/lib/session.ts';
import { useForm } from '#web/lib/use-form.ts';
import { Banner } from '#web/ui/banner.tsx';
import { Button } from '#web/ui/button.tsx';
import { CommunityField } from './community-field.tsx';
import { completePost } from './complete-post.ts';
import type { PostFormValues } from './post-draft.ts';
import { PostFields } from './post-fields.tsx';
import { TitleQuestion, useTitleQuestion } from './title-question.tsx';
import { useAccountNumber } from './use-account-number.ts';
import { useDraft, useKeptValues } from './use-draft.ts';
import { usePostSubmit } from './use-post-submit.ts';

type PostFormProps = { postId: string | null; saved: PostFormValues };

/**
 * The form, kept through whatever interrupts it. One that starts over is a new one: nothing of the last is left in it.
 * @param saved what the fields hold before anything is typed.
 */
export function PostForm(props: PostFormProps) {
  const [round, setRound] = useState(0);
  return <DraftForm key={round} {...props} isAfresh={round > 0} onStartOver={() => setRound(round + 1)} />;
}

function DraftForm({
  postId,
  saved,
  isAfresh,
  onStartOver,
}: PostFormProps & { isAfresh: boolean; onStartOver: () => void }) {
  const { t } = useTranslation('posts');
  const draft = useDraft(postId, saved);
  const accountNumber = useAccountNumber();
  const { form, submit, showServerErrors, ...fields } = useForm({
    schema: postInputSchema,
    initial: draft.initial,
    complete: (typed) => completePost(typed, accountNumber),
  });
  useKeptValues(fields.typed, draft.keep);
  const { settle, focus, ...titleQuestion } = useTitleQuestion(fields.values);
  const submission = usePostSubmit(postId, draft, showServerErrors);

  // The button that started it over went with the form before.
  useEffect(() => {
    if (isAfresh) focusField(form.current, '[name=title]');
  }, [form, isAfresh]);

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
      onSubmit={submit((values) => (titleQuestion.titleSays === null ? submission.submit(values) : focus()))}
    >
      <LoginNotice />
      {draft.isRestored && !submission.success && (
        <RestoredNotice isLocked={submission.isLocked} onStartOver={startOver} />
      )}
      <PostFields {...fields} titleQuestion={<TitleQuestion {...titleQuestion} onAnswer={answerTitle} />} />
      <CommunityField value={fields.values.community_code} onChange={(code) => fields.set('community_code', code)} />
      {submission.problem && <SubmitProblem error={submission.problem} />}
      {submission.success && <Banner tone="success">{submission.success}</Banner>}
      <Button type="submit" isBusy={submission.isLocked}>
        {submission.isLocked ? t('saving') : postId === null ? t('create') : t('saveChanges')}
      </Button>
    </form>
  );
}

function focusField(form: HTMLFormElement | null, selector: string): void {
  form?.querySelector<HTMLElement>(selector)?.focus();
}

function RestoredNotice({ isLocked, onStartOver }: { isLocked: boolean; onStartOver: () => void }) {
  const { t } = useTranslation('posts');
  return (
    <Banner tone="notice">
      {t('draftRestored')}{' '}
      <button type="button" className="link py-1" disabled={isLocked} onClick={onStartOver}>
        {t('startOver')}
      </button>
    </Banner>
  );
}

/** A visitor may write first; the draft waits for them behind the sign-in. */
function LoginNotice() {
  const { t } = useTranslation('posts');
  const { pathname, state } = useLocation();
  if (useSession()) return null;
  return (
    <Banner tone="notice">
      {t('loginToPost')}{' '}
      <Link className="link py-1" to={paths.login} state={{ from: pathname, fromState: state }}>
        {t('login')}
      </Link>
    </Banner>
  );
}

/** The specification's sentence for any failure, and under it the server's own reason. */
function SubmitProblem({ error }: { error: Error }) {
  const { t } = useTranslation('posts');
  const reason = error instanceof ApiError && error.status !== 401 ? error.detail || t('noAnswerDraftKept') : null;
  return (
    <Banner tone="error">
      <p className="font-semibold">{t('submitFailed')}</p>
      {reason && <p>{reason}</p>}
    </Banner>
  );
}
