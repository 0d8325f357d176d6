import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate, useParams } from 'react-router';
import { type Claim, claimInputSchema } from '#contract/claims.ts';
import { CLAIM_TEXT_MAX_CHARS } from '#contract/limits.ts';
import type { Post } from '#contract/posts.ts';
import { stripPhoneSeparators } from '#contract/typed-numbers.ts';
import { ApiError, failureText } from '#web/api/client.ts';
import { useSession } from '#web/api/session.ts';
import { formatDateTime } from '#web/lib/format.ts';
import { claimPath, paths, postPath } from '#web/lib/paths.ts';
import { PostFacts } from '#web/posts/post/post-parts.tsx';
import { canBeClaimed } from '#web/posts/post/this-is-mine.tsx';
import { postOptions } from '#web/posts/queries.ts';
import { Banner } from '#web/ui/banner.tsx';
import { Button, ButtonLink } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { TextArea, TextField } from '#web/ui/field.tsx';
import { useForm, useKeptValues } from '#web/ui/form.ts';
import { Icon } from '#web/ui/icon.tsx';
import { LoginNeeded, QueryState } from '#web/ui/query-state.tsx';
import { showToast } from '#web/ui/toast.tsx';
import { claimPost, showClaim } from './api.ts';
import { useKeptText } from './kept-text.ts';

/** /posts/{id}/claim: "This is mine". The claimant answers the finder's question. */
export function ClaimFormScreen() {
  const { id = '' } = useParams();
  const { t } = useTranslation('claims');
  const session = useSession();
  return (
    <div className="mx-auto grid w-full max-w-xl gap-4">
      {session ? (
        <LoadedForm key={session.userId + id} viewerId={session.userId} postId={id} />
      ) : (
        <LoginNeeded title={t('loginFirst')} label={t('login')} isPage />
      )}
    </div>
  );
}

function LoadedForm({ viewerId, postId }: { viewerId: string; postId: string }) {
  const { t } = useTranslation(['claims', 'posts']);
  const query = useQuery(postOptions(viewerId, postId));
  return (
    <QueryState
      query={query}
      failed={t('posts:noAnswer')}
      wording={failureText}
      icon="search"
      isPage
      skeleton={<FormSkeleton />}
    >
      {(post) => (canBeClaimed(post) ? <Claiming post={post} /> : <CannotClaim postId={postId} />)}
    </QueryState>
  );
}

function Claiming({ post }: { post: Post }) {
  const { t } = useTranslation(['claims', 'posts']);
  return (
    <>
      <div className="grid gap-2">
        <h1>{t('posts:thisIsMine')}</h1>
        <p className="lead">{t('formText')}</p>
      </div>
      <section className="card wrap-anywhere grid gap-2">
        <h2 dir="auto">{post.title}</h2>
        <PostFacts post={post} />
      </section>
      <ClaimForm post={post} />
    </>
  );
}

function CannotClaim({ postId }: { postId: string }) {
  const { t } = useTranslation('claims');
  return (
    <EmptyState icon="tag" title={t('cannotClaimTitle')} text={t('cannotClaimText')} isPage>
      <ButtonLink to={postPath(postId)}>{t('seePost')}</ButtonLink>
    </EmptyState>
  );
}

function FormSkeleton() {
  return (
    <div className="grid gap-4" aria-hidden="true">
      <div className="skeleton h-9 w-48" />
      <div className="skeleton h-28" />
      <div className="skeleton h-64" />
    </div>
  );
}

const EMPTY = { answer: '', phone_number: '' };

/** The finder's question, a warning about what not to write, and the answer, which cannot be changed once sent. */
function ClaimForm({ post }: { post: Post }) {
  const { t } = useTranslation('claims');
  const kept = useKeptText(`post:${post.id}`, EMPTY);
  const { form, field, set, submit, typed, showServerErrors } = useForm({
    schema: claimInputSchema,
    initial: kept.initial,
  });
  useKeptValues(typed, kept.keep);
  const sending = useSending(post.id, kept, showServerErrors);
  const navigate = useNavigate();
  // TanStack Query calls a callback of `mutate` only while this screen is open, so a late response does not lead the
  // user away from another screen.
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

/**
 * Shows a failure. If the claim already exists, links to the user's claims: another tab has made the claim, or the
 * response to an earlier request was lost.
 */
function Problem({ error }: { error: Error }) {
  const { t } = useTranslation('claims');
  const isMade = error instanceof ApiError && error.code === 'claim_exists';
  const waitMs = error instanceof ApiError && error.status === 429 ? error.retryAfterMs : null;
  const [failedAt] = useState(Date.now);
  return (
    <Banner tone="error">
      <p>
        {waitMs === null
          ? failureText(error, t('stepFailed'), t('noAnswer'))
          : t('claimLimit', { time: formatDateTime(failedAt + waitMs) })}
      </p>
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
