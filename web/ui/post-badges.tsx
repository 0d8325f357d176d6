import { useTranslation } from 'react-i18next';
import type { Post } from '#contract/posts.ts';
import { Badge } from '#web/ui/badge.tsx';

/** Lost or found, and whether it was found and returned: in words and a sign, never by colour alone. */
export function PostBadges({
  post,
}: {
  post: Pick<Post, 'posted_by' | 'is_found' | 'is_hidden' | 'community_name'> & Partial<Pick<Post, 'state'>>;
}) {
  const { t } = useTranslation('posts');
  return (
    <div className="flex flex-wrap gap-1.5">
      <StateBadge post={post} />
      {(post.state === 'closed' || post.state === 'resting') && (
        <Badge tone="plain" icon={post.state === 'closed' ? 'close' : 'pause'}>
          {t(post.state)}
        </Badge>
      )}
      {post.is_hidden && (
        <Badge tone="plain" icon="eyeOff">
          {t('hidden')}
        </Badge>
      )}
      {post.community_name && (
        <Badge tone="plain" icon="users">
          <bdi>{post.community_name}</bdi>
        </Badge>
      )}
    </div>
  );
}

/** Once a thing is returned, the side that posted it no longer matters: "Found" beside "Found and returned" would confuse. */
function StateBadge({ post: { posted_by, is_found } }: { post: Pick<Post, 'posted_by' | 'is_found'> }) {
  const { t } = useTranslation('posts');
  if (is_found) {
    return (
      <Badge tone="found" icon="check">
        {t('found')}
      </Badge>
    );
  }
  return posted_by === 'owner' ? (
    <Badge tone="lost" icon="search">
      {t('kindLost')}
    </Badge>
  ) : (
    <Badge tone="accent" icon="tag">
      {t('kindPickedUp')}
    </Badge>
  );
}
