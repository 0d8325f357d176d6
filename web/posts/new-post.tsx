import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation, useSearchParams } from 'react-router';
import { useSession } from '#web/lib/session.ts';
import { Button } from '#web/ui/button.tsx';
import { AnswerPost } from './answer-post.tsx';
import { draftKey, EMPTY_POST, readDraft, VISITORS_DRAFT } from './post-draft.ts';
import { PostForm } from './post-form.tsx';
import { Question } from './question.tsx';

/** The form of a new post. Another account that signs in while it is open, in another tab, gets a form of its own. */
export function NewPost() {
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
 * What a visitor wrote is theirs again when they come back from the sign-in that the form sent them to. To anybody else
 * who signs in on the same phone it is not shown as their own.
 */
function WritersPost({ isFirst }: { isFirst: boolean }) {
  const { t } = useTranslation('posts');
  const userId = useSession()?.userId ?? null;
  const { isOwner, isDraftMine, identifier, communityCode } = useWayHere();
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
        saved={{ ...EMPTY_POST, is_owner: isOwner, identifier, community_code: communityCode }}
        takesFocus={isAnswered}
        draftKey={isVisitors ? VISITORS_DRAFT : draftKey(userId, null)}
      />
    </>
  );
}

type Way = { posted_by?: unknown; isDraftMine?: unknown; identifier?: unknown; community_code?: unknown };
type WayHere = { isOwner: boolean | null; isDraftMine: boolean; identifier: string; communityCode: string | null };

/** What the link to the form says about the post. */
function useWayHere(): WayHere {
  const { state } = useLocation();
  const { posted_by, isDraftMine, identifier, community_code } = (state ?? {}) as Way;
  const isOwner = posted_by === 'owner' ? true : posted_by === 'finder' ? false : null;
  return {
    isOwner,
    isDraftMine: isDraftMine === true,
    identifier: typeof identifier === 'string' ? identifier : '',
    communityCode: typeof community_code === 'string' ? community_code : null,
  };
}
