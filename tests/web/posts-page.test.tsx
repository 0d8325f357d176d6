import { screen } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, expect, test } from 'vitest';
import { aPost, refuse, serveNothingElse } from './support/posts.ts';
import { renderScreen } from './support/render-screen.tsx';
import { server } from './support/setup.ts';

beforeEach(serveNothingElse);

function servePost(post: ReturnType<typeof aPost>) {
  server.use(http.get('*/api/posts/:id', () => HttpResponse.json(post)));
}

test('a post’s own page shows it whole, and names the page after it', async () => {
  servePost(aPost({ title: 'Funguo', description: 'Mstari\nwa pili' }));
  await renderScreen('/posts/post-x', { isSignedIn: true });
  expect(await screen.findByRole('heading', { level: 1, name: 'Funguo' })).toBeInTheDocument();
  expect(document.title).toBe('Funguo · Patikana');
  expect(screen.getByText(/Mstari/)).toHaveClass('whitespace-pre-wrap');
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
