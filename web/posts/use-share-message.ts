import { useTranslation } from 'react-i18next';
import type { Post } from '#contract/posts.ts';
import { useSharedPost } from './use-shared-post.ts';

/** @returns what stands before the link in a chat, or null until it is known. */
export function useShareMessage(post: Post): string | null {
  const { t } = useTranslation('sharing');
  const { post: shared, isLoading } = useSharedPost(post);
  if (isLoading) return null;
  if (shared === null) return t('forMembers');
  // Without a network, or when it has just gone: the link says the rest, to whoever opens it later.
  if (!shared) return t(`unnamed.${post.posted_by}`);
  const { title, location: place } = shared;
  return t(shared.is_found ? 'returned' : `message.${shared.posted_by}`, { title, place });
}
