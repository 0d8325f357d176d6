import { QueryClientProvider } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { Outlet } from 'react-router';
import { queryClient } from '#web/api/queries.ts';
import { keepSeenPosts, restoreSeenPosts } from '#web/offline/seen-posts.ts';

/** Wraps every screen that reads or writes server data. */
export function QueryProvider() {
  // Restores the stored posts before the first query runs, so that the query can show them at once.
  useState(() => restoreSeenPosts(queryClient));
  useEffect(() => keepSeenPosts(queryClient), []);
  return (
    <QueryClientProvider client={queryClient}>
      <Outlet />
    </QueryClientProvider>
  );
}
