import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { type Claim, claimInputSchema } from '#contract/claims.ts';
import { CLAIM_TEXT_MAX_CHARS } from '#contract/limits.ts';
import { stripPhoneSeparators } from '#contract/normalise-phone.ts';
import type { Post } from '#contract/posts.ts';
import { ApiError } from '#web/lib/api-client.ts';
import { formatDateTime } from '#web/lib/format.ts';
import { claimPath, paths } from '#web/lib/paths.ts';
import { useForm } from '#web/lib/use-form.ts';
import { useKeptValues } from '#web/lib/use-kept-values.ts';
import { Banner } from '#web/ui/banner.tsx';
import { Button, ButtonLink } from '#web/ui/button.tsx';
import { TextArea, TextField } from '#web/ui/field.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { showToast } from '#web/ui/toast.tsx';
import { claimPost, showClaim } from './api.ts';
import { problemOf } from './problem-of.ts';
import { useKeptText } from './use-kept-text.ts';

const EMPTY = { answer: '', phone_number: '' };

/** The finder's question, what not to write, and the answer, which cannot be changed once it is sent. */
export function ClaimForm({ post }: { post: Post }) {
  const { t } = useTranslation('claims');
  const kept = useKeptText(`post:${post.id}`, EMPTY);
  const { form, field, set, submit, typed, showServerErrors } = useForm({
    schema: claimInputSchema,
    initial: kept.initial,
  });
  useKeptValues(typed, kept.keep);
  const sending = useSending(post.id, kept, showServerErrors);
  const navigate = useNavigate();
  // Whoever has left this screen meanwhile stays where they are.
  const goOn = ({ id }: Claim) => void navigate(claimPath(id), { replace: true });

  return (
    <form
      ref={form}
      noValidate
      className="card grid gap-4"
      onSubmit={submit((values) => {
        if (!sending.isPending && !sending.isSuccess) sending.mutate(values, { onSuccess: goOn });
      })}
    >
      {post.claim_question && (
        <section className="grid gap-1 rounded-xl bg-accent-soft p-4" aria-labelledby="asked">
          <h2 id="asked" className="text-base!">
            {t('finderAsks')}
          </h2>
          <p dir="auto" className="wrap-anywhere whitespace-pre-line text-lg">
            {post.claim_question}
          </p>
        </section>
      )}
      <NotToWrite />
      <TextArea
        label={t('answer')}
        hint={t('answerHint')}
        rows={6}
        maxLength={CLAIM_TEXT_MAX_CHARS}
        {...field('answer')}
      />
      <TextField
        label={t('otherNumber')}
        hint={t('otherNumberHint')}
        isOptional
        type="tel"
        inputMode="tel"
        autoComplete="off"
        {...field('phone_number')}
        dir="ltr"
        onChange={(event) => set('phone_number', stripPhoneSeparators(event.target.value))}
      />
      {sending.error && <Problem key={sending.submittedAt} error={sending.error} />}
      <p className="text-muted text-sm">{t('sealed')}</p>
      <Button type="submit" isBusy={sending.isPending || sending.isSuccess}>
        {t('send')}
      </Button>
    </form>
  );
}

function useSending(
  postId: string,
  kept: ReturnType<typeof useKeptText<typeof EMPTY>>,
  showServerErrors: (error: unknown) => boolean,
) {
  const { t } = useTranslation('claims');
  const client = useQueryClient();
  return useMutation({
    mutationFn: (values: typeof EMPTY) => claimPost(postId, values, kept.idempotencyKey),
    onSuccess(claim) {
      kept.forget();
      showClaim(client, claim);
      showToast.success(t('sent'));
    },
    onError: (error) => void showServerErrors(error),
  });
}

/** Where the claim is made already, by another tab or a try that seemed to fail, the way to it. */
function Problem({ error }: { error: Error }) {
  const { t } = useTranslation('claims');
  const isMade = error instanceof ApiError && error.code === 'claim_exists';
  const waitMs = error instanceof ApiError && error.status === 429 ? error.retryAfterMs : null;
  const [failedAt] = useState(Date.now);
  return (
    <Banner tone="error">
      <p>{waitMs === null ? problemOf(error, t) : t('claimLimit', { time: formatDateTime(failedAt + waitMs) })}</p>
      {isMade && (
        <ButtonLink look="secondary" to={paths.claims} className="mt-2">
          {t('seeClaims')}
        </ButtonLink>
      )}
    </Banner>
  );
}

function NotToWrite() {
  const { t } = useTranslation('claims');
  return (
    <section className="grid gap-2 rounded-xl bg-notice-soft p-4 text-notice" aria-labelledby="not-to-write">
      <h2 id="not-to-write" className="flex items-center gap-2 text-base!">
        <Icon name="shield" />
        {t('notToWrite')}
      </h2>
      <ul className="grid list-disc gap-1 pl-6">
        <li>{t('noNumbers')}</li>
        <li>{t('noMoney')}</li>
      </ul>
    </section>
  );
}
