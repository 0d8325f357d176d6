import { useTranslation } from 'react-i18next';
import type { Post } from '#contract/posts.ts';
import { useSession } from '#web/api/session.ts';
import { claimPostPath, paths } from '#web/lib/paths.ts';
import { ButtonLink } from '#web/ui/button.tsx';

type Props = {
  postId: string;
  /** `secondary` beside a phone number, because calling is then the primary action. */
  look?: 'primary' | 'secondary';
  onClick?: () => void;
};

/** The link to the form that claims a found item. A visitor signs in first, and the form opens afterwards. */
export function ThisIsMine({ postId, look = 'primary', onClick }: Props) {
  const { t } = useTranslation('posts');
  const isSignedIn = useSession() !== null;
  const to = claimPostPath(postId);
  return (
    <ButtonLink
      look={look}
      icon="tag"
      to={isSignedIn ? to : paths.login}
      state={isSignedIn ? null : { from: to }}
      {...(onClick && { onClick })}
    >
      {t('thisIsMine')}
    </ButtonLink>
  );
}

/**
 * Whether the user can claim the item. The post must be a visible finder's post of another person, and the item must
 * not be returned yet.
 */
export function canBeClaimed(post: Pick<Post, 'posted_by' | 'is_mine' | 'is_found' | 'is_hidden'>): boolean {
  return post.posted_by === 'finder' && !post.is_mine && !post.is_found && !post.is_hidden;
}
