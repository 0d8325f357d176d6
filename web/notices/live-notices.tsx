import { QueryClientProvider, useInfiniteQuery } from '@tanstack/react-query';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { useLocation } from 'react-router';
import type { LiveMessage } from '#contract/live-messages.ts';
import { claimsOptions, listedClaims } from '#web/lib/claims-query.ts';
import { endNotices } from '#web/lib/end-notices.ts';
import { setWaitingNotices } from '#web/lib/held-notices.ts';
import { queryClient } from '#web/lib/query-client.ts';
import { useSession } from '#web/lib/session.ts';
import { setUnreadNotices } from '#web/lib/unread-notices.ts';
import {
  countUntoldClaims,
  markRead,
  noticesOptions,
  refreshAfterEnd,
  refreshAfterNews,
  unreadCountOf,
} from './api.ts';
import { MatchModal } from './match-modal.tsx';
import { isToldAt } from './news.ts';
import { NewsModal } from './news-modal.tsx';
import { NoticeInbox } from './notice-inbox.ts';
import { PasswordChangedModal } from './password-changed.tsx';

/** The live connection of whoever is signed in, with the modal of its notices and the number on the bell. */
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
  // Read elsewhere meanwhile, it need not stand on this phone's lock screen any more.
  useEffect(() => {
    const read = notices?.pages[0]?.notices.filter(({ read_at }) => read_at !== null) ?? [];
    endNotices(read.map(({ message }) => message.id));
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
        () => void refreshAfterNews(queryClient),
        () => void refreshAfterEnd(queryClient),
      ),
  );
  const { current, waiting } = useSyncExternalStore(inbox.subscribe, inbox.getState);
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
  // Keyed, so that each notice opens, and is announced, as a modal of its own.
  const shared = { waiting: waiting.length, onClose: close };
  if (current.type === 'matching_post') {
    return <MatchModal key={current.id} {...shared} message={current} onDismissed={() => inbox.next()} />;
  }
  if (current.type === 'password_changed') return <PasswordChangedModal key={current.id} {...shared} />;
  return <NewsModal key={current.id} {...shared} message={current} />;
}

/** The reader has read it: the next one follows. */
function finish(inbox: NoticeInbox, { id }: LiveMessage): void {
  inbox.next();
  // What is not marked read now stays on the bell; there is nothing to tell the reader.
  markRead(queryClient, { ids: [id] }).catch(() => undefined);
}
