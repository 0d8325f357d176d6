import { type FormEvent, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { hasJoinLink, readJoinCode } from '#contract/join-link.ts';
import { JOIN_TEXT_MAX_CHARS } from '#contract/limits.ts';
import { paths } from '#web/lib/paths.ts';
import { Banner } from '#web/ui/banner.tsx';
import { Button, ButtonLink } from '#web/ui/button.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { ScannerDialog } from './scanner-dialog.tsx';
import { useJoin } from './use-join.ts';

/** Joining by a code that was typed, pasted, scanned or brought along by a join link. */
export function JoinForm() {
  const { t } = useTranslation('communities');
  const id = useId();
  const { code, setCode, join, outcome, isJoining } = useJoin();
  const [isScanning, setIsScanning] = useState(false);

  function submit(event: FormEvent) {
    event.preventDefault();
    join();
  }

  return (
    <section className="card grid gap-4" aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`}>{t('joinTitle')}</h2>
      <form className="grid gap-3" onSubmit={submit}>
        <div className="grid gap-1.5">
          <label htmlFor={id} className="font-semibold">
            {t('joinLabel')}
          </label>
          <div className="flex gap-2">
            <input
              id={id}
              name="access_code"
              className="field-input min-w-0 font-mono"
              autoComplete="off"
              autoCapitalize="characters"
              autoCorrect="off"
              spellCheck={false}
              dir="ltr"
              maxLength={JOIN_TEXT_MAX_CHARS}
              placeholder={t('joinPlaceholder')}
              value={code}
              onChange={(event) => setCode(readPasted(event.target.value))}
            />
            <Button
              look="secondary"
              icon="qr"
              aria-label={t('scan')}
              title={t('scan')}
              onClick={() => setIsScanning(true)}
            />
          </div>
        </div>
        <Button type="submit" isBusy={isJoining} isLocked={code.trim() === ''} busyLabel={t('joining')}>
          {t('join')}
        </Button>
        {outcome?.tone === 'error' && <Banner tone="error">{outcome.text}</Banner>}
        <Banner tone="success">{outcome?.tone === 'success' && outcome.text}</Banner>
      </form>
      <JoinHelp />
      <ButtonLink look="secondary" icon="search" to={paths.findCommunity}>
        {t('find')}
      </ButtonLink>
      {isScanning && (
        <ScannerDialog
          onClose={() => setIsScanning(false)}
          onCode={(text) => {
            setIsScanning(false);
            setCode(readJoinCode(text));
          }}
        />
      )}
    </section>
  );
}

/** A pasted link shows the code it holds; what is typed stays as it is typed. */
function readPasted(text: string): string {
  return hasJoinLink(text) ? readJoinCode(text) : text;
}

function JoinHelp() {
  const { t } = useTranslation('communities');
  return (
    <details className="group">
      <summary className="flex min-h-11 cursor-pointer items-center gap-2 font-semibold text-accent">
        <Icon name="chevron" className="size-5 transition-transform group-open:rotate-180" />
        {t('joinHelpTitle')}
      </summary>
      <ul className="grid list-disc gap-1.5 pl-5 text-muted">
        <li>{t('joinHelp1')}</li>
        <li>{t('joinHelp2')}</li>
        <li>{t('joinHelp3')}</li>
      </ul>
    </details>
  );
}
