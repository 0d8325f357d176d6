import { useRef } from 'react';
import { flushSync } from 'react-dom';
import { useTranslation } from 'react-i18next';
import { FOUND_UNDO_SECONDS } from '#contract/limits.ts';
import { OUTCOMES, type Outcome, type Post } from '#contract/posts.ts';
import { useDialogAddress } from '#web/lib/address.ts';
import { useSecondsLeft } from '#web/lib/countdown.ts';
import { paths } from '#web/lib/paths.ts';
import { toPhoneTime } from '#web/lib/server-time.ts';
import { MatchCount } from '#web/matches/match-list.tsx';
import { PostCard } from '#web/posts/post/post-card.tsx';
import { SharePost } from '#web/posts/share/share-post.tsx';
import { Button, ButtonLink } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialogs.tsx';
import { OwnPostState, useEndPost } from './end-post.tsx';
import { HiddenNote, LossReport } from './own-notes.tsx';
import { useMarkFound, useUndoFound } from './own-posts.tsx';

export function OwnPostCard({ post, onDelete }: { post: Post; onDelete: () => void }) {
  const { t } = useTranslation('posts');
  const update = useRef<HTMLAnchorElement>(null);
  // Moves the focus to the update link after a press on a button that is then removed. Otherwise the focus would be
  // lost.
  const keepFocus = () => update.current?.focus();

  return (
    <PostCard post={post}>
      {post.is_found ? (
        post.found_until !== null && <UndoFound post={post} until={post.found_until} onUndone={keepFocus} />
      ) : (
        <>
          <HiddenNote post={post} />
          <OwnPostState post={post} onWoken={keepFocus} />
          <MatchCount postId={post.id} onEmptied={keepFocus} />
          <LossReport post={post} />
          <MarkFound post={post} onMarked={keepFocus} />
          {post.state !== 'closed' && <ClosePost post={post} onClosed={keepFocus} />}
        </>
      )}
      <SharePost post={post} />
      <div className="grid grid-cols-2 gap-2">
        <ButtonLink ref={update} look="secondary" icon="edit" to={paths.createPost} state={{ mode: 'update', post }}>
          {t('update')}
        </ButtonLink>
        <Button look="secondary" icon="trash" className="text-danger" onClick={onDelete}>
          {t('delete')}
        </Button>
      </div>
    </PostCard>
  );
}

/** Marks the post as found and returned, after the user has confirmed it. */
function MarkFound({ post, onMarked }: { post: Post; onMarked: () => void }) {
  const { t } = useTranslation('posts');
  const marking = useMarkFound();
  const dialog = useDialogAddress('retrieved', post.id);

  function mark() {
    marking.mutate(post);
    // Closes the dialog first. Otherwise the closing dialog would move the focus to the button that opened it, and this
    // button is removed too.
    flushSync(dialog.close);
    onMarked();
  }

  return (
    <>
      <Button icon="check" isBusy={marking.isPending} onClick={dialog.open}>
        {t(`markFound.${post.posted_by}`)}
      </Button>
      {dialog.isOpen && (
        <Dialog title={t(`markFound.${post.posted_by}`)} onClose={dialog.close}>
          <p dir="auto" className="break-words font-semibold">
            {post.title}
          </p>
          <p>{t(`retrievedQuestion.${post.posted_by}`)}</p>
          <p className="text-muted">{t(`retrievedText.${post.posted_by}`)}</p>
          <div className="flex flex-wrap justify-end gap-3">
            <Button look="secondary" onClick={dialog.close}>
              {t('cancel')}
            </Button>
            <Button icon="check" onClick={mark}>
              {t(`markFound.${post.posted_by}`)}
            </Button>
          </div>
        </Dialog>
      )}
    </>
  );
}

/** Asks the author for the post's outcome. A tap on an outcome saves this outcome and closes the post. */
function ClosePost({ post, onClosed }: { post: Post; onClosed: () => void }) {
  const { t } = useTranslation(['posts', 'ends']);
  const ending = useEndPost();
  const dialog = useDialogAddress('close', post.id);

  function end(outcome: Outcome) {
    ending.mutate({ post, outcome });
    // Closes the dialog first. Otherwise the closing dialog would move the focus to the button that opened it, and this
    // button is removed too.
    flushSync(dialog.close);
    onClosed();
  }

  return (
    <>
      <Button look="quiet" icon="close" isBusy={ending.isPending} onClick={dialog.open}>
        {t('ends:closePost')}
      </Button>
      {dialog.isOpen && (
        <Dialog title={t('ends:closeTitle')} onClose={dialog.close}>
          <p dir="auto" className="break-words font-semibold">
            {post.title}
          </p>
          <fieldset className="grid gap-2">
            <legend className="mb-2">{t('ends:closeQuestion')}</legend>
            {OUTCOMES.map((outcome) => (
              <Button key={outcome} look="secondary" className="justify-start text-left" onClick={() => end(outcome)}>
                {t(`ends:outcomes.${post.posted_by}.${outcome}`)}
              </Button>
            ))}
          </fieldset>
          <p className="text-muted text-sm">{t('ends:closeText')}</p>
        </Dialog>
      )}
    </>
  );
}

/** Undoes "Mark as found". Shown only while the undo is possible. */
function UndoFound({ post, until, onUndone }: { post: Post; until: string; onUndone: () => void }) {
  const { t } = useTranslation('posts');
  const undoing = useUndoFound(onUndone);
  const minutes = Math.ceil(useSecondsLeft(toPhoneTime(until), FOUND_UNDO_SECONDS) / 60);
  if (minutes === 0) return null;

  return (
    <div className="flex items-center justify-between gap-2">
      <p className="text-muted text-sm">{t('undoTimeLeft', { count: minutes })}</p>
      <Button look="secondary" isBusy={undoing.isPending} onClick={() => undoing.mutate(post)}>
        {t('undo')}
      </Button>
    </div>
  );
}
