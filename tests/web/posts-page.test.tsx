import { act, screen } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { signInAs } from '#web/lib/session.ts';
import { aPost, refuse, serveList, serveNothingElse } from './support/posts.ts';
import { renderScreen } from './support/render-screen.tsx';
import { server } from './support/setup.ts';

beforeEach(serveNothingElse);
afterEach(() => vi.useRealTimers());

function servePost(post: ReturnType<typeof aPost>) {
  server.use(http.get('*/api/posts/:id', () => HttpResponse.json(post)));
}

test('a post’s own page shows it whole, and names the page after it', async () => {
  servePost(aPost({ title: 'Funguo', description: 'Mstari\nwa pili' }));
  await renderScreen('/posts/post-x', { isSignedIn: true });
  expect(await screen.findByRole('heading', { level: 1, name: 'Funguo' })).toBeInTheDocument();
  expect(document.title).toBe('Funguo · Patikana');
  expect(screen.getByText(/Mstari/)).toHaveClass('whitespace-pre-wrap');
  expect(screen.getByText(/Mstari/)).toHaveAttribute('dir', 'auto');
  expect(screen.getByRole('heading', { level: 1 })).toHaveAttribute('dir', 'auto');
  expect(screen.getByRole('link', { name: 'All posts' })).toHaveAttribute('href', '/view-posts');
  expect(screen.getByRole('link', { name: 'Contact poster' })).toBeInTheDocument();
});

test('a visitor who follows a shared link is asked to log in, and comes back to it', async () => {
  servePost(aPost({ phone_number: null }));
  const { user, router } = await renderScreen('/posts/post-x');
  await user.click(await screen.findByRole('link', { name: 'Log in to view contact' }));
  expect(router.state.location.state).toMatchObject({ from: '/posts/post-x' });
});

test('the author is led to their posts instead of to themselves', async () => {
  servePost(aPost({ is_mine: true }));
  await renderScreen('/posts/post-x', { isSignedIn: true });
  expect(await screen.findByRole('link', { name: 'Manage in My Posts' })).toHaveAttribute('href', '/my-posts');
  expect(screen.queryByRole('link', { name: 'Contact poster' })).toBeNull();
});

test('a post that is gone says what the server says', async () => {
  server.use(http.get('*/api/posts/:id', () => refuse(404, 'post_not_found', 'This post does not exist.')));
  await renderScreen('/posts/post-x');
  expect(await screen.findByRole('heading', { level: 1, name: 'This post does not exist.' })).toBeInTheDocument();
});

test.each([
  [403, true],
  [404, true],
  [409, false],
])('what a list had shown is shown until it turns out to be gone: a %d says so, %s', async (status, isGone) => {
  const answer = Promise.withResolvers<void>();
  serveList('/posts', [aPost({ id: 'post-x', title: 'Funguo' })]);
  // The list was read long enough ago for the post to be asked for anew.
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 3_600_000 });
  const { user } = await renderScreen('/view-posts', { isSignedIn: true });
  const link = await screen.findByRole('link', { name: 'Funguo' });
  vi.useRealTimers();
  server.use(
    http.get('*/api/posts/post-x', async () => {
      await answer.promise;
      return refuse(status, 'post_not_found', 'This post does not exist.');
    }),
  );
  await user.click(link);
  expect(await screen.findByRole('heading', { level: 1, name: 'Funguo' })).toBeInTheDocument();
  answer.resolve();
  if (isGone) {
    expect(await screen.findByRole('heading', { level: 1, name: 'This post does not exist.' })).toBeInTheDocument();
    expect(screen.queryByText('Funguo')).toBeNull();
  } else {
    expect(await screen.findByText(/^Saved on this phone, last updated/)).toBeInTheDocument();
    expect(screen.getByRole('heading', { level: 1, name: 'Funguo' })).toBeInTheDocument();
  }
});

test('what another reader’s list had shown is shown to nobody else', async () => {
  serveList('/posts', [aPost({ id: 'post-x', title: 'Funguo', phone_number: '0754000111' })]);
  const { router } = await renderScreen('/view-posts', { isSignedIn: true });
  await screen.findByText('0754000111');
  act(() => signInAs({ token: 'another-token', userId: 'another-user' }));
  server.use(http.get('*/api/posts/post-x', () => new Promise<never>(() => undefined)));
  await act(() => router.navigate('/posts/post-x'));
  expect(await screen.findByRole('link', { name: 'All posts' })).toBeInTheDocument();
  expect(screen.queryByText('0754000111')).toBeNull();
});
