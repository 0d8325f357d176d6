import { act, screen, waitFor } from '@testing-library/react';
import { http } from 'msw';
import { expect, test } from 'vitest';
import { DAY_MS } from '#contract/durations.ts';
import { aPost, serveList } from './support/posts.ts';
import { renderScreen } from './support/render-screen.tsx';
import { server } from './support/setup.ts';

async function openFilters(address: string) {
  const view = await renderScreen(address);
  await view.user.click(await screen.findByRole('button', { name: /^Filters/ }));
  await screen.findByRole('combobox', { name: 'Kind of item' });
  return view;
}

test('the list shows returned things too, and a switch that the address keeps leaves them out', async () => {
  const queries = serveList('/posts', [aPost()]);
  const { user, router } = await renderScreen('/view-posts');
  await screen.findByRole('article');
  expect(Object.fromEntries(queries[0] ?? [])).toEqual({ limit: '20' });
  const onlyOpen = screen.getByRole('switch', { name: 'Only open ones' });
  expect(onlyOpen).not.toBeChecked();
  await user.click(onlyOpen);
  await waitFor(() => expect(Object.fromEntries(queries.at(-1) ?? [])).toEqual({ open: '1', limit: '20' }));
  expect(router.state.location.search).toBe('?open=1');
  expect(onlyOpen).toBeChecked();
  expect(onlyOpen).toHaveFocus();
  await act(() => router.navigate(-1));
  expect(onlyOpen).not.toBeChecked();
});

test('each filter goes into the address and to the server, is counted, and going back takes it back', async () => {
  const queries = serveList('/posts', [aPost()]);
  const { user, router } = await openFilters('/view-posts');
  await user.click(screen.getByRole('radio', { name: 'Lost' }));
  await user.selectOptions(screen.getByRole('combobox', { name: 'Kind of item' }), 'Keys');
  await user.selectOptions(screen.getByRole('combobox', { name: 'Posted' }), 'Today');
  await user.type(screen.getByRole('textbox', { name: 'Place' }), 'Mwenge');
  await waitFor(() => expect(router.state.location.search).toBe('?posted_by=owner&kind=key&days=1&place=Mwenge'));
  const today = new Intl.DateTimeFormat('en-CA', { timeZone: 'Africa/Dar_es_Salaam' }).format();
  await waitFor(() =>
    expect(Object.fromEntries(queries.at(-1) ?? [])).toEqual({
      posted_by: 'owner',
      kind: 'key',
      place: 'Mwenge',
      since: today,
      limit: '20',
    }),
  );
  expect(screen.getByRole('button', { name: 'Filters (4)' })).toBeVisible();
  await act(() => router.navigate(-1));
  expect(router.state.location.search).toBe('?posted_by=owner&kind=key&days=1');
  expect(screen.getByRole('textbox', { name: 'Place' })).toHaveValue('');
  await act(() => router.navigate(-2));
  expect(screen.getByRole('combobox', { name: 'Kind of item' })).toHaveValue('');
  expect(screen.getByRole('radio', { name: 'Lost' })).toBeChecked();
  expect(screen.getByRole('button', { name: 'Filters (1)' })).toBeVisible();
});

test('a shared address opens its filters, and what it says wrongly it does not say', async () => {
  const queries = serveList('/posts', [aPost()]);
  await openFilters('/view-posts?posted_by=finder&kind=document&days=7&place=Moshi&open=1');
  expect(screen.getByRole('button', { name: 'Filters (4)' })).toBeVisible();
  expect(screen.getByRole('radio', { name: 'Found' })).toBeChecked();
  expect(screen.getByRole('combobox', { name: 'Kind of item' })).toHaveDisplayValue('Documents and cards');
  expect(screen.getByRole('combobox', { name: 'Posted' })).toHaveDisplayValue('In the last 7 days');
  expect(screen.getByRole('textbox', { name: 'Place' })).toHaveValue('Moshi');
  expect(screen.getByRole('switch')).toBeChecked();
  const weekAgo = new Intl.DateTimeFormat('en-CA', { timeZone: 'Africa/Dar_es_Salaam' }).format(
    Date.now() - 6 * DAY_MS,
  );
  expect(queries[0]?.get('since')).toBe(weekAgo);
});

test('an address with values that there are not lists everything', async () => {
  const queries = serveList('/posts', [aPost()]);
  await renderScreen('/view-posts?posted_by=thief&kind=phone&days=5&open=yes');
  await screen.findByText(/^Simu nyeusi/);
  expect(Object.fromEntries(queries[0] ?? [])).toEqual({ limit: '20' });
  expect(screen.getByRole('button', { name: 'Filters' })).toBeVisible();
});

test('all are cleared at once, what is searched for stays, and the focus is kept', async () => {
  serveList('/posts', [aPost()]);
  const { user, router } = await openFilters('/view-posts?search=simu&kind=key&place=Moshi&open=1');
  await user.click(screen.getByRole('button', { name: 'Clear all' }));
  expect(router.state.location.search).toBe('?search=simu');
  expect(screen.getByRole('button', { name: 'Filters' })).toHaveFocus();
  expect(screen.getByRole('textbox', { name: 'Place' })).toHaveValue('');
  expect(screen.queryByRole('button', { name: 'Clear all' })).toBeNull();
  await act(() => router.navigate(-1));
  expect(router.state.location.search).toBe('?search=simu&kind=key&place=Moshi&open=1');
});

test('while another filter’s posts are on their way, none of the last one’s are shown', async () => {
  serveList('/posts', [aPost({ title: 'Funguo' })]);
  const { user } = await openFilters('/view-posts');
  await screen.findByText('Funguo');
  server.use(http.get('*/api/posts', () => new Promise(() => undefined)));
  await user.selectOptions(screen.getByRole('combobox', { name: 'Kind of item' }), 'Animals');
  await waitFor(() => expect(screen.queryByText('Funguo')).toBeNull());
});

test.each([
  ['en', 'No items found. Try adjusting your search criteria.', 'Post what you lost'],
  ['sw', 'Hakuna kitu kilichopatikana. Jaribu kutafuta kwa njia nyingine.', 'Tangaza ulichopoteza'],
] as const)('in %s an empty list says so and leads to posting what was lost', async (language, text, action) => {
  serveList('/posts', []);
  const { user, router } = await renderScreen('/view-posts?kind=key', { language });
  expect(await screen.findByText(text)).toBeInTheDocument();
  await user.click(screen.getByRole('link', { name: action }));
  expect(router.state.location).toMatchObject({ pathname: '/create-post', state: { posted_by: 'owner' } });
});
