import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { Outcome, Post } from '#contract/posts.ts';
import { withReference } from '#web/lib/api-client.ts';
import { queryKeys } from '#web/lib/query-keys.ts';
import { showToast } from '#web/ui/toast.tsx';
import { changeCachedPost, endPost, wakePost } from './api.ts';

/** Says how a post ended. What is back can be taken back as a marking can. */
export function useEndPost() {
  const { t } = useTranslation(['posts', 'ends']);
  const keep = useKeepChanged();
  return useMutation({
    mutationFn: ({ post, outcome }: { post: Post; outcome: Outcome }) => endPost(post.id, outcome),
    onSuccess(ended) {
      keep(ended);
      showToast.success(t(ended.is_found ? 'markedFound' : 'ends:postClosed'));
    },
    onError: (error) => void showToast.error(withReference(t('ends:closeFailed'), error), 'post-not-closed'),
  });
}

/** Says that a post is still looked for. @param onWoken is called while what was pressed is still there. */
export function useWakePost(onWoken?: () => void) {
  const { t } = useTranslation(['posts', 'ends']);
  const keep = useKeepChanged();
  return useMutation({
    mutationFn: ({ id }: Post) => wakePost(id),
    onSuccess(woken, before) {
      onWoken?.();
      keep(woken);
      showToast.success(t(before.state === 'open' ? 'ends:keptOpen' : 'foundUndone'));
    },
    onError: (error) => void showToast.error(withReference(t('ends:wakeFailed'), error), 'post-not-woken'),
  });
}

function useKeepChanged() {
  const client = useQueryClient();
  return (post: Post) => {
    changeCachedPost(client, post.id, () => post);
    void client.invalidateQueries({ queryKey: queryKeys.posts.all });
    void client.invalidateQueries({ queryKey: queryKeys.matches.all });
  };
}
