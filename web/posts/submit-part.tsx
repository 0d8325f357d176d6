import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '#web/lib/api-client.ts';
import { hasComeThrough } from '#web/lib/spent-key.ts';
import { Banner } from '#web/ui/banner.tsx';
import { Button } from '#web/ui/button.tsx';
import { CameThrough } from '#web/ui/came-through.tsx';
import { AccountQuestion } from './account-needed.tsx';
import { Question } from './question.tsx';
import type { usePostSubmit } from './use-post-submit.ts';

/** The end of the form: what is asked before it is sent, what came of it, and the button. */
export function SubmitPart({
  submission: { question, problem, success, isLocked, ...submission },
  label,
}: {
  submission: ReturnType<typeof usePostSubmit>;
  label: string;
}) {
  const { t } = useTranslation('posts');
  const button = useRef<HTMLButtonElement>(null);

  /** The buttons of a question go with its answer, and the focus with them. */
  function answer(act: () => void) {
    act();
    button.current?.focus();
  }

  return (
    <>
      {question === 'account' && <AccountQuestion />}
      {question === 'again' && (
        <Question text={t('postedToday')} takesFocus>
          <Button type="submit" onClick={() => answer(submission.meanAgain)}>
            {t('postAgain')}
          </Button>
          <Button look="secondary" onClick={() => answer(submission.dismiss)}>
            {t('doNotPost')}
          </Button>
        </Question>
      )}
      {hasComeThrough(problem) ? (
        <CameThrough isLocked={isLocked} onPostToo={() => answer(submission.postToo)} />
      ) : (
        problem && <SubmitProblem error={problem} />
      )}
      <Banner tone="success">{success}</Banner>
      <Button ref={button} type="submit" isBusy={isLocked}>
        {isLocked ? t('saving') : label}
      </Button>
    </>
  );
}

/** The fixed sentence for any failure, and under it the server's own reason (docs/product.md S10). */
function SubmitProblem({ error }: { error: Error }) {
  const { t } = useTranslation('posts');
  const reason = error instanceof ApiError && error.status !== 401 ? reasonOf(error) || t('noAnswerDraftKept') : null;
  return (
    <Banner tone="error">
      <p className="font-semibold">{t('submitFailed')}</p>
      {reason && <p>{reason}</p>}
    </Banner>
  );
}

/** What is wrong with no field of the form is said here. */
function reasonOf({ errors, detail }: ApiError): string {
  return errors.find(({ field }) => field === 'answers_post_id')?.message ?? detail;
}
