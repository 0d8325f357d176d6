import { useTranslation } from 'react-i18next';
import { DAY_MS } from '#contract/durations.ts';
import { POST_ASKED_AFTER_DAYS, POST_RESTS_AFTER_DAYS } from '#contract/limits.ts';
import type { Post } from '#contract/posts.ts';
import { formatDate } from '#web/lib/format.ts';
import { Banner } from '#web/ui/banner.tsx';
import { Button } from '#web/ui/button.tsx';
import { useWakePost } from './use-ends.ts';

/**
 * To a post's author: that it is closed or rests, with the way back; or the question whether it is still looked for.
 * @param onWoken is called while what was pressed is still there, so that the focus can be led elsewhere.
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

/** From the day on that the notice asks, too. */
function isAsked(restsAt: string): boolean {
  const daysLeft = POST_RESTS_AFTER_DAYS - POST_ASKED_AFTER_DAYS[0];
  return Date.parse(restsAt) - Date.now() <= daysLeft * DAY_MS;
}
