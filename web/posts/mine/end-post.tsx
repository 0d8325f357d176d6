import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { DAY_MS } from '#contract/durations.ts';
import { POST_ASKED_AFTER_DAYS, POST_RESTS_AFTER_DAYS } from '#contract/limits.ts';
import type { Outcome, Post } from '#contract/posts.ts';
import { withReference } from '#web/api/client.ts';
import { queryKeys } from '#web/api/query-keys.ts';
import { formatDate } from '#web/lib/format.ts';
import { changeCachedPost, endPost, wakePost } from '#web/posts/api.ts';
import { Banner } from '#web/ui/banner.tsx';
import { Button } from '#web/ui/button.tsx';
import { showToast } from '#web/ui/toast.tsx';

/**
 * Shows the author the state of their post. If the post is closed or resting, says so and offers a button that reopens
 * it. If the post is open and old, asks whether the author is still looking.
 * @param onWoken is called while the pressed button is still on the screen, to move the focus.
 */
export function OwnPostState({ post, onWoken }: { post: Post; onWoken?: () => void }) {
  const { t } = useTranslation(['posts', 'ends']);
  const waking = useWakePost(onWoken);
  const wake = (label: string) => (
    <Button look="secondary" isBusy={waking.isPending} onClick={() => waking.mutate(post)}>
      {label}
    </Button>
  );
  if (!post.is_mine) return null;
  if (post.state === 'closed' || post.state === 'resting') {
    return (
      <Banner tone="notice">
        <div className="grid justify-items-start gap-3">
          <p>{t(`ends:awayText.${post.state}`)}</p>
          {wake(t(`ends:awayAction.${post.state}`))}
        </div>
      </Banner>
    );
  }
  if (!post.rests_at || !isAsked(post.rests_at)) return null;
  return (
    <Banner tone="notice">
      <div className="grid justify-items-start gap-3">
        <p className="font-semibold">{t(`ends:stillLooking.${post.posted_by}`)}</p>
        <p>{t('ends:restsOn', { day: formatDate(post.rests_at) })}</p>
        {wake(t(`ends:stillLookingYes.${post.posted_by}`))}
      </div>
    </Banner>
  );
}

/** Whether the post is old enough to ask the author "still looking?". A notice asks the same from this age on. */
function isAsked(restsAt: string): boolean {
  const daysLeft = POST_RESTS_AFTER_DAYS - POST_ASKED_AFTER_DAYS[0];
  return Date.parse(restsAt) - Date.now() <= daysLeft * DAY_MS;
}

/** Closes a post with an outcome. The author can undo the outcome "returned" for a while, as after "Mark as found". */
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

/**
 * Opens a closed or resting post again, or confirms that an open post stays open.
 * @param onWoken is called while the pressed button is still on the screen, to move the focus.
 */
function useWakePost(onWoken?: () => void) {
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
