import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { Claim } from '#contract/claims.ts';
import { formatDateTime } from '#web/lib/format.ts';
import { paths } from '#web/lib/paths.ts';
import { postOptions } from '#web/lib/post-query.ts';
import { useSession } from '#web/lib/session.ts';
import { Button } from '#web/ui/button.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { showToast } from '#web/ui/toast.tsx';
import { OtherNumber } from './other-number.tsx';
import './receipt.css';

/** What was handed over, when, where it was found, and between whom: to keep, to print or to pass on. */
export function Receipt({ claim }: { claim: Claim }) {
  const { t } = useTranslation('claims');
  const rows = useRows(claim);
  return (
    <>
      <article className="card receipt grid gap-4 border-found bg-found-soft/50">
        <h2 id="standing" className="flex items-center gap-2">
          <Icon name="check" className="size-6 text-found" />
          {t('receipt.title')}
        </h2>
        <p className="receipt-thanks">{t(`receipt.${claim.role}`)}</p>
        <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1.5">
          {rows.map(([label, value]) => (
            <div key={label} className="contents">
              <dt className="text-muted">{label}</dt>
              <dd dir="auto" className="wrap-anywhere font-semibold">
                {value}
              </dd>
            </div>
          ))}
        </dl>
        {claim.role === 'claimant' && <OwnLoss />}
        <Actions text={rows.map(([label, value]) => `${label}: ${value}`).join('\n')} />
      </article>
      {claim.phone_number && (
        <div className="card grid gap-3">
          <OtherNumber claim={claim} />
        </div>
      )}
    </>
  );
}

/** What its owner posted of the loss stays open, and is matched, until they say that it is over. */
function OwnLoss() {
  const { t } = useTranslation('claims');
  return (
    <p className="receipt-actions">
      {t('receipt.ownLoss')}{' '}
      <Link className="link" to={paths.myPosts}>
        {t('receipt.ownPosts')}
      </Link>
    </p>
  );
}

/** The place is the post's, which may be gone. */
function useRows(claim: Claim): [label: string, value: string][] {
  const { t } = useTranslation('claims');
  const viewerId = useSession()?.userId ?? null;
  const place = useQuery(postOptions(viewerId, claim.post_id)).data?.location;
  const handedOver = claim.history.findLast(({ step }) => step === 'hand-over')?.created_at ?? claim.updated_at;
  const other = claim.other_name ?? t('personGone');
  const [finder, claimant] = claim.role === 'finder' ? [t('receipt.you'), other] : [other, t('receipt.you')];
  return [
    [t('receipt.what'), claim.post_title ?? t('postGone')],
    [t('receipt.when'), formatDateTime(handedOver)],
    ...(place ? [[t('receipt.where'), place] satisfies [string, string]] : []),
    [t('receipt.finderName'), finder],
    [t('receipt.claimantName'), claimant],
  ];
}

function Actions({ text }: { text: string }) {
  const { t } = useTranslation('claims');

  async function share() {
    try {
      if (navigator.share) return await navigator.share({ title: t('receipt.title'), text });
      await navigator.clipboard.writeText(text);
      showToast.success(t('receipt.copied'));
    } catch (error) {
      // Closing the sheet is no failure.
      if (!(error instanceof DOMException && error.name === 'AbortError')) showToast.error(t('receipt.notCopied'));
    }
  }

  return (
    <div className="receipt-actions flex flex-wrap gap-2">
      <Button look="secondary" icon="share" onClick={() => void share()}>
        {t('receipt.share')}
      </Button>
      <Button look="secondary" icon="print" onClick={() => window.print()}>
        {t('receipt.print')}
      </Button>
    </div>
  );
}
