import { useTranslation } from 'react-i18next';
import { Link, useLocation } from 'react-router';
import { paths } from '#web/lib/paths.ts';
import { useSession } from '#web/lib/session.ts';
import { Banner } from '#web/ui/banner.tsx';
import { ButtonLink } from '#web/ui/button.tsx';
import { Question } from './question.tsx';

/** Before a visitor starts: an account is asked for at the end. */
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

/** At the end: the two ways to an account, and back to what was written. */
export function AccountQuestion() {
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

/** What has the sign-in come back here, and the form know that the visitor's draft is of whoever signed in. */
function useReturn() {
  const { pathname, state } = useLocation();
  return { from: pathname, fromState: { ...state, isDraftMine: true } };
}
