import './receipt.css';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { type Claim, handOverInputSchema } from '#contract/claims.ts';
import { ApiError, failureText } from '#web/api/client.ts';
import { useSession } from '#web/api/session.ts';
import { formatDateTime } from '#web/lib/format.ts';
import { paths } from '#web/lib/paths.ts';
import { readCode } from '#web/lib/read-code.ts';
import { ContactLinks } from '#web/posts/post/contact-links.tsx';
import { postOptions } from '#web/posts/queries.ts';
import { Banner } from '#web/ui/banner.tsx';
import { Button } from '#web/ui/button.tsx';
import { TextField } from '#web/ui/field.tsx';
import { useForm } from '#web/ui/form.ts';
import { Icon } from '#web/ui/icon.tsx';
import { showToast } from '#web/ui/toast.tsx';
import { useStep } from './api.ts';

/**
 * The field for the hand-over code, which the claimant reads out to the finder. Removes all characters but digits, also
 * from pasted text.
 */
export function HandOverForm({ claim, onStep }: { claim: Claim; onStep: () => void }) {
  const { t } = useTranslation('claims');
  const { form, field, set, submit } = useForm({ schema: handOverInputSchema, initial: { code: '' } });
  const step = useStep(claim, onStep);
  const [failedAt, setFailedAt] = useState(0);

  function send(code: string) {
    if (step.isPending || step.isSuccess) return;
    step.mutate(
      { name: 'hand-over', code },
      {
        onError() {
          setFailedAt(Date.now());
          form.current?.querySelector('input')?.select();
        },
      },
    );
  }

  return (
    <form ref={form} noValidate className="card grid gap-3" onSubmit={submit(({ code }) => send(code))}>
      <TextField
        label={t('codeField')}
        hint={t('codeFieldHint')}
        inputMode="numeric"
        autoComplete="off"
        autoCorrect="off"
        spellCheck={false}
        enterKeyHint="done"
        className="text-center font-semibold text-2xl tabular-nums tracking-[0.35em]"
        {...field('code')}
        onChange={(event) => set('code', readCode(event.target.value))}
      />
      {step.error && <Banner tone="error">{explain(step.error)}</Banner>}
      {/* Secondary until a code is typed: before the meeting, the primary button is the one that calls the
          claimant. */}
      <Button
        type="submit"
        look={field('code').value ? 'primary' : 'secondary'}
        isBusy={step.isPending || step.isSuccess}
      >
        {t('handOver')}
      </Button>
    </form>
  );

  function explain(error: Error): string {
    const code = error instanceof ApiError ? error.code : null;
    if (code === 'invalid_code') return t('codeWrong');
    if (!(error instanceof ApiError) || code !== 'code_locked' || error.retryAfterMs === null)
      return failureText(error, t('stepFailed'), t('noAnswer'));
    return t('codeLocked', { time: formatDateTime(failedAt + error.retryAfterMs) });
  }
}

/** A receipt with the item, the time, the place and both parties, to save, print or share. */
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

/**
 * Reminds the claimant to mark their own post about the lost thing as found. Until then, the post stays open and gets
 * matches.
 */
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

/** Returns the receipt's rows. The row "Found at" is missing if the post was deleted. */
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
      // Closing the share sheet is not a failure.
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

/** The other party's phone number, if any, with buttons to call and write. */
export function OtherNumber({ claim: { phone_number, post_title, role, answer } }: { claim: Claim }) {
  const { t } = useTranslation('claims');
  if (phone_number === null) return <p className="text-muted">{t('numberHidden')}</p>;
  const title = post_title ?? '';
  const written = (role === 'finder' && answer) || title;
  return (
    <>
      <p className="font-bold text-2xl tabular-nums">{phone_number}</p>
      <ContactLinks phone={phone_number} title={title} written={written} occasion="claim" />
    </>
  );
}
