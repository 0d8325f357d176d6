import { QueryClientProvider } from '@tanstack/react-query';
import { useEffect } from 'react';
import { RouterProvider } from 'react-router/dom';
import { queryClient } from '#web/lib/query-client.ts';
import { onSessionChange } from '#web/lib/session.ts';
import { ToastRegion } from '#web/ui/toast.tsx';
import { router } from './router.tsx';

export function App() {
  useEffect(
    () =>
      onSessionChange((_session, reason) => {
        // What one account has read is never shown to the next.
        queryClient.clear();
        if (reason === 'expired') {
          const { pathname, search, state } = router.state.location;
          if (pathname !== '/login')
            void router.navigate('/login', { state: { from: pathname + search, fromState: state } });
        }
        if (reason === 'signed-out') void router.navigate('/login');
      }),
    [],
  );
  return (
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
      <ToastRegion />
    </QueryClientProvider>
  );
}
