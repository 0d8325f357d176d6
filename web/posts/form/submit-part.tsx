import { type ReactNode, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useLocation } from 'react-router';
import { ApiError } from '#web/api/client.ts';
import { useSession } from '#web/api/session.ts';
import { paths } from '#web/lib/paths.ts';
import { hasComeThrough } from '#web/offline/outbox-changes.ts';
import { Banner } from '#web/ui/banner.tsx';
import { Button, ButtonLink } from '#web/ui/button.tsx';
import { CameThrough } from './came-through.tsx';
import type { usePostSubmit } from './use-post-submit.ts';

/**
 * The end of the form: the questions that must be answered before the post is sent, the result of sending, and the
 * button.
 */
export function SubmitPart({
  submission: { asksForAccount, problem, success, isLocked, postToo },
  label,
}: {
  submission: ReturnType<typeof usePostSubmit>;
  label: string;
}) {
  const { t } = useTranslation('posts');
  const button = useRef<HTMLButtonElement>(null);

  /** Lets the next submit create another post. Moves the focus, because the pressed button disappears. */
  function postAgain() {
    postToo();
    button.current?.focus();
  }

  return (
    <>
      {asksForAccount && <AccountQuestion />}
      {hasComeThrough(problem) ? (
        <CameThrough isLocked={isLocked} onPostToo={postAgain} />
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

/** The fixed sentence for a failed submit, followed by the server's reason (docs/product.md S10). */
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

/**
 * Returns the server's reason. The form has no field for `answers_post_id`, so the message of this field is shown as
 * the reason.
 */
function reasonOf({ errors, detail }: ApiError): string {
  return errors.find(({ field }) => field === 'answers_post_id')?.message ?? detail;
}

/** Says at the top of the form that posting needs an account. Otherwise a visitor would learn this only at the end. */
export function AccountNotice() {
  const { t } = useTranslation('posts');
  const state = useReturn();
  if (useSession()) return null;
  return (
    <Banner tone="notice">
      {t('loginToPost')}{' '}
      <Link className="link py-1" to={paths.login} state={state}>
        {t('login')}
      </Link>
    </Banner>
  );
}

/** Links to log in or create an account. Both lead back to the form. */
function AccountQuestion() {
  const { t } = useTranslation('posts');
  const state = useReturn();
  return (
    <Question text={t('submitFailed')} about={<p>{t('submitAccount')}</p>} takesFocus>
      <ButtonLink to={paths.login} state={state}>
        {t('login')}
      </ButtonLink>
      <ButtonLink look="secondary" to={paths.register} state={state}>
        {t('createAccount')}
      </ButtonLink>
    </Question>
  );
}

/** Returns navigation state with which the sign-in leads back to this form and restores the visitor's draft. */
function useReturn() {
  const { pathname, state } = useLocation();
  return { from: pathname, fromState: { ...state, isDraftMine: true } };
}

/** A question to the user: a sentence, what the question is about, and the answers as buttons. */
export function Question({
  text,
  about,
  takesFocus = false,
  children,
}: {
  text: string;
  about?: ReactNode;
  /** Whether the question appears after a press on the submit button, and so gets the focus. */
  takesFocus?: boolean;
  children: ReactNode;
}) {
  const group = useRef<HTMLFieldSetElement>(null);
  useEffect(() => {
    if (takesFocus) group.current?.querySelector<HTMLElement>('a, button')?.focus();
  }, [takesFocus]);

  return (
    <Banner tone="notice">
      <fieldset ref={group} className="grid gap-2">
        <legend className="mb-2 font-semibold">{text}</legend>
        {about}
        <div className="flex flex-wrap gap-3">{children}</div>
      </fieldset>
    </Banner>
  );
}
