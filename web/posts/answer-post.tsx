import { useTranslation } from 'react-i18next';
import { useLocation } from 'react-router';
import type { Post } from '#contract/posts.ts';
import { paths } from '#web/lib/paths.ts';
import { useSession } from '#web/lib/session.ts';
import { Banner } from '#web/ui/banner.tsx';
import { ButtonLink } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { LoadedPost } from './loaded-post.tsx';
import { draftKey, EMPTY_POST } from './post-draft.ts';
import { PostForm } from './post-form.tsx';
import { useOnePost } from './use-one-post.ts';

/** "I found this": the form, shortened, whose post its owner is told of at once. */
export function AnswerPost({ postId }: { postId: string }) {
  const session = useSession();
  const query = useOnePost(postId);
  if (session === null) return <LoginFirst />;
  return <LoadedPost query={query} render={(lost) => <AnswerForm key={session.userId} lost={lost} />} />;
}

function AnswerForm({ lost }: { lost: Post }) {
  const { t } = useTranslation('posts');
  const userId = useSession()?.userId ?? null;
  if (lost.is_mine || lost.posted_by !== 'owner' || lost.state !== 'open') {
    return (
      <EmptyState icon="search" title={t('answerGone')}>
        <ButtonLink to={paths.createPost} replace>
          {t('answerAnyway')}
        </ButtonLink>
      </EmptyState>
    );
  }
  const saved = {
    ...EMPTY_POST,
    is_owner: false,
    community_code: lost.community_code,
    answers_post_id: lost.id,
  };
  return (
    <>
      <Banner tone="notice">
        <p>{t('answerIntro')}</p>
        <p dir="auto" className="break-words font-semibold">
          {lost.title}
        </p>
      </Banner>
      <PostForm post={null} saved={saved} draftKey={draftKey(userId, `answer-${lost.id}`)} />
    </>
  );
}

function LoginFirst() {
  const { t } = useTranslation('posts');
  const { pathname, search } = useLocation();
  return (
    <EmptyState icon="user" title={t('answerLogin')}>
      <ButtonLink to={paths.login} state={{ from: pathname + search }}>
        {t('login')}
      </ButtonLink>
    </EmptyState>
  );
}
