import { QueryClientProvider, useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation } from 'react-router';
import type { LiveMessage, MatchingPostMessage } from '#contract/live-messages.ts';
import { withReference } from '#web/api/client.ts';
import { queryClient } from '#web/api/queries.ts';
import { useSession } from '#web/api/session.ts';
import { claimsOptions, listedClaims } from '#web/claims/api.ts';
import { setUnreadNotices, setWaitingNotices } from '#web/lib/notice-signals.ts';
import { paths, postPath } from '#web/lib/paths.ts';
import { useStore } from '#web/lib/store.ts';
import { ReasonList } from '#web/matches/reason-list.tsx';
import { ThisIsMine } from '#web/posts/post/this-is-mine.tsx';
import { postOptions } from '#web/posts/queries.ts';
import { Banner } from '#web/ui/banner.tsx';
import { Button, ButtonLink } from '#web/ui/button.tsx';
import { Confetti } from '#web/ui/confetti.tsx';
import { Dialog } from '#web/ui/dialogs.tsx';
import { showToast } from '#web/ui/toast.tsx';
import {
  closePhoneNotifications,
  countUntoldClaims,
  dismissMatch,
  dismissNotice,
  markRead,
  noticesOptions,
  refreshAfterEnd,
  refreshAfterNotice,
  unreadCountOf,
} from './api.ts';
import { NoticeContact, NoticeFacts } from './match-parts.tsx';
import { isToldAt, type News, NewsText, nextPlace, titleOf } from './news.tsx';
import { NoticeInbox } from './notice-inbox.ts';

/** The live connection of a signed-in user, the modal for new notices and the bell's count. */
export function LiveNotices() {
  const session = useSession();
  return (
    session && (
      <QueryClientProvider client={queryClient}>
        <UnreadCount />
        <NoticeModals key={session.userId} userId={session.userId} />
      </QueryClientProvider>
    )
  );
}

function UnreadCount() {
  const { data: notices } = useInfiniteQuery(noticesOptions);
  const { data: claims } = useInfiniteQuery(claimsOptions);
  const unread = unreadCountOf(notices);
  const untold = countUntoldClaims(notices, listedClaims(claims));
  // Removes the notifications of read notices from this phone. The user may have read the notices on another device.
  useEffect(() => {
    const read = notices?.pages[0]?.notices.filter(({ read_at }) => read_at !== null) ?? [];
    closePhoneNotifications(read.map(({ message }) => message.id));
  }, [notices]);
  useEffect(() => {
    setUnreadNotices(unread, untold);
    return () => setUnreadNotices(0, 0);
  }, [unread, untold]);
  return null;
}

function NoticeModals({ userId }: { userId: string }) {
  const [inbox] = useState(
    () =>
      new NoticeInbox(
        userId,
        () => void refreshAfterNotice(queryClient),
        () => void refreshAfterEnd(queryClient),
      ),
  );
  const { current, waiting } = useStore(inbox.state);
  useEffect(() => inbox.open(), [inbox]);
  useEffect(() => setWaitingNotices(waiting.length, current !== null), [waiting.length, current]);
  useEffect(() => () => setWaitingNotices(0, false), []);
  const { pathname } = useLocation();
  const isTold = current !== null && isToldAt(pathname, current);
  useEffect(() => {
    if (isTold) finish(inbox, current);
  }, [isTold, inbox, current]);
  if (!current || isTold) return null;

  const close = () => finish(inbox, current);
  // Each modal below has the notice's id as its key. So each notice opens a new modal, which screen readers announce.
  const shared = { waiting: waiting.length, onClose: close };
  if (current.type === 'matching_post') {
    return <MatchModal key={current.id} {...shared} message={current} onDismissed={() => inbox.next()} />;
  }
  if (current.type === 'password_changed') return <PasswordChangedModal key={current.id} {...shared} />;
  return <NewsModal key={current.id} {...shared} message={current} />;
}

/** Marks the notice as read and shows the next one. */
function finish(inbox: NoticeInbox, { id }: LiveMessage): void {
  inbox.next();
  // Ignores a failure: the notice stays unread, and the bell still counts it.
  markRead(queryClient, { ids: [id] }).catch(() => undefined);
}

type Props = { message: MatchingPostMessage; waiting: number; onClose: () => void; onDismissed: () => void };

/**
 * "A Matching Post Found!". If the other post's author confirmed a possible match, the modal says so and shows no
 * confetti.
 */
function MatchModal({ message, waiting, onClose, onDismissed }: Props) {
  const { t } = useTranslation('notices');
  const client = useQueryClient();
  const isPossible = message.confidence === 'possible';
  const dismissal = useMutation({
    mutationFn: () => (isPossible ? dismissMatch(client, message.pair_id) : dismissNotice(client, message.id)),
    onSuccess: () => showToast.success(t(isPossible ? 'notThisDone' : 'notMineDone')),
  });

  return (
    <Dialog
      title={t(isPossible ? 'possibleTitle' : 'modalTitle')}
      onClose={onClose}
      backdrop={!isPossible && <Confetti />}
    >
      {isPossible && <p>{t('possibleText')}</p>}
      <div className="grid gap-2">
        <p dir="auto" className="wrap-anywhere font-bold text-lg">
          {message.title}
        </p>
        <NoticeFacts message={message} />
      </div>
      {message.reasons.length > 0 && (
        <section className="grid gap-2 rounded-xl bg-found-soft p-4">
          <h3 className="font-semibold">{t('reasonsTitle')}</h3>
          <ReasonList reasons={message.reasons} />
        </section>
      )}
      <NoticeContact message={message} />
      <ClaimMatch message={message} onClose={onClose} />
      <div className="grid grid-cols-2 gap-2">
        <ButtonLink look="secondary" to={postPath(message.post_id)} onClick={onClose}>
          {t('viewPost')}
        </ButtonLink>
        {/* The callback is passed to `mutate`, which does not call it after this modal is closed. Otherwise a late
            response would close the next notice. */}
        <Button
          look="secondary"
          isBusy={dismissal.isPending}
          onClick={() => dismissal.mutate(undefined, { onSuccess: onDismissed })}
        >
          {t('notThis')}
        </Button>
      </div>
      {dismissal.isError && <Banner tone="error">{withReference(t('notMineFailed'), dismissal.error)}</Banner>}
      <MoreWaiting count={waiting} onNext={onClose} />
    </Dialog>
  );
}

/**
 * The button "This is mine", for an owner. The notice does not say whether the user is the owner, so the component
 * loads the user's own post.
 */
function ClaimMatch({ message, onClose }: { message: MatchingPostMessage; onClose: () => void }) {
  const viewerId = useSession()?.userId ?? null;
  const { data: ownPost } = useQuery(postOptions(viewerId, message.your_post_id));
  if (ownPost?.posted_by !== 'owner') return null;
  const look = message.phone_number ? 'secondary' : 'primary';
  return <ThisIsMine postId={message.post_id} look={look} onClick={onClose} />;
}

/**
 * The modal for every notice except matches and changed passwords: for example a decision on a community, or a claim
 * that the user must answer.
 */
function NewsModal({ message, waiting, onClose }: { message: News; waiting: number; onClose: () => void }) {
  const { t } = useTranslation(['notices', 'common']);
  const next = nextPlace(message, t);
  return (
    <Dialog title={titleOf(message, t)} onClose={onClose} backdrop={message.type === 'handed_over' && <Confetti />}>
      <NewsText message={message} />
      {next ? (
        <ButtonLink to={next.to} onClick={onClose}>
          {next.label}
        </ButtonLink>
      ) : (
        <Button onClick={onClose}>{t('common:close')}</Button>
      )}
      <MoreWaiting count={waiting} onNext={onClose} />
    </Dialog>
  );
}

/**
 * The modal after somebody set a new password with a reset code from WhatsApp: the user, or a thief who has the user's
 * phone or SIM card.
 */
function PasswordChangedModal({ waiting, onClose }: { waiting: number; onClose: () => void }) {
  const { t } = useTranslation(['notices', 'common']);
  return (
    <Dialog title={t('passwordTitle')} onClose={onClose}>
      <p>{t('passwordText')}</p>
      <div className="grid grid-cols-2 gap-2">
        <ButtonLink look="secondary" to={paths.forgotPassword} onClick={onClose}>
          {t('passwordNotMe')}
        </ButtonLink>
        <Button onClick={onClose}>{t('passwordWasMe')}</Button>
      </div>
      <MoreWaiting count={waiting} onNext={onClose} />
    </Dialog>
  );
}

/** Says how many more notices wait. They are shown one at a time. */
function MoreWaiting({ count, onNext }: { count: number; onNext: () => void }) {
  const { t } = useTranslation('notices');
  if (count === 0) return null;
  return (
    <div className="flex items-center justify-between gap-2 border-line border-t pt-3">
      <p className="text-muted text-sm" role="status">
        {t('moreWaiting', { count })}
      </p>
      <Button look="quiet" className="shrink-0" onClick={onNext}>
        {t('next')}
      </Button>
    </div>
  );
}
