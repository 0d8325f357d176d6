import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { expect, test } from 'vitest';
import type { Language } from '#contract/language.ts';
import { LOCATION_MAX_CHARS } from '#contract/limits.ts';
import { POST_KINDS } from '#contract/post-kinds.ts';
import type { Excluded } from '#contract/posts.ts';
import { readFilter } from '#web/lib/post-filter.ts';
import { queryClient } from '#web/lib/query-client.ts';
import { queryKeys } from '#web/lib/query-keys.ts';
import { aPost, serveList } from './support/posts.ts';
import { renderScreen } from './support/render-screen.tsx';
import { server } from './support/setup.ts';

async function openPanel(search = '', language: Language = 'en') {
  serveList('/posts', [aPost()]);
  const view = await renderScreen(`/view-posts${search}`, { language });
  const button = await screen.findByRole('button', { name: language === 'en' ? /^Filters/ : /^Vichujio|^Chuja/ });
  return { ...view, button };
}

test('the filters are behind a button that says whether they are open', async () => {
  const { user, button } = await openPanel();
  expect(button).toHaveAttribute('aria-expanded', 'false');
  expect(screen.queryByRole('region', { name: 'Filters of the list' })).toBeNull();
  await user.click(button);
  expect(button).toHaveAttribute('aria-expanded', 'true');
  const panel = screen.getByRole('region', { name: 'Filters of the list' });
  expect(button).toHaveAttribute('aria-controls', panel.id);
  expect(await within(panel).findByRole('textbox', { name: 'Place' })).toBeInTheDocument();
  await user.click(button);
  expect(button).toHaveAttribute('aria-expanded', 'false');
  expect(screen.queryByRole('textbox', { name: 'Place' })).toBeNull();
  expect(screen.queryByRole('button', { name: 'Clear all' })).toBeNull();
});

test('the panel has every choice by its name, and lets each be taken back', async () => {
  const { user, button, router } = await openPanel('?posted_by=owner&kind=key&days=7&returned=1');
  await user.click(button);
  const panel = within(screen.getByRole('region', { name: 'Filters of the list' }));
  const group = within(await panel.findByRole('group', { name: 'Lost or picked up?' }));
  expect(group.getAllByRole('radio').map((radio) => (radio as HTMLInputElement).checked)).toEqual([false, true, false]);
  const kind = panel.getByRole('combobox', { name: 'Kind of thing' });
  expect(
    within(kind)
      .getAllByRole('option')
      .map((option) => (option as HTMLOptionElement).value),
  ).toEqual(['', ...POST_KINDS]);
  expect(within(kind).getByRole('option', { name: 'All kinds' })).toBeInTheDocument();
  const time = panel.getByRole('combobox', { name: 'Posted' });
  expect(
    within(time)
      .getAllByRole('option')
      .map(({ textContent }) => textContent),
  ).toEqual(['At any time', 'Today', 'In the last 7 days', 'In the last 30 days']);
  const place = panel.getByRole('textbox', { name: 'Place' });
  expect(place).toHaveAccessibleDescription('A part of its name, for example Mwenge.');
  expect(place).toHaveAttribute('maxlength', `${LOCATION_MAX_CHARS}`);
  await user.click(group.getByRole('radio', { name: 'Picked up' }));
  expect(router.state.location.search).toBe('?posted_by=finder&kind=key&days=7&returned=1');
  await user.click(group.getByRole('radio', { name: 'Both' }));
  await user.selectOptions(kind, 'All kinds');
  await user.selectOptions(time, 'At any time');
  await user.click(panel.getByRole('switch'));
  expect(router.state.location.search).toBe('');
});

test('that what is back is shown is cleared with the others, though it narrows nothing', async () => {
  const { user, router } = await openPanel('?returned=1');
  expect(screen.getByRole('button', { name: 'Filters' })).toBeInTheDocument();
  await user.click(screen.getByRole('button', { name: 'Clear all' }));
  expect(router.state.location.search).toBe('');
});

function serveExcluded(excluded: Excluded): void {
  serveList('/posts', []);
  server.use(http.get('*/api/posts/excluded', () => HttpResponse.json(excluded)));
}

test.each([
  [
    '?kind=key&posted_by=finder',
    { posted_by: 2, kind: 1 },
    '“Picked up” leaves out the most: without it there are 2 posts.',
    '?kind=key',
  ],
  [
    '?kind=key&days=1',
    { since: 3, kind: 1 },
    '“Today” leaves out the most: without it there are 3 posts.',
    '?kind=key',
  ],
  [
    '?search=zzz&kind=key',
    { search: 4, kind: 1 },
    '“zzz” leaves out the most: without it there are 4 posts.',
    '?kind=key',
  ],
  [
    '?kind=key&place=Moshi',
    { kind: 49, place: 2 },
    '“Keys” leaves out the most: without it there are 49 posts.',
    '?place=Moshi',
  ],
] as const)(
  'of %s the filter that is to blame is let go of by its own button',
  async (search, excluded, sentence, left) => {
    serveExcluded(excluded);
    const { user, router } = await renderScreen(`/view-posts${search}`);
    expect(await screen.findByText(sentence)).toBeInTheDocument();
    expect(screen.getByText(sentence).closest('[role=status]')).not.toBeNull();
    await user.click(screen.getByRole('button', { name: 'Remove this filter' }));
    await waitFor(() => expect(router.state.location.search).toBe(left));
  },
);

test.each([
  [49, '49 posts fit, but their things are back with their owners.'],
  [50, '50 posts or more fit, but their things are back with their owners.'],
])('that %i things which fit are back is said with as much as was counted', async (open, sentence) => {
  serveExcluded({ open });
  const { user, router } = await renderScreen('/view-posts?kind=key');
  expect(await screen.findByText(sentence)).toBeInTheDocument();
  await user.click(screen.getByRole('button', { name: 'Show them' }));
  expect(router.state.location.search).toBe('?kind=key&returned=1');
});

test.each([
  [
    '?kind=key&place=Moshi',
    { kind: 0, place: 0, open: 0 },
    'No single filter is to blame: clear them all to see every post.',
  ],
  ['?kind=key', { kind: 50 }, '“Keys” leaves out the most: without it there are 50 posts or more.'],
  ['?kind=key&place=Moshi', { place: 7, kind: 7 }, '“Moshi” leaves out the most: without it there are 7 posts.'],
])('of %s it is said with as much as is known', async (search, excluded, sentence) => {
  serveExcluded(excluded);
  await renderScreen(`/view-posts${search}`);
  expect(await screen.findByText(sentence)).toBeInTheDocument();
});

test.each([
  ['a search by itself is what was asked for', '?search=zzz', { search: 4 }],
  ['one filter leaves out nothing', '?kind=key', { kind: 0, open: 0 }],
])('nothing is blamed where %s', async (_why, search, excluded) => {
  serveExcluded(excluded);
  await renderScreen(`/view-posts${search}`);
  await screen.findByText('No items found. Try adjusting your search criteria.');
  const asked = queryKeys.posts.excluded(null, readFilter(new URLSearchParams(search)));
  await waitFor(() => expect(queryClient.getQueryData(asked)).toEqual(excluded));
  await act(async () => undefined);
  expect(screen.queryByText(/leaves out|to blame/)).toBeNull();
  expect(screen.queryByRole('button', { name: 'Remove this filter' })).toBeNull();
});

test('what is typed as a place is written either way, and reaches the address', async () => {
  const { user, button, router } = await openPanel();
  await user.click(button);
  const place = await screen.findByRole('textbox', { name: 'Place' });
  expect(place).toHaveAttribute('dir', 'auto');
  fireEvent.change(place, { target: { value: 'Mwenge' } });
  await waitFor(() => expect(router.state.location.search).toBe('?place=Mwenge'));
});
