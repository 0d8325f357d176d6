import { useTranslation } from 'react-i18next';
import { useLocation } from 'react-router';
import type { Post } from '#contract/posts.ts';
import { useSession } from '#web/api/session.ts';
import { contactPath, paths } from '#web/lib/paths.ts';
import { ButtonLink } from '#web/ui/button.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { ContactLimited, callLink } from './contact-links.tsx';
import { canBeClaimed, ThisIsMine } from './this-is-mine.tsx';

type Props = {
  post: Post;
  isOpened?: boolean;
};

/** How to contact the author: by a claim if the finder wants one first, otherwise by phone number. */
export function Contact({ post, isOpened = false }: Props) {
  if (post.contact === 'claim' && !post.is_mine) return <ClaimFirst post={post} />;
  return (
    <>
      <PhoneNumber post={post} isOpened={isOpened} />
      {isOpened && canBeClaimed(post) && <ThisIsMine postId={post.id} look="secondary" />}
    </>
  );
}

/** Says that the finder asks for proof of ownership, and gives their phone number only to the claimant they choose. */
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

/** Shows the phone number to signed-in users. A visitor is asked to log in, and then returns to this post. */
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

/** Shows a note if the phone number belongs to somebody other than the author, or if the author has not proven it. */
export function NumberNote({ post: { on_behalf, is_author_proven } }: { post: Post }) {
  const { t } = useTranslation('posts');
  if (on_behalf) return <p className="text-muted text-sm">{t('numberOfOther')}</p>;
  return is_author_proven === false && <p className="text-muted text-sm">{t('numberUnproven')}</p>;
}
