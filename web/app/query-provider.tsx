import { QueryClientProvider } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { Outlet } from 'react-router';
import { queryClient } from '#web/lib/query-client.ts';
import { keepSeenPosts, restoreSeenPosts } from '#web/lib/seen-posts.ts';

/** Around every screen that reads or writes server data. */
export function QueryProvider() {
  // Before the first screen asks, so that it starts with what there is.
  useState(() => restoreSeenPosts(queryClient));
  useEffect(() => keepSeenPosts(queryClient), []);
  return (
    <QueryClientProvider client={queryClient}>
      <Outlet />
    </QueryClientProvider>
  );
}
