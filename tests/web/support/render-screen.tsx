import { QueryClientProvider } from '@tanstack/react-query';
import { render } from '@testing-library/react';
import { createMemoryRouter } from 'react-router';
import { RouterProvider } from 'react-router/dom';
import type { Language } from '#contract/language.ts';
import { queryClient } from '#web/api/queries.ts';
import { signInAs } from '#web/api/session.ts';
import { routes } from '#web/app/router.tsx';
import { changeLanguage } from '#web/lib/i18n.ts';
import { startUser } from './user.ts';

/** Opens an address of the app in that language, signed in or not. */
export async function renderScreen(
  address: string | { pathname: string; search?: string; state?: unknown },
  { language = 'en', isSignedIn = false }: { language?: Language; isSignedIn?: boolean } = {},
) {
  await changeLanguage(language);
  if (isSignedIn) signInAs({ token: 'a-token', userId: 'a-user' });
  const router = createMemoryRouter(routes, { initialEntries: [address] });
  const user = startUser();
  const view = render(
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  );
  return { ...view, router, user };
}
