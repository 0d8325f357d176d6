import { useTranslation } from 'react-i18next';
import { useNavigate, useParams } from 'react-router';
import type { Post } from '#contract/posts.ts';
import { useSession } from '#web/api/session.ts';
import { answerPath, paths } from '#web/lib/paths.ts';
import { useOwnTitle } from '#web/lib/title.ts';
import { MatchList } from '#web/matches/match-list.tsx';
import { PostPhotos } from '#web/photos/post-photos.tsx';
import { OwnPostState } from '#web/posts/mine/end-post.tsx';
import { HiddenNote, LossReport } from '#web/posts/mine/own-notes.tsx';
import { Contact } from '#web/posts/post/contact.tsx';
import { LoadedPost, useOnePost } from '#web/posts/post/loaded-post.tsx';
import { PostBadges, PostFacts } from '#web/posts/post/post-parts.tsx';
import { ReportAndBlock } from '#web/posts/post/report-and-block.tsx';
import { SharePost } from '#web/posts/share/share-post.tsx';
import { ButtonLink } from '#web/ui/button.tsx';

/** /posts/{id}: one post in full. */
export function PostScreen() {
  const { t } = useTranslation('posts');
  const { id = '' } = useParams();
  const query = useOnePost(id);
  useOwnTitle(query.post?.title);
  return (
    <div className="mx-auto grid w-full max-w-2xl gap-4">
      <ButtonLink look="quiet" icon="back" to={paths.viewPosts} className="justify-self-start px-2!">
        {t('allPosts')}
      </ButtonLink>
      <LoadedPost
        query={query}
        render={(post) => (
          <>
            <WholePost post={post} />
            {post.is_mine && post.state === 'open' && <Matches postId={post.id} />}
          </>
        )}
      />
    </div>
  );
}

function Matches({ postId }: { postId: string }) {
  const { t } = useTranslation('notices');
  return (
    <div className="mt-2 grid gap-3">
      <h2>{t('matchesTitle')}</h2>
      <MatchList postId={postId} isAsked />
    </div>
  );
}

function WholePost({ post }: { post: Post }) {
  const { t } = useTranslation('posts');
  const navigate = useNavigate();
  return (
    <article className={`card grid gap-4 ${post.is_found ? 'border-found bg-found-soft/50' : ''}`}>
      <HiddenNote post={post} />
      <OwnPostState post={post} />
      <PostBadges post={post} />
      <h1 dir="auto" className="break-words">
        {post.title}
      </h1>
      <PostFacts post={post} />
      {post.description && (
        <p dir="auto" className="whitespace-pre-wrap break-words">
          {post.description}
        </p>
      )}
      <PostPhotos post={post} />
      <Contact post={post} isOpened />
      <FoundThis post={post} />
      <LossReport post={post} />
      <div className="flex flex-wrap gap-2">
        {post.is_mine && (
          <ButtonLink look="secondary" icon="edit" to={paths.myPosts}>
            {t('manage')}
          </ButtonLink>
        )}
        <SharePost post={post} />
      </div>
      <ReportAndBlock post={post} onBlocked={() => void navigate(paths.viewPosts, { replace: true })} />
    </article>
  );
}

/** "I found this" on another person's lost post: opens the form for the finder's post. A visitor signs in first. */
function FoundThis({ post }: { post: Post }) {
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
