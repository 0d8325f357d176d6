import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useLocation, useNavigate } from 'react-router';
import { ApiError } from '#web/lib/api-client.ts';
import { ownPath } from '#web/lib/own-path.ts';
import { paths } from '#web/lib/paths.ts';
import { signInAs } from '#web/lib/session.ts';
import { Banner } from '#web/ui/banner.tsx';
import { Button } from '#web/ui/button.tsx';
import { TextField } from '#web/ui/field.tsx';
import { PasswordField } from '#web/ui/password-field.tsx';
import { logIn } from './api.ts';

/** /login. Whoever was sent here from another screen goes back there, with what that screen had in mind. */
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
      // Such as a storage that takes no token.
      if (!(error instanceof ApiError)) return setProblem(t('common:genericError'));
      if (error.status === 0) return setProblem(t('noResponse'));
      setProblem(error.detail || t('invalidCredentials'));
    },
  });

  // Until the next screen is here, which may take a while, this one stands.
  const isBusy = login.isPending || Boolean(login.data);

  function submit(event: FormEvent) {
    event.preventDefault();
    if (isBusy) return;
    setProblem(null);
    if (!email.trim() || !password) return setProblem(t('credentialsRequired'));
    // Whoever has left this screen meanwhile stays where they are.
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

/** Where a screen asked to come back to. */
function readTarget(state: unknown): { path: string; state: unknown } {
  const { from, fromState = null } = (state ?? {}) as { from?: unknown; fromState?: unknown };
  return { path: ownPath(from) ?? paths.home, state: fromState };
}

/** Whoever has just registered need not type it again. */
function readEmail(state: unknown): string {
  const { email } = (state ?? {}) as { email?: unknown };
  return typeof email === 'string' ? email : '';
}
