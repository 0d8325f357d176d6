import { useTranslation } from 'react-i18next';
import { Link, useLocation } from 'react-router';
import { ApiError } from '#web/lib/api-client.ts';
import { paths } from '#web/lib/paths.ts';
import { useSession } from '#web/lib/session.ts';
import { useForm } from '#web/lib/use-form.ts';
import { Banner } from '#web/ui/banner.tsx';
import { Button } from '#web/ui/button.tsx';
import { postInputSchema } from '#worker/contract/posts.ts';
import { CommunityField } from './community-field.tsx';
import type { PostFormValues } from './post-draft.ts';
import { PostFields } from './post-fields.tsx';
import { useDraft, useKeptValues } from './use-draft.ts';
import { usePostSubmit } from './use-post-submit.ts';

/** @param saved what the fields hold before anything is typed. */
export function PostForm({ postId, saved }: { postId: string | null; saved: PostFormValues }) {
  const { t } = useTranslation('posts');
  const draft = useDraft(postId, saved);
  const { form, submit, setAll, showServerErrors, ...fields } = useForm({
    schema: postInputSchema,
    initial: draft.initial,
  });
  useKeptValues(fields.values, draft.keep);
  const submission = usePostSubmit(postId, draft, showServerErrors);

  function startOver() {
    draft.discard();
    setAll(saved);
  }

  return (
    <form ref={form} noValidate className="card grid gap-4" onSubmit={submit(submission.submit)}>
      <LoginNotice />
      {draft.isRestored && !submission.isDone && (
        <Banner tone="notice">
          {t('draftRestored')}{' '}
          <button type="button" className="link py-1" onClick={startOver}>
            {t('startOver')}
          </button>
        </Banner>
      )}
      <PostFields {...fields} />
      <CommunityField value={fields.values.community_code} onChange={(code) => fields.set('community_code', code)} />
      {submission.problem && <SubmitProblem error={submission.problem} />}
      {submission.isDone && <Banner tone="success">{postId === null ? t('created') : t('updated')}</Banner>}
      <Button type="submit" isBusy={submission.isLocked}>
        {submission.isLocked ? t('saving') : postId === null ? t('create') : t('saveChanges')}
      </Button>
    </form>
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
