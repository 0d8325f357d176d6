import { useTranslation } from 'react-i18next';
import type { Post } from '#contract/posts.ts';
import { answerPath, paths } from '#web/lib/paths.ts';
import { useSession } from '#web/lib/session.ts';
import { ButtonLink } from '#web/ui/button.tsx';

/** On what somebody else has lost: the shortest way for whoever holds it. A visitor signs in first, and comes back. */
export function FoundThis({ post }: { post: Post }) {
  const { t } = useTranslation('posts');
  const isSignedIn = useSession() !== null;
  if (post.is_mine || post.posted_by !== 'owner' || post.state !== 'open') return null;
  const to = answerPath(post.id);
  return (
    <ButtonLink
      look="secondary"
      icon="tag"
      to={isSignedIn ? to : paths.login}
      {...(!isSignedIn && { state: { from: to } })}
    >
      {t('foundThis')}
    </ButtonLink>
  );
}
