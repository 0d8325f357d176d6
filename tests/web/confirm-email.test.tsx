import { QueryClientProvider } from '@tanstack/react-query';
import { render, screen, waitFor } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { StrictMode } from 'react';
import { createMemoryRouter } from 'react-router';
import { RouterProvider } from 'react-router/dom';
import { expect, test } from 'vitest';
import { routes } from '#web/app/router.tsx';
import { changeLanguage } from '#web/lib/i18n.ts';
import { queryClient } from '#web/lib/query-client.ts';
import { queryKeys } from '#web/lib/query-keys.ts';
import { ME, serveWrite } from './support/account.ts';
import { refuse } from './support/posts.ts';
import { renderScreen } from './support/render-screen.tsx';
import { server } from './support/setup.ts';
import { keepAnswers } from './support/stale.ts';

const LINK = { pathname: '/confirm-email', hash: '#the-token' };
const usedUp = () => refuse(400, 'invalid_code', 'No.');

function serveMe(isProven: boolean): void {
  server.use(http.get('*/api/me', () => HttpResponse.json({ ...ME, is_email_proven: isProven })));
}

test.each([
  ['en', 'Thank you! This email is now yours and confirmed.'],
  ['sw', 'Asante! Barua pepe hii sasa ni yako, na imethibitishwa.'],
] as const)('in %s the link proves the e-mail once, and its token leaves the address', async (language, thanks) => {
  const bodies = serveWrite('post', '/auth/confirm-email');
  const stale = keepAnswers(queryKeys.me);
  const { router, unmount } = await renderScreen(LINK, { language });
  expect(await screen.findByText(thanks)).toBeInTheDocument();
  expect(stale()).toEqual([queryKeys.me]);
  expect(bodies).toEqual([{ token: 'the-token' }]);
  expect(router.state.location.hash).toBe('');
  unmount();
  queryClient.clear();
  await renderScreen('/confirm-email', { language });
  expect(await screen.findByText(thanks)).toBeInTheDocument();
  queryClient.clear();
  expect(bodies).toHaveLength(1);
});

test('it is proven once in strict mode, too, and when the link is pressed twice', async () => {
  const bodies = serveWrite('post', '/auth/confirm-email');
  await changeLanguage('en');
  const router = createMemoryRouter(routes, { initialEntries: [LINK] });
  render(
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </StrictMode>,
  );
  expect(await screen.findByText(/Thank you!/)).toBeInTheDocument();
  await router.navigate(LINK);
  await waitFor(() => expect(router.state.location.hash).toBe(''));
  expect(screen.getByText(/Thank you!/)).toBeInTheDocument();
  expect(bodies).toHaveLength(1);
});

test('a page that is loaded again before the answer goes on with the same token', async () => {
  serveWrite('post', '/auth/confirm-email', () => HttpResponse.error());
  const { unmount, router } = await renderScreen(LINK);
  await waitFor(() => expect(router.state.location.hash).toBe(''));
  unmount();
  queryClient.clear();
  const bodies = serveWrite('post', '/auth/confirm-email');
  await renderScreen('/confirm-email');
  expect(await screen.findByText(/Thank you!/)).toBeInTheDocument();
  expect(bodies).toEqual([{ token: 'the-token' }]);
});

test.each([
  ['en', /used already, or it is older than 24 hours/, 'Log in to get a new link'],
  ['sw', /kimeshatumika, au kina zaidi ya saa 24/, 'Ingia ili upate kiungo kipya'],
] as const)('in %s a link that is used or late says so, with the way to a new one', async (language, over, newLink) => {
  serveWrite('post', '/auth/confirm-email', usedUp);
  await renderScreen(LINK, { language });
  expect(await screen.findByText(over)).toBeInTheDocument();
  expect(screen.getByRole('link', { name: newLink })).toHaveAttribute('href', '/login');
});

test('whoever is signed in gets a new link in their account', async () => {
  serveMe(false);
  serveWrite('post', '/auth/confirm-email', usedUp);
  await renderScreen(LINK, { isSignedIn: true });
  expect(await screen.findByRole('link', { name: 'Get a new link' })).toHaveAttribute('href', '/account');
});

test('whoever is signed in and proven already has nothing to do', async () => {
  serveMe(true);
  serveWrite('post', '/auth/confirm-email', usedUp);
  await renderScreen(LINK, { isSignedIn: true, language: 'sw' });
  expect(await screen.findByText(/asha@example.com imethibitishwa; huna la kufanya/)).toBeInTheDocument();
});

test('what the network broke off can be tried again', async () => {
  server.use(http.post('*/api/auth/confirm-email', () => refuse(415, 'unsupported_media_type'), { once: true }));
  const { user } = await renderScreen(LINK);
  expect(await screen.findByText('Your email could not be confirmed at the moment.')).toBeInTheDocument();
  serveWrite('post', '/auth/confirm-email');
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByText(/Thank you!/)).toBeInTheDocument();
});

test('an address without a token asks for the whole link, and leads to a new one', async () => {
  await renderScreen('/confirm-email');
  expect(await screen.findByText('Please open the whole link from the email that we sent you.')).toBeInTheDocument();
  expect(screen.getByRole('link', { name: 'Log in to get a new link' })).toBeInTheDocument();
});
