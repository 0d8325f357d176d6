import { useTranslation } from 'react-i18next';
import type { Claim } from '#contract/claims.ts';
import { late } from '#web/lib/late.ts';
import { postPath } from '#web/lib/paths.ts';
import { ButtonLink } from '#web/ui/button.tsx';
import { DialogButton } from '#web/ui/late.tsx';
import { reportClaim } from './api.ts';

/** Loaded on demand, because users rarely report a claim or block a person. */
const lateReport = late(
  async () => (await import('#web/posts/post/report-dialog.tsx')).ReportDialog,
  'fields',
  'posts',
);
const lateBlock = late(async () => (await import('./block-dialog.tsx')).BlockDialog);

/** Actions beside the claim's steps, such as reporting and blocking. */
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
      {/* A claimant gets no link to a hidden post, because they cannot open it. */}
      {claim.post_title !== null && !(claim.is_paused && claim.role === 'claimant') && (
        <ButtonLink look="quiet" icon="tag" to={postPath(claim.post_id)} className={LOOK}>
          {t('seePost')}
        </ButtonLink>
      )}
      <DialogButton
        name="report"
        about={claim.id}
        look="quiet"
        icon="alert"
        className={LOOK}
        label={t('report')}
        part={lateReport}
      >
        {(ReportDialog, close) => (
          <ReportDialog
            words={words}
            about={claim.post_title ?? t('postGone')}
            send={(input, key) => reportClaim(claim.id, input, key)}
            onClose={close}
          />
        )}
      </DialogButton>
      <DialogButton
        name="block"
        about={claim.id}
        look="quiet"
        icon="userOff"
        className={LOOK}
        label={t('block')}
        part={lateBlock}
      >
        {(BlockDialog, close) => <BlockDialog claim={claim} onClose={close} />}
      </DialogButton>
    </div>
  );
}

/** Inconspicuous, because few users need these actions. */
const LOOK = 'justify-self-start px-2! text-muted! text-sm';
