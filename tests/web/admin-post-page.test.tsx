import { act, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import type { AdminPost } from '#contract/admin.ts';
import type { Post } from '#contract/posts.ts';
import { aLogEntry, aPerson, aPostPage, JUMA, openAdmin, serveAdmin, servePages } from './support/admin.ts';
import { aPost } from './support/posts.ts';
import { server } from './support/setup.ts';

// Loaded once asked for, which on a busy machine takes longer than a test waits.
beforeAll(() => import('#web/admin/admin-screen.tsx'));
beforeEach(serveAdmin);
afterEach(() => window.history.replaceState(null, ''));

function serve(post: Partial<Post>, page: Partial<AdminPost> = {}): void {
  server.use(
    http.get('*/api/admin/posts/simu', () =>
      HttpResponse.json(aPostPage({ post: aPost({ id: 'simu', title: 'Simu', ...post }), ...page })),
    ),
  );
}

test('a post’s page says where and when it was posted and by whom, and leads on', async () => {
  serve({ created_at: '2026-11-20T09:00:00.000Z', location: 'Mbezi Mwisho', community_name: 'Shule ya Mbezi' });
  await openAdmin('?post=simu');
  expect(await screen.findByRole('heading', { level: 1, name: 'Simu' })).toHaveAttribute('dir', 'auto');
  expect(screen.getByText('Posted on 20 November 2026')).toBeInTheDocument();
  for (const text of ['Mbezi Mwisho', 'Shule ya Mbezi', 'Ina kava la bluu', 'Juma'])
    expect(screen.getByText(text)).toHaveAttribute('dir', 'auto');
  expect(screen.getByText('0712345678')).toBeInTheDocument();
  expect(screen.getByRole('link', { name: 'See it in the app' })).toHaveAttribute('href', '/posts/simu');
  expect(screen.getByRole('heading', { level: 2, name: 'Posted by' })).toBeInTheDocument();
  expect(screen.getByRole('link', { name: 'Juma' })).toHaveAttribute('href', '/admin?person=juma');
  expect(screen.getByText('Account since 1 November 2026')).toBeInTheDocument();
  for (const text of ['Suspended', /^Hidden/]) expect(screen.queryByText(text)).toBeNull();
  expect(screen.getByText('There are no reports.')).toBeInTheDocument();
});

test('what hides the post is each named, and that its author is suspended', async () => {
  serve(
    { is_hidden: true, hidden_by: ['reports', 'suspension'] },
    {
      author: { ...JUMA, is_suspended: true },
      log: [aLogEntry({ action: 'hide', target_type: 'post', target_name: 'Simu', reason: 'Ni utapeli' })],
    },
  );
  await openAdmin('?post=simu', 'sw');
  expect(await screen.findByText('Limefichwa na ripoti')).toBeInTheDocument();
  expect(screen.getByText('Limefichwa kwa sababu aliyelitangaza amesimamishwa')).toBeInTheDocument();
  expect(screen.getByText('Amesimamishwa')).toBeInTheDocument();
  expect(screen.getByText('Ni utapeli').closest('li')).toHaveTextContent('Neema amelificha tangazo “Simu”: Ni utapeli');
});

test('what the post does not say takes no place', async () => {
  serve({ location: 'Mbezi Mwisho', phone_number: null, description: '', community_name: null });
  await openAdmin('?post=simu');
  const card = (await screen.findByText('Mbezi Mwisho')).parentElement as HTMLElement;
  expect(
    within(card)
      .getAllByRole('paragraph')
      .map(({ textContent }) => textContent),
  ).toEqual([expect.stringMatching(/^Posted on /), 'Mbezi Mwisho']);
});

test('the way back leads where one came from, and to the administration for who came by a link', async () => {
  serve({});
  servePages('log', [aLogEntry({ action: 'hide', target_type: 'post', target_id: 'simu', target_name: 'Simu' })]);
  servePages('communities', []);
  server.use(http.get('*/api/admin/users/:id', () => HttpResponse.json(aPerson())));
  const { user, router } = await openAdmin('');
  await act(() => router.navigate('/admin?tab=log'));
  await user.click(await screen.findByRole('link', { name: 'the post “Simu”' }));
  await screen.findByRole('heading', { level: 1, name: 'Simu' });
  // As the browser's router keeps it.
  window.history.replaceState({ idx: 1 }, '');
  await user.click(screen.getByRole('button', { name: 'Back' }));
  await waitFor(() => expect(router.state.location.search).toBe('?tab=log'));
  await user.click(await screen.findByRole('link', { name: 'the post “Simu”' }));
  window.history.replaceState({ idx: 0 }, '');
  await user.click(await screen.findByRole('button', { name: 'Back' }));
  expect(await screen.findByRole('tab', { name: 'Pending' })).toHaveAttribute('aria-selected', 'true');
  expect(router.state.location).toMatchObject({ pathname: '/admin', search: '' });
});
