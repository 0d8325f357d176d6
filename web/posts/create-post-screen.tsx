import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation, useNavigate, useSearchParams } from 'react-router';
import { LOCATION_MAX_CHARS } from '#contract/limits.ts';
import { type Post, TITLE_MAX_CHARS } from '#contract/posts.ts';
import { useSession } from '#web/api/session.ts';
import { paths } from '#web/lib/paths.ts';
import { useOwnTitle } from '#web/lib/title.ts';
import {
  draftKey,
  EMPTY_POST,
  type PostFormValues,
  readDraft,
  toFormValues,
  VISITORS_DRAFT,
} from '#web/posts/form/post-draft.ts';
import { PostForm } from '#web/posts/form/post-form.tsx';
import { Question } from '#web/posts/form/submit-part.tsx';
import { LoadedPost, useOnePost } from '#web/posts/post/loaded-post.tsx';
import { PostCardSkeleton } from '#web/posts/post/post-card.tsx';
import { Banner } from '#web/ui/banner.tsx';
import { Button, ButtonLink } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { LoginNeeded, QueryState } from '#web/ui/query-state.tsx';
import { postOptions } from './queries.ts';

/** /create-post: creates a post, or edits the one in the navigation state. */
export function CreatePostScreen() {
  const { t } = useTranslation('posts');
  const postId = readPostId(useLocation().state);
  const navigate = useNavigate();
  const title = postId === null ? t('createTitle') : t('updateTitle');
  useOwnTitle(postId === null ? undefined : title);
  return (
    <div className="mx-auto grid w-full max-w-xl gap-5">
      <div className="grid grid-cols-[1fr_auto] gap-2">
        <h1>{title}</h1>
        <button
          type="button"
          className="icon-button -mt-1"
          aria-label={t('closeForm')}
          onClick={() => navigate(postId === null ? paths.home : paths.myPosts)}
        >
          <Icon name="close" />
        </button>
        <p className="col-span-2 text-muted">{postId === null ? t('createText') : t('updateText')}</p>
      </div>
      {postId === null ? <NewPost /> : <UpdateForm key={postId} postId={postId} />}
    </div>
  );
}

/**
 * Loads the post to edit, because the copy in a list may be old. If the post changes on the server later, the user's
 * input stays.
 */
function UpdateForm({ postId }: { postId: string }) {
  const { t } = useTranslation('posts');
  const viewerId = useSession()?.userId ?? null;
  const [loaded, setLoaded] = useState<Post | null>(null);
  const query = useQuery({ ...postOptions(viewerId, postId), refetchOnMount: 'always', enabled: loaded === null });
  const { data, error, isFetchedAfterMount } = query;
  if (!loaded && data && isFetchedAfterMount && !error) setLoaded(data);

  return (
    <QueryState
      query={{ ...query, data: loaded ?? undefined }}
      failed={t('fetchFailed')}
      skeleton={<PostCardSkeleton />}
    >
      {(post) => <PostForm post={post} saved={toFormValues(post)} draftKey={draftKey(viewerId, postId)} />}
    </QueryState>
  );
}

/** Returns the id of the post to edit, or null for a new post (docs/product.md S6). */
function readPostId(state: unknown): string | null {
  const { mode, post } = (state ?? {}) as { mode?: unknown; post?: { id?: unknown } };
  return mode === 'update' && typeof post?.id === 'string' ? post.id : null;
}

/** The form of a new post. If another account signs in, in another tab, the form starts again for that account. */
function NewPost() {
  const userId = useSession()?.userId ?? null;
  const [writer, setWriter] = useState({ userId, count: 0 });
  if (userId !== null && userId !== writer.userId) {
    setWriter({ userId, count: writer.userId === null ? writer.count : writer.count + 1 });
  }
  const [params] = useSearchParams();
  const answered = params.get('answers');
  if (answered) return <AnswerPost key={answered} postId={answered} />;
  return <WritersPost key={writer.count} isFirst={writer.count === 0} />;
}

/**
 * Restores the draft of a visitor who has just signed in from this form. Asks any other user whether the visitor's
 * draft on this phone is theirs.
 */
function WritersPost({ isFirst }: { isFirst: boolean }) {
  const { t } = useTranslation('posts');
  const userId = useSession()?.userId ?? null;
  const { isDraftMine, said } = useWayHere();
  const [isVisitors, setIsVisitors] = useState(
    () => userId === null || (isFirst && isDraftMine && readDraft(VISITORS_DRAFT) !== null),
  );
  const [isAnswered, setIsAnswered] = useState(false);
  const [found] = useState(() => (isVisitors || readDraft(draftKey(userId, null)) ? null : readDraft(VISITORS_DRAFT)));

  function answer(isMine: boolean) {
    setIsAnswered(true);
    setIsVisitors(isMine);
  }

  return (
    <>
      {found && !isAnswered && (
        <Question
          text={t('visitorsDraft')}
          about={
            <p dir="auto" className="break-words">
              {found.values.title}
            </p>
          }
        >
          <Button onClick={() => answer(true)}>{t('visitorsDraftMine')}</Button>
          <Button look="secondary" onClick={() => answer(false)}>
            {t('visitorsDraftOther')}
          </Button>
        </Question>
      )}
      <PostForm
        key={String(isVisitors)}
        post={null}
        saved={{ ...EMPTY_POST, ...said }}
        takesFocus={isAnswered}
        draftKey={isVisitors ? VISITORS_DRAFT : draftKey(userId, null)}
      />
    </>
  );
}

type Said = Pick<PostFormValues, 'is_owner' | 'title' | 'location' | 'identifier' | 'community_code'>;

/**
 * Reads the navigation state. The state can contain values that a link fills into the form, and says whether the
 * visitor's draft belongs to this user.
 */
function useWayHere(): { isDraftMine: boolean; said: Said } {
  const { state } = useLocation();
  const way = (state ?? {}) as Record<string, unknown>;
  const textOf = (name: keyof Said) => (typeof way[name] === 'string' ? way[name] : '');
  const said = {
    is_owner: way.posted_by === 'owner' ? true : way.posted_by === 'finder' ? false : null,
    title: textOf('title').slice(0, TITLE_MAX_CHARS),
    location: textOf('location').slice(0, LOCATION_MAX_CHARS),
    identifier: textOf('identifier'),
    community_code: textOf('community_code') || null,
  };
  return { isDraftMine: way.isDraftMine === true, said };
}

/**
 * The form for "I found this" on an owner's post, shorter than the form for other posts. A post from this form notifies
 * the author of the owner's post at once.
 */
function AnswerPost({ postId }: { postId: string }) {
  const { t } = useTranslation('posts');
  const session = useSession();
  const query = useOnePost(postId);
  if (session === null) return <LoginNeeded title={t('answerLogin')} label={t('login')} />;
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
