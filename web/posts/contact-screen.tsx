import { useTranslation } from 'react-i18next';
import { Link, useParams } from 'react-router';
import type { Post } from '#contract/posts.ts';
import { useSession } from '#web/api/session.ts';
import { postPath } from '#web/lib/paths.ts';
import { useGoBack } from '#web/lib/use-go-back.ts';
import { ClaimFirst, LoginForContact, NumberNote } from '#web/posts/post/contact.tsx';
import { ContactLimited, ContactLinks } from '#web/posts/post/contact-links.tsx';
import { LoadedPost, useOnePost } from '#web/posts/post/loaded-post.tsx';
import { PostBadges } from '#web/posts/post/post-parts.tsx';
import { SafeMeeting } from '#web/posts/post/safe-meeting.tsx';
import { canBeClaimed, ThisIsMine } from '#web/posts/post/this-is-mine.tsx';
import { Icon } from '#web/ui/icon.tsx';

/** /posts/{id}/contact: how to contact the author and meet them safely. */
export function ContactScreen() {
  const { id = '' } = useParams();
  const query = useOnePost(id);
  return (
    <div className="mx-auto grid w-full max-w-2xl gap-4">
      <LoadedPost query={query} render={(post) => <ContactPoster post={post} />} />
    </div>
  );
}

function ContactPoster({ post }: { post: Post }) {
  const { t } = useTranslation('posts');
  const goBack = useGoBack(postPath(post.id));
  return (
    <>
      <div className="flex items-center gap-2">
        <button type="button" className="icon-button -ml-2" aria-label={t('back')} onClick={goBack}>
          <Icon name="back" />
        </button>
        <h1>{t('contactPoster')}</h1>
      </div>
      <section className="card grid gap-3">
        <PostBadges post={post} />
        <Link to={postPath(post.id)} dir="auto" className="link break-words text-lg">
          {post.title}
        </Link>
        <Ways post={post} />
      </section>
      <SafeMeeting />
    </>
  );
}

function Ways({ post }: { post: Post }) {
  const { title, description, phone_number, is_mine } = post;
  const { t } = useTranslation('posts');
  const isSignedIn = useSession() !== null;
  if (post.contact === 'claim' && !is_mine) return <ClaimFirst post={post} />;
  if (!isSignedIn) return <LoginForContact />;
  if (is_mine) return <p>{t('contactIsMine')}</p>;
  if (post.is_contact_limited) return <ContactLimited postId={post.id} opensAt={post.contact_opens_at} isOpened />;
  if (phone_number === null) return <p>{t('contactHidden')}</p>;
  return (
    <>
      <p className="font-bold text-2xl tabular-nums">{phone_number}</p>
      <NumberNote post={post} />
      <ContactLinks phone={phone_number} title={title} written={`${title} ${description}`} />
      {canBeClaimed(post) && <ThisIsMine postId={post.id} look="secondary" />}
    </>
  );
}
