import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import type { Post, PostInput } from '#contract/posts.ts';
import { ApiError } from '#web/lib/api-client.ts';
import { MATCHES_KEY } from '#web/lib/matches-query.ts';
import { keepForSending } from '#web/lib/outbox.ts';
import { paths } from '#web/lib/paths.ts';
import { showToast } from '#web/ui/toast.tsx';
import { createPost, postKeys, updatePost } from './api.ts';
import { newIdempotencyKey, type PostFormValues, toPostInput } from './post-draft.ts';
import type { useDraft } from './use-draft.ts';

/** Specification §9: the busy flag releases 3 seconds after the submission, and the redirect follows success by as much. */
const LOCK_MS = 3_000;
const REDIRECT_MS = 3_000;
/** The key has made a post that is gone, or another one: a try under a new key makes this one. */
const SPENT_KEY_CODES: string[] = ['idempotency_conflict', 'idempotency_mismatch'];

/** @param postId the post to update, or null to make one. */
export function usePostSubmit(
  postId: string | null,
  draft: ReturnType<typeof useDraft>,
  showServerErrors: (error: unknown) => boolean,
) {
  const { t } = useTranslation('posts');
  const client = useQueryClient();
  const { isLocked, lock, releaseLater } = useLock();

  const submission = useMutation({
    mutationFn: (values: PostFormValues) =>
      postId === null
        ? createOrKeep(toPostInput(values), draft.idempotencyKey.current)
        : updatePost(postId, toPostInput(values)),
    onMutate: lock,
    onSuccess(post) {
      draft.finish();
      showToast.success(describeSuccess(post));
      if (post === null) return;
      void client.invalidateQueries({ queryKey: postKeys.all });
      void client.invalidateQueries({ queryKey: MATCHES_KEY });
    },
    onError(error, values) {
      if (error instanceof ApiError && SPENT_KEY_CODES.includes(error.code)) {
        draft.idempotencyKey.current = newIdempotencyKey();
        draft.keep(values);
      }
      showToast.error(t('submitFailed'), 'post-not-saved');
      showServerErrors(error);
    },
    onSettled: releaseLater,
  });
  const isListed = postId === null && submission.data !== null;
  useRedirect(
    submission.isSuccess,
    isListed ? paths.viewPosts : paths.myPosts,
    postId === null ? submission.data?.id : undefined,
  );

  function describeSuccess(post: Post | null): string {
    if (post === null) return t('keptForLater');
    return postId === null ? t('created') : t('updated');
  }

  return {
    problem: submission.error,
    success: submission.isSuccess ? describeSuccess(submission.data) : null,
    isLocked: isLocked || submission.isSuccess,
    submit: (values: PostFormValues) => {
      if (!isLocked && !submission.isSuccess) submission.mutate(values);
    },
  };
}

/** @returns the post, or null when there is no network and it waits for one. */
async function createOrKeep(input: PostInput, idempotencyKey: string): Promise<Post | null> {
  try {
    return await createPost(input, idempotencyKey);
  } catch (error) {
    const isUnanswered = error instanceof ApiError && error.status === 0 && !navigator.onLine;
    if (isUnanswered && keepForSending({ input, idempotencyKey })) return null;
    throw error;
  }
}

function useLock() {
  const [isLocked, setIsLocked] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  return {
    isLocked,
    lock: () => setIsLocked(true),
    releaseLater: () => {
      timer.current = setTimeout(() => setIsLocked(false), LOCK_MS);
    },
  };
}

/** @param posted the id of a post just made, for the next screen to show what matches it. */
function useRedirect(isDone: boolean, to: string, posted: string | undefined): void {
  const navigate = useNavigate();
  useEffect(() => {
    if (!isDone) return;
    const timer = setTimeout(() => void navigate(to, { replace: true, state: { posted } }), REDIRECT_MS);
    return () => clearTimeout(timer);
  }, [isDone, navigate, to, posted]);
}
