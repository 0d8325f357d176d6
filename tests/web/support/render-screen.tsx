import { QueryClientProvider, type QueryKey } from '@tanstack/react-query';
import { render } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { createMemoryRouter } from 'react-router';
import { RouterProvider } from 'react-router/dom';
import type { Language } from '#contract/language.ts';
import { queryClient } from '#web/api/queries.ts';
import { signInAs } from '#web/api/session.ts';
import { routes } from '#web/app/router.tsx';
import { changeLanguage } from '#web/lib/i18n.ts';

/** Opens a URL of the app in the given language, with or without a signed-in user. */
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

type Act<Args extends unknown[]> = (...args: Args) => Promise<void>;

/**
 * The methods of user-event that tests use. Biome cannot resolve the mapped type `UserEvent`. With the type `User`,
 * Biome detects a missing `await`, and runs four times as fast.
 */
export type User = {
  click: Act<[Element]>;
  dblClick: Act<[Element]>;
  type: Act<[Element, string]>;
  clear: Act<[Element]>;
  keyboard: Act<[string]>;
  paste: Act<[string]>;
  tab: Act<[options?: { shift?: boolean }]>;
  selectOptions: Act<[Element, string | HTMLElement]>;
  upload: Act<[HTMLElement, File | File[]]>;
};

/**
 * Starts a user who pastes a text except its last letter, and types this letter. Rendering a form after every letter
 * would take an eighth of the web tests' total time. Short texts and texts with keys, such as `{Enter}`, are typed
 * completely.
 */
export function startUser(): User {
  const user = userEvent.setup();
  const type = async (field: Element, text: string) => {
    if (text.length < 4 || /[{[]/.test(text)) return user.type(field, text);
    await user.click(field);
    await user.paste(text.slice(0, -1));
    await user.keyboard(text.slice(-1));
  };
  return { ...user, type };
}

/** Caches a value for each key. @returns a function that lists the keys whose values were later marked as outdated. */
export function keepAnswers(...keys: QueryKey[]): () => QueryKey[] {
  for (const key of keys) queryClient.setQueryData<unknown>(key, {});
  return () => keys.filter((key) => queryClient.getQueryState(key)?.isInvalidated);
}
