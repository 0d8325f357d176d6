import { useTranslation } from 'react-i18next';
import { claimPostPath, paths } from '#web/lib/paths.ts';
import { useSession } from '#web/lib/session.ts';
import { ButtonLink } from './button.tsx';

type Props = {
  postId: string;
  /** The second thing to do, where the number stands beside it. */
  look?: 'primary' | 'secondary';
  onClick?: () => void;
};

/** The way to a claim on a finder's post; a visitor signs in first, and comes to the form then. */
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
