import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { NewPostInput, Post } from '#contract/posts.ts';
import { canBeSentLater, keepForSending } from '#web/lib/outbox-changes.ts';
import { paths } from '#web/lib/paths.ts';
import { queryKeys } from '#web/lib/query-keys.ts';
import { getSession } from '#web/lib/session.ts';
import { hasComeThrough, isKeySpent } from '#web/lib/spent-key.ts';
import { useRedirect } from '#web/lib/use-redirect.ts';
import { withPhotos } from '#web/lib/with-photos.ts';
import { showToast } from '#web/ui/toast.tsx';
import { createPost, updatePost } from './api.ts';
import { isPostedToday } from './is-posted-today.ts';
import { type PostFormValues, toPostInput } from './post-draft.ts';
import type { useDraft } from './use-draft.ts';

/** Milliseconds after which the form is free again, and after success the redirect follows (docs/product.md T2). */
const LOCK_MS = 3_000;
const REDIRECT_MS = 3_000;

/** What is asked between the press and the sending: for an account, or whether the same post is meant once more. */
type Question = 'account' | 'again';

/** @param postId the post to update, or null to make one. */
export function usePostSubmit(
  postId: string | null,
  draft: ReturnType<typeof useDraft>,
  showServerErrors: (error: unknown) => boolean,
) {
  const { isLocked, lock, release, releaseLater } = useLock();
  const [question, setQuestion] = useState<Question | null>(null);
  const isMeantAgain = useRef(false);
  const { submission, success } = useSubmission(postId, draft, showServerErrors, releaseLater);

  async function isToBeAsked(values: PostFormValues): Promise<boolean> {
    // A try that failed may have come through all the same: then this is that post, and its key says so.
    const isTriedBefore = submission.isError && !isKeySpent(submission.error);
    const isNew = postId === null && !isTriedBefore && !isMeantAgain.current;
    return isNew && (await isPostedToday(toPostInput(values)));
  }

  async function submit(values: PostFormValues) {
    if (isLocked || submission.isSuccess) return;
    setQuestion(null);
    if (getSession() === null) return setQuestion('account');
    lock();
    if (!(await isToBeAsked(values))) return submission.mutate(values);
    release();
    setQuestion('again');
  }

  return {
    problem: submission.error,
    success,
    question,
    isLocked: isLocked || submission.isSuccess,
    submit,
    /** What the next submit sends is not asked about. */
    meanAgain: () => {
      isMeantAgain.current = true;
    },
    /** The next submit makes a post of its own, though an earlier try has made one. */
    postToo: () => {
      draft.renewKey();
      isMeantAgain.current = true;
    },
    dismiss: () => setQuestion(null),
  };
}

function useSubmission(
  postId: string | null,
  draft: ReturnType<typeof useDraft>,
  showServerErrors: (error: unknown) => boolean,
  onSettled: () => void,
) {
  const { t } = useTranslation('posts');
  const client = useQueryClient();
  const submission = useMutation({
    mutationFn: (values: PostFormValues) =>
      postId === null
        ? make(toPostInput(values), draft, t('photosOfDocument'))
        : updatePost(postId, toPostInput(values)),
    onSuccess(post) {
      draft.finish();
      showToast.success(describeSuccess(post));
      if (post === null) return;
      void client.invalidateQueries({ queryKey: queryKeys.posts.all });
      void client.invalidateQueries({ queryKey: queryKeys.matches.all });
    },
    onError(error) {
      if (hasComeThrough(error)) return;
      if (isKeySpent(error)) draft.renewKey();
      showToast.error(t('submitFailed'), 'post-not-saved');
      showServerErrors(error);
    },
    onSettled,
  });
  const isListed = postId === null && submission.data !== null;
  // The next screen shows what matches a post just made.
  const posted = postId === null ? submission.data?.id : undefined;
  useRedirect(submission.isSuccess, isListed ? paths.viewPosts : paths.myPosts, REDIRECT_MS, { posted });

  function describeSuccess(post: Post | null): string {
    if (post === null) return t(navigator.onLine ? 'keptWhileBusy' : 'keptForLater');
    return postId === null ? t('created') : t('updated');
  }

  return { submission, success: submission.isSuccess ? describeSuccess(submission.data) : null };
}

/** @returns the post, or null when it is kept, and sent once there is a network or a Worker for it. Its photos follow it. */
async function make(
  input: NewPostInput,
  { idempotencyKey, place }: ReturnType<typeof useDraft>,
  noDocuments: string,
): Promise<Post | null> {
  const key = idempotencyKey.current;
  try {
    const post = await createPost(input, key);
    const refusal = post.kind === 'document' ? noDocuments : null;
    await withPhotos(({ movePhotos, atPost }) => movePhotos(place, atPost(post.id), refusal));
    return post;
  } catch (error) {
    if (!canBeSentLater(error)) throw error;
    // Before the post: it may be sent at once, and they with it.
    await withPhotos(({ movePhotos, inOutbox }) => movePhotos(place, inOutbox(key)));
    if (keepForSending({ input, idempotencyKey: key }, error)) return null;
    await withPhotos(({ movePhotos, inOutbox }) => movePhotos(inOutbox(key), place));
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
    release: () => setIsLocked(false),
    releaseLater: () => {
      timer.current = setTimeout(() => setIsLocked(false), LOCK_MS);
    },
  };
}
