import { useTranslation } from 'react-i18next';
import { useNavigate, useParams } from 'react-router';
import type { Post } from '#contract/posts.ts';
import { paths } from '#web/lib/paths.ts';
import { useOwnTitle } from '#web/lib/use-title.ts';
import { ButtonLink } from '#web/ui/button.tsx';
import { MatchList } from '#web/ui/match-list.tsx';
import { PostBadges } from '#web/ui/post-badges.tsx';
import { PostFacts } from '#web/ui/post-facts.tsx';
import { Contact } from './contact.tsx';
import { FoundThis } from './found-this.tsx';
import { HiddenNote } from './hidden-note.tsx';
import { LoadedPost } from './loaded-post.tsx';
import { LossReport } from './loss-report.tsx';
import { OwnPostState } from './own-post-state.tsx';
import { PostPhotos } from './photos/post-photos.tsx';
import { ReportAndBlock } from './report-and-block.tsx';
import { SharePost } from './share-post.tsx';
import { useOnePost } from './use-one-post.ts';

/** /posts/{id}: one post, whole, at an address that can be passed on. */
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
