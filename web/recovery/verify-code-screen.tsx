import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, Navigate } from 'react-router';
import { paths } from '#web/lib/paths.ts';
import { useOwnTitle } from '#web/lib/use-title.ts';
import { CodeStep } from './code-step.tsx';
import { PasswordStep } from './password-step.tsx';
import { keepVerifiedCode, readPhone, readVerifiedCode } from './pending-reset.ts';

/** /verify-code: first the code, then the new password. Whoever has asked for no code is sent to do so. */
export function VerifyCodeScreen() {
  // Read once: the number is forgotten with the reset, while its success is still being read.
  const [phone] = useState(readPhone);
  return phone ? <Steps phone={phone} /> : <Navigate to={paths.forgotPassword} replace />;
}

function Steps({ phone }: { phone: string }) {
  const { t } = useTranslation('recovery');
  const [verifiedCode, setVerifiedCode] = useState(readVerifiedCode);
  const [problem, setProblem] = useState<string | null>(null);
  const isVerified = verifiedCode !== null;
  useOwnTitle(isVerified ? t('newPasswordTitle') : undefined);
  return (
    <div className="mx-auto grid max-w-md gap-5">
      <div className="grid gap-2">
        <h1>{isVerified ? t('newPasswordTitle') : t('verifyTitle')}</h1>
        <p className="wrap-anywhere text-muted">{isVerified ? t('newPasswordText') : t('verifyText', { phone })}</p>
      </div>
      {isVerified ? (
        <PasswordStep
          phone={phone}
          code={verifiedCode}
          onCodeRefused={(reason) => {
            setProblem(reason);
            setVerifiedCode(null);
          }}
        />
      ) : (
        <CodeStep
          phone={phone}
          initialProblem={problem}
          onVerified={(code) => {
            keepVerifiedCode(code);
            setVerifiedCode(code);
          }}
        />
      )}
      <Link className="link justify-self-start py-1" to={paths.login}>
        {t('backToLogin')}
      </Link>
    </div>
  );
}
