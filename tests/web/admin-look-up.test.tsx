import { screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import type { AdminFound } from '#contract/admin.ts';
import { ASHA, aPerson, JUMA, openAdmin, serveAdmin } from './support/admin.ts';
import { aPost } from './support/posts.ts';
import { server } from './support/setup.ts';

// Loaded once asked for, which on a busy machine takes longer than a test waits.
beforeAll(() => import('#web/admin/admin-screen.tsx'));
beforeEach(serveAdmin);

const POST = aPost({ title: 'Simu nyeusi', created_at: '2026-11-20T09:00:00.000Z' });

/** Answers searches with what is found for them, or nothing. @returns what was looked for. */
function serveFound(found: Record<string, Partial<AdminFound>>): (string | null)[] {
  const asked: (string | null)[] = [];
  server.use(
    http.get('*/api/admin/search', ({ request }) => {
      const q = new URL(request.url).searchParams.get('q');
      asked.push(q);
      return HttpResponse.json({ people: [], posts: [], ...found[q ?? ''] });
    }),
  );
  return asked;
}

function box() {
  return screen.findByRole('textbox', { name: 'Search for a person or a post' });
}

test('nothing is asked before something is typed, and the address keeps what was looked for', async () => {
  const asked = serveFound({ juma: { people: [JUMA] } });
  const { user, router } = await openAdmin('?tab=lookUp');
  expect(await screen.findByText('By name, email, number or id, or by words of a post.')).toBeInTheDocument();
  expect(document.querySelector('[aria-busy=true]')).toBeNull();
  expect(screen.queryByText('No person or post matches your search.')).toBeNull();
  expect(screen.queryByRole('heading', { level: 2 })).toBeNull();
  await user.type(await box(), ' juma ');
  expect(await screen.findByRole('link', { name: 'Juma' })).toHaveAttribute('href', '/admin?person=juma');
  expect(asked).toEqual(['juma']);
  expect(screen.queryByText(/By name, email/)).toBeNull();
  expect(new URLSearchParams(router.state.location.search).get('q')?.trim()).toBe('juma');
  // What was found goes with what it was found for.
  await user.click(screen.getByRole('button', { name: 'Clear the search' }));
  expect(await screen.findByText(/By name, email/)).toBeInTheDocument();
  expect(screen.queryByRole('link', { name: 'Juma' })).toBeNull();
});

test('people and posts are found under headings of their own, each with its day and what holds it back', async () => {
  const people = [{ ...JUMA, is_suspended: true }, ASHA];
  const posts = [POST, aPost({ title: 'Pochi', is_hidden: true })];
  serveFound({ simu: { people, posts } });
  await openAdmin('?tab=lookUp&q=simu');
  expect(await box()).toHaveValue('simu');
  expect(await screen.findByRole('heading', { level: 2, name: 'People' })).toBeInTheDocument();
  expect(screen.getByRole('heading', { level: 2, name: 'Posts' })).toBeInTheDocument();
  expect(screen.queryByText('No person or post matches your search.')).toBeNull();
  const rowOf = (name: string) => within(screen.getByRole('link', { name }).closest('li') as HTMLElement);
  expect(rowOf('Juma').getByText('Suspended')).toBeInTheDocument();
  expect(rowOf('Juma').getByText('Account since 1 November 2026')).toBeInTheDocument();
  expect(rowOf('Asha').queryByText('Suspended')).toBeNull();
  expect(rowOf('Pochi').getByText('Hidden')).toBeInTheDocument();
  expect(rowOf('Simu nyeusi').queryByText('Hidden')).toBeNull();
  expect(rowOf('Simu nyeusi').getByText('20 November 2026')).toBeInTheDocument();
  expect(screen.getByRole('link', { name: 'Simu nyeusi' })).toHaveAttribute('href', `/admin?post=${POST.id}`);
  for (const name of ['Juma', 'Pochi']) expect(screen.getByRole('link', { name })).toHaveAttribute('dir', 'auto');
});

test('where only one of the two is found the other has no heading, and where neither is, it says so', async () => {
  serveFound({ simu: { posts: [POST] }, juma: { people: [JUMA] } });
  const { user } = await openAdmin('?tab=lookUp&q=simu');
  expect(await screen.findByRole('heading', { name: 'Posts' })).toBeInTheDocument();
  expect(screen.queryByRole('heading', { name: 'People' })).toBeNull();
  expect(screen.queryByText('No person or post matches your search.')).toBeNull();
  await user.clear(await box());
  await user.type(await box(), 'juma');
  expect(await screen.findByRole('heading', { name: 'People' })).toBeInTheDocument();
  expect(screen.queryByRole('heading', { name: 'Posts' })).toBeNull();
  expect(screen.queryByText('No person or post matches your search.')).toBeNull();
  await user.type(await box(), 'x');
  expect(await screen.findByText('No person or post matches your search.')).toBeInTheDocument();
  expect(screen.queryByRole('heading', { level: 2 })).toBeNull();
});

test('what was found stands until the next search is answered, and goes when that one fails', async () => {
  const { promise: isReleased, resolve: release } = Promise.withResolvers<void>();
  serveFound({ juma: { people: [JUMA] } });
  const { user } = await openAdmin('?tab=lookUp&q=juma');
  expect(await screen.findByRole('link', { name: 'Juma' })).toBeInTheDocument();
  let isAsked = false;
  server.use(
    http.get('*/api/admin/search', async () => {
      isAsked = true;
      await isReleased;
      return HttpResponse.json({ detail: 'Haiwezekani.' }, { status: 403 });
    }),
  );
  await user.type(await box(), 'n');
  await waitFor(() => expect(isAsked).toBe(true));
  expect(screen.getByRole('link', { name: 'Juma' })).toBeInTheDocument();
  release();
  expect(await screen.findByRole('alert')).toHaveTextContent('Haiwezekani.');
  expect(screen.queryByRole('link', { name: 'Juma' })).toBeNull();
});

test('whoever opens what was found comes back to the same search', async () => {
  serveFound({ juma: { people: [JUMA] } });
  server.use(http.get('*/api/admin/users/juma', () => HttpResponse.json(aPerson())));
  const { user, router } = await openAdmin('?tab=lookUp&q=juma');
  await user.click(await screen.findByRole('link', { name: 'Juma' }));
  expect(await screen.findByRole('heading', { level: 1, name: 'Juma' })).toBeInTheDocument();
  await router.navigate(-1);
  expect(await box()).toHaveValue('juma');
  expect(screen.getByRole('link', { name: 'Juma' })).toBeInTheDocument();
});
