import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { NewPostInput, Post } from '#contract/posts.ts';
import { newIdempotencyKey } from '#web/api/client.ts';
import { queryKeys } from '#web/api/query-keys.ts';
import { getSession } from '#web/api/session.ts';
import { useRedirect } from '#web/lib/address.ts';
import { paths } from '#web/lib/paths.ts';
import { canBeSentLater, hasComeThrough, isKeySpent, keepForSending, withPhotos } from '#web/offline/outbox-changes.ts';
import { createPost, updatePost } from '#web/posts/api.ts';
import { showToast } from '#web/ui/toast.tsx';
import { clearDraft, type PostDraft, type PostFormValues, readDraft, saveDraft, toPostInput } from './post-draft.ts';

/** How long the form stays locked, and how long a success is shown before the redirect (docs/product.md T2). */
const LOCK_MS = 3_000;
const REDIRECT_MS = 3_000;

/** @param postId the post to edit, or null to create one. */
export function usePostSubmit(
  postId: string | null,
  draft: ReturnType<typeof useDraft>,
  showServerErrors: (error: unknown) => boolean,
) {
  const { isLocked, lock, releaseLater } = useLock();
  const [asksForAccount, setAsksForAccount] = useState(false);
  const { submission, success } = useSubmission(postId, draft, showServerErrors, releaseLater);

  function submit(values: PostFormValues) {
    if (isLocked || submission.isSuccess) return;
    setAsksForAccount(getSession() === null);
    if (getSession() === null) return;
    lock();
    submission.mutate(values);
  }

  return {
    problem: submission.error,
    success,
    asksForAccount,
    isLocked: isLocked || submission.isSuccess,
    submit,
    /** Lets the next submit create another post, even if an earlier attempt has created one. */
    postToo: draft.renewKey,
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
      // The redirect below opens a list of posts, which is then refetched and contains the new or changed post.
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
  // `posted` lets the next screen show the matches of the new post.
  const posted = postId === null ? submission.data?.id : undefined;
  useRedirect(submission.isSuccess, isListed ? paths.viewPosts : paths.myPosts, REDIRECT_MS, { posted });

  function describeSuccess(post: Post | null): string {
    if (post === null) return t(navigator.onLine ? 'keptWhileBusy' : 'keptForLater');
    return postId === null ? t('created') : t('updated');
  }

  return { submission, success: submission.isSuccess ? describeSuccess(submission.data) : null };
}

/** Creates the post and sends its photos. @returns the post, or null if the phone stores it and sends it later. */
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
    // Moves the photos before the post, because a post in the outbox may be sent at any moment.
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
    releaseLater: () => {
      timer.current = setTimeout(() => setIsLocked(false), LOCK_MS);
    },
  };
}

/**
 * Keeps the input through a failed submit, an expired session and a reload. The storage key does not change when the
 * session ends.
 * @param place the key of the draft.
 * @param saved the initial values if there is no draft.
 */
export function useDraft(place: string, saved: PostFormValues) {
  const [key] = useState(place);
  const [kept] = useState(() => readDraft(key));
  const idempotencyKey = useRef(kept?.idempotencyKey ?? newIdempotencyKey());
  const isDone = useRef(false);

  // If another tab posts or discards this draft, this tab takes a new idempotency key. With the old key, the server
  // would not create another post from this tab.
  useEffect(() => {
    const onChange = (event: StorageEvent) => {
      if (event.key === key && event.newValue === null) idempotencyKey.current = newIdempotencyKey();
    };
    window.addEventListener('storage', onChange);
    return () => window.removeEventListener('storage', onChange);
  }, [key]);

  return {
    initial: kept
      ? {
          ...kept.values,
          is_owner: kept.values.is_owner ?? saved.is_owner,
          identifier: kept.values.identifier || saved.identifier,
          title: kept.values.title || saved.title,
          location: kept.values.location || saved.location,
        }
      : saved,
    /** Whether the form starts with a stored draft instead of `saved`. */
    isRestored: kept !== null,
    place: key,
    idempotencyKey,
    /** Stores the input. Input equal to the initial values is not a draft. */
    keep(values: PostFormValues) {
      if (isDone.current) return;
      if (isSame(values, saved)) clearDraft(key);
      else saveDraft(key, { values, idempotencyKey: idempotencyKey.current } satisfies PostDraft);
    },
    /** Takes a new idempotency key, because the old one can create no more posts. */
    renewKey() {
      idempotencyKey.current = newIdempotencyKey();
      const stored = readDraft(key);
      if (stored) saveDraft(key, { ...stored, idempotencyKey: idempotencyKey.current });
    },
    /** Deletes the draft, which was posted or discarded. */
    finish() {
      isDone.current = true;
      void withPhotos(({ forgetPhotos }) => forgetPhotos(({ place: at }) => at === key));
      clearDraft(key);
    },
  };
}

function isSame(one: PostFormValues, other: PostFormValues): boolean {
  return (Object.keys(one) as (keyof PostFormValues)[]).every((name) => (one[name] ?? '') === (other[name] ?? ''));
}
