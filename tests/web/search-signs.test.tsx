import { screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { SCHOOL, serveOwn } from './support/communities.ts';
import { aPost, serveList } from './support/posts.ts';
import { renderScreen } from './support/render-screen.tsx';

// What an address gives a meaning of its own.
const SIGNS = 'Mushi & Wana #1 + 50% = ?';

test('a search for posts reaches the server as it was typed, and each of its pages too', async () => {
  const queries = serveList('/posts', [aPost({ title: SIGNS })], [aPost({ title: 'Ya zamani' })]);
  const { user, router } = await renderScreen('/view-posts');
  await user.type(await screen.findByLabelText('Search posts'), SIGNS);
  await waitFor(() => expect(queries.map((query) => query.get('search'))).toEqual([null, SIGNS]));
  expect(new URLSearchParams(router.state.location.search).get('search')).toBe(SIGNS);
  await user.click(await screen.findByRole('button', { name: 'Show older posts' }));
  await waitFor(() => expect(queries.at(-1)?.get('cursor')).toBe('1'));
  expect(queries.at(-1)?.get('search')).toBe(SIGNS);
});

test('a shared address with such a search opens it', async () => {
  const queries = serveList('/posts', [aPost()]);
  await renderScreen(`/view-posts?${new URLSearchParams({ search: SIGNS })}`);
  expect(await screen.findByLabelText('Search posts')).toHaveValue(SIGNS);
  await waitFor(() => expect(queries.map((query) => query.get('search'))).toEqual([SIGNS]));
});

test('a search for communities reaches the server as it was typed', async () => {
  const searches = serveOwn([SCHOOL, { ...SCHOOL, id: 'shop', name: `Duka la ${SIGNS}` }]);
  const { user } = await renderScreen('/communities', { isSignedIn: true });
  await screen.findByText(SCHOOL.name);
  await user.type(screen.getByRole('textbox', { name: 'Search your communities' }), SIGNS);
  await waitFor(() => expect(searches).toEqual(['', SIGNS]));
  await waitFor(() => expect(screen.queryByText(SCHOOL.name)).toBeNull());
  expect(screen.getByText(`Duka la ${SIGNS}`)).toBeInTheDocument();
});
