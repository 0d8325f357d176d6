import { type ReactNode, useRef } from 'react';
import { flushSync } from 'react-dom';
import { useTranslation } from 'react-i18next';
import type { Claim } from '#contract/claims.ts';
import { withTexts } from '#web/lib/i18n.ts';
import { postPath } from '#web/lib/paths.ts';
import { useDialogAddress } from '#web/lib/use-dialog-address.ts';
import { Button, ButtonLink } from '#web/ui/button.tsx';
import type { IconName } from '#web/ui/icon.tsx';
import { WantedPart } from '#web/ui/wanted-part.tsx';
import { reportClaim } from './api.ts';

/** Few claims are ever reported, and fewer people blocked. */
const loadReport = withTexts(async () => (await import('#web/ui/report-dialog.tsx')).ReportDialog, 'fields', 'posts');
const loadBlock = async () => (await import('./block-dialog.tsx')).BlockDialog;

/** What has nothing to do with the claim's own course. */
export function ClaimMore({ claim }: { claim: Claim }) {
  const { t } = useTranslation('claims');
  const words = {
    title: t('report'),
    question: t('reportQuestion'),
    thanks: t('reportThanks'),
    known: t('alreadyReported'),
  };
  return (
    <div className="flex flex-wrap gap-x-2">
      {/* A hidden post is absent for its claimant. */}
      {claim.post_title !== null && !(claim.is_paused && claim.role === 'claimant') && (
        <ButtonLink look="quiet" icon="tag" to={postPath(claim.post_id)} className={LOOK}>
          {t('seePost')}
        </ButtonLink>
      )}
      <Opening name="report" icon="alert" label={t('report')} claim={claim} load={loadReport}>
        {(ReportDialog, close) => (
          <ReportDialog
            words={words}
            about={claim.post_title ?? t('postGone')}
            send={(input, key) => reportClaim(claim.id, input, key)}
            onClose={close}
          />
        )}
      </Opening>
      <Opening name="block" icon="userOff" label={t('block')} claim={claim} load={loadBlock}>
        {(BlockDialog, close) => <BlockDialog claim={claim} onClose={close} />}
      </Opening>
    </div>
  );
}

/** There for whoever looks for it, and in nobody's way. */
const LOOK = 'justify-self-start px-2! text-muted! text-sm';

type OpeningProps<Dialog> = {
  name: string;
  icon: IconName;
  label: string;
  claim: Claim;
  load: () => Promise<Dialog>;
  children: (Dialog: Dialog, close: () => void) => ReactNode;
};

/** A button and the dialog that it opens, which comes a moment later and cannot give the focus back itself. */
function Opening<Dialog>({ name, icon, label, claim, load, children }: OpeningProps<Dialog>) {
  const dialog = useDialogAddress(name, claim.id);
  const button = useRef<HTMLButtonElement>(null);

  function close() {
    flushSync(dialog.close);
    button.current?.focus();
  }

  return (
    <>
      <Button ref={button} look="quiet" icon={icon} onClick={dialog.open} className={LOOK}>
        {label}
      </Button>
      {dialog.isOpen && <WantedPart load={load}>{(Dialog) => children(Dialog, close)}</WantedPart>}
    </>
  );
}
