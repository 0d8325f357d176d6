import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Me } from '#contract/accounts.ts';
import { paths } from '#web/lib/paths.ts';
import { useDialogAddress } from '#web/lib/use-dialog-address.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Button, ButtonLink } from '#web/ui/button.tsx';
import { EmailDialog } from './email-dialog.tsx';
import { NameDialog } from './name-dialog.tsx';
import { OwnLanguage } from './own-language.tsx';

/** Name, e-mail, number and language, each with the way to change it or to prove it. */
export function OwnDetails({ me }: { me: Me }) {
  const { t } = useTranslation('settings');
  const renaming = useDialogAddress('dialog', 'name');
  const emailChange = useDialogAddress('dialog', 'email');
  return (
    <section className="grid gap-3">
      <h2>{t('detailsTitle')}</h2>
      <div className="card grid gap-4">
        <Detail label={t('name')} value={me.username}>
          <Button look="secondary" onClick={renaming.open}>
            {t('changeName')}
          </Button>
        </Detail>
        <Detail label={t('email')} value={me.email} isProven={me.is_email_available ? me.is_email_proven : null}>
          {me.is_email_available && (
            <Button look="secondary" onClick={emailChange.open}>
              {t(me.is_email_proven ? 'changeEmail' : 'proveEmail')}
            </Button>
          )}
        </Detail>
        <OwnNumber me={me} />
        <OwnLanguage me={me} />
      </div>
      {renaming.isOpen && <NameDialog me={me} onClose={renaming.close} />}
      {emailChange.isOpen && <EmailDialog me={me} onClose={emailChange.close} />}
    </section>
  );
}

function OwnNumber({ me: { whatsapp_number: number, is_whatsapp_verified: isProven } }: { me: Me }) {
  const { t } = useTranslation('settings');
  const action = number === null ? 'addNumber' : isProven ? 'changeNumber' : 'proveNumber';
  return (
    <Detail label={t('number')} value={number ?? t('none')} isProven={number === null ? null : isProven}>
      <ButtonLink look="secondary" to={paths.proveNumber} state={{ from: paths.account }}>
        {t(action)}
      </ButtonLink>
    </Detail>
  );
}

type DetailProps = {
  label: string;
  value: string;
  /** Null where there is nothing to prove. */
  isProven?: boolean | null;
  children: ReactNode;
};

function Detail({ label, value, isProven = null, children }: DetailProps) {
  const { t } = useTranslation('settings');
  return (
    <div className="flex flex-wrap items-center justify-between gap-3">
      <div className="min-w-0">
        <p className="text-muted text-sm">{label}</p>
        <p dir="auto" className="wrap-anywhere font-semibold">
          {value}
        </p>
        {isProven !== null && (
          <Badge tone={isProven ? 'found' : 'plain'} {...(isProven && { icon: 'check' as const })}>
            {t(isProven ? 'proven' : 'notProven')}
          </Badge>
        )}
      </div>
      {children}
    </div>
  );
}
