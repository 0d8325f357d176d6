import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useLocation, useNavigate } from 'react-router';
import { ApiError } from '#web/api/client.ts';
import { signInAs } from '#web/api/session.ts';
import { ownPath } from '#web/lib/address.ts';
import { paths } from '#web/lib/paths.ts';
import { Banner } from '#web/ui/banner.tsx';
import { Button } from '#web/ui/button.tsx';
import { PasswordField } from '#web/ui/choice-fields.tsx';
import { TextField } from '#web/ui/field.tsx';
import { logIn } from './api.ts';

/** /login. After signing in, the user returns to the screen that sent them here, with that screen's state. */
export function LoginScreen() {
  const { t } = useTranslation('accounts');
  return (
    <div className="mx-auto grid max-w-md gap-5">
      <div className="grid gap-2">
        <h1>{t('loginTitle')}</h1>
        <p className="lead">{t('loginText')}</p>
      </div>
      <LoginForm />
      <p>
        {t('noAccount')}{' '}
        <Link className="link" to={paths.register} state={useLocation().state}>
          {t('registerHere')}
        </Link>
      </p>
    </div>
  );
}

function LoginForm() {
  const { t } = useTranslation(['accounts', 'common']);
  const { state } = useLocation();
  const [email, setEmail] = useState(() => readEmail(state));
  const [password, setPassword] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const navigate = useNavigate();
  const target = readTarget(state);

  const login = useMutation({
    mutationFn: logIn,
    onSuccess(session) {
      if (session) signInAs(session);
      else setProblem(t('invalidResponse'));
    },
    onError(error) {
      // The server accepted the login, but the browser failed afterwards: for example, its storage refused the token.
      if (!(error instanceof ApiError)) return setProblem(t('common:genericError'));
      if (error.status === 0) return setProblem(t('noResponse'));
      setProblem(error.detail || t('invalidCredentials'));
    },
  });

  // The form stays locked until the next screen has loaded, which may take a while.
  const isBusy = login.isPending || Boolean(login.data);

  function submit(event: FormEvent) {
    event.preventDefault();
    if (isBusy) return;
    setProblem(null);
    if (!email.trim() || !password) return setProblem(t('credentialsRequired'));
    // TanStack Query calls a callback of `mutate` only while this screen is open, so a late response does not lead the
    // user away from another screen.
    const goOn = () => navigate(target.path, { replace: true, state: target.state });
    login.mutate({ email: email.trim(), password }, { onSuccess: (session) => void (session && goOn()) });
  }

  return (
    <form noValidate onSubmit={submit} className="card grid gap-4">
      {problem && <Banner tone="error">{problem}</Banner>}
      <TextField
        label={t('email')}
        type="email"
        name="email"
        autoComplete="username"
        value={email}
        onChange={(event) => setEmail(event.target.value)}
      />
      <PasswordField
        label={t('password')}
        name="password"
        autoComplete="current-password"
        value={password}
        onChange={(event) => setPassword(event.target.value)}
      />
      <Link className="link justify-self-start py-1" to={paths.forgotPassword}>
        {t('forgotPassword')}
      </Link>
      <Button type="submit" isBusy={isBusy} busyLabel={t('loggingIn')}>
        {t('login')}
      </Button>
    </form>
  );
}

/** The screen to return to, and its state. */
function readTarget(state: unknown): { path: string; state: unknown } {
  const { from, fromState = null } = (state ?? {}) as { from?: unknown; fromState?: unknown };
  return { path: ownPath(from) ?? paths.home, state: fromState };
}

/** Returns the e-mail address of a person who has just registered, to fill in the field; otherwise an empty text. */
function readEmail(state: unknown): string {
  const { email } = (state ?? {}) as { email?: unknown };
  return typeof email === 'string' ? email : '';
}
