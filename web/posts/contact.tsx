import { useTranslation } from 'react-i18next';
import { useLocation } from 'react-router';
import type { Post } from '#contract/posts.ts';
import { canBeClaimed } from '#web/lib/can-be-claimed.ts';
import { callLink } from '#web/lib/contact-links.ts';
import { contactPath, paths } from '#web/lib/paths.ts';
import { useSession } from '#web/lib/session.ts';
import { ButtonLink } from '#web/ui/button.tsx';
import { ContactLimited } from '#web/ui/contact-limited.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { ThisIsMine } from '#web/ui/this-is-mine.tsx';
import { NumberNote } from './number-note.tsx';

type Props = {
  post: Post;
  /** The post is opened by itself. */
  isOpened?: boolean;
};

/** How whoever posted can be reached: by a claim where they want one first, else by their number. */
export function Contact({ post, isOpened = false }: Props) {
  if (post.contact === 'claim' && !post.is_mine) return <ClaimFirst post={post} />;
  return (
    <>
      <PhoneNumber post={post} isOpened={isOpened} />
      {isOpened && canBeClaimed(post) && <ThisIsMine postId={post.id} look="secondary" />}
    </>
  );
}

/** Whoever found it has chosen to hear of it here, and gives their number to one person alone. */
export function ClaimFirst({ post }: { post: Post }) {
  const { t } = useTranslation('posts');
  if (!canBeClaimed(post)) return null;
  return (
    <div className="grid gap-2">
      <p className="text-muted text-sm">{t('claimFirst')}</p>
      <ThisIsMine postId={post.id} />
    </div>
  );
}

/** The number is for those signed in; a visitor is asked to log in, and comes back here after it. */
function PhoneNumber({ post, isOpened = false }: Props) {
  const { id, phone_number, is_mine } = post;
  const { t } = useTranslation('posts');
  if (useSession() === null) return <LoginForContact />;
  if (post.is_contact_limited)
    return <ContactLimited postId={id} opensAt={post.contact_opens_at} isOpened={isOpened} />;
  if (phone_number === null) return <LoginForContact />;
  return (
    <div className="grid gap-2">
      <p className="flex items-center gap-2 font-semibold tabular-nums">
        <Icon name="phone" className="size-4 text-muted" />
        <span className="sr-only">{t('phoneNumber')}</span>
        {is_mine ? phone_number : <a href={callLink(phone_number)}>{phone_number}</a>}
      </p>
      {is_mine && post.contact === 'claim' && <p className="text-muted text-sm">{t('claimFirstMine')}</p>}
      {!is_mine && <NumberNote post={post} />}
      {!is_mine && (
        <ButtonLink icon="chat" to={contactPath(id)}>
          {t('contactPoster')}
        </ButtonLink>
      )}
    </div>
  );
}

export function LoginForContact() {
  const { t } = useTranslation('posts');
  const { pathname, search, state } = useLocation();
  return (
    <ButtonLink
      look="secondary"
      icon="phone"
      to={paths.login}
      state={{ from: pathname + search, fromState: state }}
      className="w-full"
    >
      {t('loginToContact')}
    </ButtonLink>
  );
}
