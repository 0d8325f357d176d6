import { QueryClientProvider } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { Outlet } from 'react-router';
import { onOutboxSent } from '#web/lib/outbox-sender.ts';
import { queryClient } from '#web/lib/query-client.ts';
import { queryKeys } from '#web/lib/query-keys.ts';
import { keepSeenPosts, restoreSeenPosts } from '#web/lib/seen-posts.ts';

function refreshAfterPosting(): void {
  void queryClient.invalidateQueries({ queryKey: queryKeys.posts.all });
  void queryClient.invalidateQueries({ queryKey: queryKeys.matches.all });
}

/** Around every screen that reads or writes server data. */
export function QueryProvider() {
  // Before the first screen asks, so that it starts with what there is.
  useState(() => restoreSeenPosts(queryClient));
  useEffect(() => keepSeenPosts(queryClient), []);
  useEffect(() => onOutboxSent(refreshAfterPosting), []);
  return (
    <QueryClientProvider client={queryClient}>
      <Outlet />
    </QueryClientProvider>
  );
}
