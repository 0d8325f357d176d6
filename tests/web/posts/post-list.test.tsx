import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { expect, onTestFinished, test, vi } from 'vitest';
import { DAY_MS } from '#contract/durations.ts';
import { POST_KINDS } from '#contract/kinds.ts';
import type { Language } from '#contract/language.ts';
import { LOCATION_MAX_CHARS } from '#contract/limits.ts';
import { SCHOOL, serveOwn } from '#tests/web/support/communities.ts';
import { aPost, refuse, serveList, serveNothingElse } from '#tests/web/support/posts.ts';
import { renderScreen } from '#tests/web/support/render-screen.tsx';
import { server } from '#tests/web/support/setup.ts';

async function openFilters(address: string) {
  const view = await renderScreen(address);
  await view.user.click(await screen.findByRole('button', { name: /^Filters/ }));
  await screen.findByRole('combobox', { name: 'Kind of item' });
  return view;
}

test('the switch “Only open posts” is off at first; switching it on adds open=1 to the URL and to the request for posts', async () => {
  const queries = serveList('/posts', [aPost()]);
  const { user, router } = await renderScreen('/view-posts');
  await screen.findByRole('article');
  expect(Object.fromEntries(queries[0] ?? [])).toEqual({ limit: '20' });
  const onlyOpen = screen.getByRole('switch', { name: 'Only open posts' });
  expect(onlyOpen).not.toBeChecked();
  await user.click(onlyOpen);
  await waitFor(() => expect(Object.fromEntries(queries.at(-1) ?? [])).toEqual({ open: '1', limit: '20' }));
  expect(router.state.location.search).toBe('?open=1');
  expect(onlyOpen).toBeChecked();
  expect(onlyOpen).toHaveFocus();
  await act(() => router.navigate(-1));
  expect(onlyOpen).not.toBeChecked();
});

test('each filter of the posts changes the URL and the request, increases the number on the filter button, and is undone by Back', async () => {
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

test('a shared URL sets the filters of the list of posts', async () => {
  const queries = serveList('/posts', [aPost()]);
  await openFilters('/view-posts?posted_by=finder&kind=document&days=7&place=Moshi&open=1');
  expect(screen.getByRole('button', { name: 'Filters (4)' })).toBeVisible();
  expect(screen.getByRole('radio', { name: 'Found' })).toBeChecked();
  expect(screen.getByRole('combobox', { name: 'Kind of item' })).toHaveDisplayValue('Documents and cards');
  expect(screen.getByRole('combobox', { name: 'Posted' })).toHaveDisplayValue('In the last 7 days');
  expect(screen.getByRole('textbox', { name: 'Place' })).toHaveValue('Moshi');
  expect(screen.getByRole('switch', { name: 'Only open posts' })).toBeChecked();
  const weekAgo = new Intl.DateTimeFormat('en-CA', { timeZone: 'Africa/Dar_es_Salaam' }).format(
    Date.now() - 6 * DAY_MS,
  );
  expect(queries[0]?.get('since')).toBe(weekAgo);
});

test('a URL with unknown values for the filters lists every post', async () => {
  const queries = serveList('/posts', [aPost()]);
  await renderScreen('/view-posts?posted_by=thief&kind=phone&days=5&open=yes');
  await screen.findByText(/^Simu nyeusi/);
  expect(Object.fromEntries(queries[0] ?? [])).toEqual({ limit: '20' });
  expect(screen.getByRole('button', { name: 'Filters' })).toBeVisible();
});

test('“Clear all” removes all filters but not the search, and the focus moves to the filter button', async () => {
  serveList('/posts', [aPost()]);
  const { user, router } = await openFilters('/view-posts?search=simu&kind=key&place=Moshi&open=1&exact=1');
  await user.click(screen.getByRole('button', { name: 'Clear all' }));
  expect(router.state.location.search).toBe('?search=simu');
  expect(screen.getByRole('button', { name: 'Filters' })).toHaveFocus();
  expect(screen.getByRole('textbox', { name: 'Place' })).toHaveValue('');
  expect(screen.queryByRole('button', { name: 'Clear all' })).toBeNull();
  await act(() => router.navigate(-1));
  expect(router.state.location.search).toBe('?search=simu&kind=key&place=Moshi&open=1&exact=1');
});

test('the filter “Only these exact words” applies to a search, and does nothing if no words are searched', async () => {
  const queries = serveList('/posts', [aPost()]);
  const { user, router } = await openFilters('/view-posts?search=simu');
  await user.click(await screen.findByRole('switch', { name: 'Only these exact words' }));
  expect(router.state.location.search).toBe('?search=simu&exact=1');
  await waitFor(() => expect(queries.at(-1)?.get('exact')).toBe('1'));
  expect(screen.getByRole('button', { name: 'Filters (1)' })).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Clear the search' }));
  await waitFor(() => expect(queries.at(-1)?.get('search')).toBeNull());
  expect(queries.at(-1)?.get('exact')).toBeNull();
  expect(router.state.location.search).toBe('?exact=1');
});

test('while the posts for a new filter load, posts that match only the previous filter disappear from the list', async () => {
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
] as const)(
  'an empty list of posts shows a message and a link to post a lost thing, in the language %s',
  async (language, text, action) => {
    serveList('/posts', []);
    const { user, router } = await renderScreen('/view-posts?kind=key', { language });
    expect(await screen.findByText(text)).toBeInTheDocument();
    await user.click(screen.getByRole('link', { name: action }));
    expect(router.state.location).toMatchObject({ pathname: '/create-post', state: { posted_by: 'owner' } });
  },
);

async function openPanel(search = '', language: Language = 'en') {
  serveList('/posts', [aPost()]);
  const view = await renderScreen(`/view-posts${search}`, { language });
  const button = await screen.findByRole('button', { name: language === 'en' ? /^Filters/ : /^Vichujio|^Chuja/ });
  return { ...view, button };
}

test('the button that opens and closes the filters of the posts reports to screen readers whether the filters are open', async () => {
  const { user, button } = await openPanel();
  expect(button).toHaveAttribute('aria-expanded', 'false');
  expect(screen.queryByRole('region', { name: 'Filters for the posts' })).toBeNull();
  await user.click(button);
  expect(button).toHaveAttribute('aria-expanded', 'true');
  const panel = screen.getByRole('region', { name: 'Filters for the posts' });
  expect(button).toHaveAttribute('aria-controls', panel.id);
  expect(await within(panel).findByRole('textbox', { name: 'Place' })).toBeInTheDocument();
  await user.click(button);
  expect(button).toHaveAttribute('aria-expanded', 'false');
  expect(screen.queryByRole('textbox', { name: 'Place' })).toBeNull();
  expect(screen.queryByRole('button', { name: 'Clear all' })).toBeNull();
});

test('in the panel of filters every option has a label, and the user can undo each choice', async () => {
  const { user, button, router } = await openPanel('?posted_by=owner&kind=key&days=7&open=1');
  await user.click(button);
  const panel = within(screen.getByRole('region', { name: 'Filters for the posts' }));
  const group = within(await panel.findByRole('group', { name: 'Lost or found?' }));
  expect(group.getAllByRole('radio').map((radio) => (radio as HTMLInputElement).checked)).toEqual([false, true, false]);
  const kind = panel.getByRole('combobox', { name: 'Kind of item' });
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
  expect(place).toHaveAccessibleDescription('Part of its name, for example Mwenge.');
  expect(place).toHaveAttribute('maxlength', `${LOCATION_MAX_CHARS}`);
  await user.click(group.getByRole('radio', { name: 'Found' }));
  expect(router.state.location.search).toBe('?posted_by=finder&kind=key&days=7&open=1');
  await user.click(group.getByRole('radio', { name: 'Both' }));
  await user.selectOptions(kind, 'All kinds');
  await user.selectOptions(time, 'At any time');
  await user.click(screen.getByRole('switch', { name: 'Only open posts' }));
  expect(router.state.location.search).toBe('');
});

test('a place that the user types into the filter is written to the URL', async () => {
  const { user, button, router } = await openPanel();
  await user.click(button);
  const place = await screen.findByRole('textbox', { name: 'Place' });
  expect(place).toHaveAttribute('dir', 'auto');
  fireEvent.change(place, { target: { value: 'Mwenge' } });
  await waitFor(() => expect(router.state.location.search).toBe('?place=Mwenge'));
});

/** Simulates a browser that reports at once that the end of the list is near, or never reports it. */
function stubEnd(isNear: boolean) {
  const seen = { margins: [] as unknown[], watched: 0 };
  vi.stubGlobal(
    'IntersectionObserver',
    class {
      readonly #tell: (entries: { isIntersecting: boolean }[]) => void;
      constructor(tell: (entries: { isIntersecting: boolean }[]) => void, options?: IntersectionObserverInit) {
        this.#tell = tell;
        seen.margins.push(options?.rootMargin);
      }
      observe() {
        seen.watched++;
        queueMicrotask(() => act(() => this.#tell([{ isIntersecting: isNear }])));
      }
      disconnect() {
        seen.watched--;
      }
    },
  );
  onTestFinished(() => void vi.unstubAllGlobals());
  return seen;
}

test('after five empty pages of posts, each further page loads only when the user presses a button', async () => {
  stubEnd(true);
  const queries = serveList('/posts', [], [], [], [], [], [], [aPost({ title: 'Ya zamani' })]);
  const { user } = await renderScreen('/view-posts?search=zz');
  await waitFor(() => expect(queries).toHaveLength(5));
  expect(await screen.findByText(/^No match among/)).toBeVisible();
  const more = await screen.findByRole('button', { name: 'Show older posts' });
  await user.click(more);
  await waitFor(() => expect(queries).toHaveLength(6));
  expect(screen.queryByText('Ya zamani')).toBeNull();
  await user.click(await screen.findByRole('button', { name: 'Show older posts' }));
  expect(await screen.findByText('Ya zamani')).toBeVisible();
});

test('further pages of posts load automatically, one at a time, before the user reaches the end of the list', async () => {
  const seen = stubEnd(true);
  const queries = serveList('/posts', [aPost()], [aPost()], [aPost({ title: 'Wa mwisho' })]);
  await renderScreen('/view-posts');
  expect(await screen.findByText('Wa mwisho')).toBeVisible();
  expect(queries.map((query) => query.get('cursor'))).toEqual([null, '1', '2']);
  expect(new Set(seen.margins)).toEqual(new Set(['600px']));
  expect(seen.watched).toBe(0);
  expect(screen.queryByRole('button', { name: 'Show older posts' })).toBeNull();
});

test('no further posts are requested while the user is far from the end of the list', async () => {
  const seen = stubEnd(false);
  const queries = serveList('/posts', [aPost()], [aPost()]);
  await renderScreen('/view-posts');
  await screen.findByRole('button', { name: 'Show older posts' });
  await waitFor(() => expect(seen.watched).toBe(1));
  expect(queries).toHaveLength(1);
});

test('if the next page of posts fails to load, the list shows an error and a button, and does not retry automatically', async () => {
  const seen = stubEnd(false);
  serveList('/posts', [aPost({ title: 'Mpya' })], [aPost({ title: 'Ya zamani' })]);
  const { user } = await renderScreen('/view-posts');
  const button = await screen.findByRole('button', { name: 'Show older posts' });
  // Refuses only the first request for the next page. Requests for the first page have no cursor and are not refused.
  let refusals = 0;
  server.use(
    http.get('*/api/posts', ({ request }) => {
      if (refusals > 0 || !new URL(request.url).searchParams.has('cursor')) return;
      refusals++;
      return refuse(403, 'forbidden', 'Not now.');
    }),
  );
  await user.click(button);
  expect(await screen.findByText('Error loading posts: Not now.')).toBeInTheDocument();
  expect(screen.getByText('Mpya')).toBeVisible();
  expect(seen.watched).toBe(0);
  await user.click(screen.getByRole('button', { name: 'Show older posts' }));
  expect(await screen.findByText('Ya zamani')).toBeVisible();
});

test('while the next page of posts loads, the button for it is busy and ignores presses', async () => {
  const queries = serveList('/posts', [aPost()], [aPost()]);
  const { user } = await renderScreen('/view-posts');
  const button = await screen.findByRole('button', { name: 'Show older posts' });
  const answer = Promise.withResolvers<Response>();
  let asked = 0;
  server.use(
    http.get('*/api/posts', () => {
      asked++;
      return answer.promise as never;
    }),
  );
  await user.click(button);
  await waitFor(() => expect(button).toHaveAttribute('aria-busy', 'true'));
  expect(button).not.toHaveTextContent('Show older posts');
  await user.click(button);
  answer.resolve(HttpResponse.json([{ Post: aPost({ title: 'Ya zamani' }) }]));
  expect(await screen.findByText('Ya zamani')).toBeVisible();
  expect([queries.length, asked]).toEqual([1, 1]);
});

test('the list of posts is marked as busy until the server has answered a search', async () => {
  serveList('/posts', [aPost({ title: 'Funguo za gari' })]);
  const { user } = await renderScreen('/view-posts');
  const results = await screen.findByRole('region', { name: 'Posts' });
  expect(results).toHaveAttribute('aria-busy', 'false');
  const answer = Promise.withResolvers<Response>();
  server.use(http.get('*/api/posts', () => answer.promise as never));
  await user.type(screen.getByLabelText('Search posts'), 'gari');
  await waitFor(() => expect(screen.getByRole('region', { name: 'Posts' })).toHaveAttribute('aria-busy', 'true'));
  answer.resolve(HttpResponse.json([{ Post: aPost({ title: 'Gari' }) }]));
  await waitFor(() => expect(screen.getByRole('region', { name: 'Posts' })).toHaveAttribute('aria-busy', 'false'));
});

test('screen readers are informed that the first posts are loading', async () => {
  server.use(http.get('*/api/posts', () => new Promise<never>(() => undefined)));
  await renderScreen('/view-posts');
  expect((await screen.findByText(/^Loading/)).closest('[role=status]')).not.toBeNull();
  expect(screen.queryByText('0 posts shown')).toBeNull();
});

// Characters with a special meaning in a URL.
const SIGNS = 'Mushi & Wana #1 + 50% = ?';

test('the searched words reach the server as the user typed them, also in requests for further pages of posts', async () => {
  const queries = serveList('/posts', [aPost({ title: SIGNS })], [aPost({ title: 'Ya zamani' })]);
  const { user, router } = await renderScreen('/view-posts');
  fireEvent.change(await screen.findByLabelText('Search posts'), { target: { value: SIGNS } });
  await waitFor(() => expect(queries.map((query) => query.get('search'))).toEqual([null, SIGNS]));
  expect(new URLSearchParams(router.state.location.search).get('search')).toBe(SIGNS);
  await user.click(await screen.findByRole('button', { name: 'Show older posts' }));
  await waitFor(() => expect(queries.at(-1)?.get('cursor')).toBe('1'));
  expect(queries.at(-1)?.get('search')).toBe(SIGNS);
});

test('the URL of a search for words with special characters opens the same search', async () => {
  const queries = serveList('/posts', [aPost()]);
  await renderScreen(`/view-posts?${new URLSearchParams({ search: SIGNS })}`);
  expect(await screen.findByLabelText('Search posts')).toHaveValue(SIGNS);
  await waitFor(() => expect(queries.map((query) => query.get('search'))).toEqual([SIGNS]));
});

test('the words of a search for communities reach the server as the user typed them', async () => {
  const searches = serveOwn([SCHOOL, { ...SCHOOL, id: 'shop', name: `Duka la ${SIGNS}` }]);
  await renderScreen('/communities', { isSignedIn: true });
  await screen.findByText(SCHOOL.name);
  fireEvent.change(screen.getByRole('textbox', { name: 'Search your communities' }), { target: { value: SIGNS } });
  await waitFor(() => expect(searches).toEqual(['', SIGNS]));
  await waitFor(() => expect(screen.queryByText(SCHOOL.name)).toBeNull());
  expect(screen.getByText(`Duka la ${SIGNS}`)).toBeInTheDocument();
});

const SEARCH = '/view-posts?search=simu+nyeusi&place=Mwenge';
const tellMe = { name: 'Tell me when it turns up' };
const postIt = { name: 'Post what you lost' };

async function expectFilled(title: string, location: string) {
  expect(await screen.findByRole('radio', { name: 'Yes, I lost it' })).toBeChecked();
  expect(screen.getByRole('textbox', { name: 'Title' })).toHaveValue(title);
  expect(screen.getByRole('textbox', { name: 'Location' })).toHaveValue(location);
}

test('a search with results has a link to the form for a new lost post, which already contains the searched words', async () => {
  serveList('/posts', [aPost()]);
  const { user, router } = await renderScreen(SEARCH);
  await screen.findByRole('article');
  expect(screen.queryByRole('link', postIt)).toBeNull();
  await user.click(screen.getByRole('link', tellMe));
  expect(router.state.location.pathname).toBe('/create-post');
  await expectFilled('simu nyeusi', 'Mwenge');
});

test('a search without results has only one link to post a lost thing', async () => {
  serveList('/posts', []);
  const { user } = await renderScreen(SEARCH);
  const link = await screen.findByRole('link', postIt);
  expect(screen.getByText('Post it as lost. You are notified when somebody posts it as found.')).toBeVisible();
  // The hidden text still takes up space, so that the list does not move.
  expect(screen.getByText(tellMe.name)).toHaveClass('invisible');
  await user.click(link);
  await expectFilled('simu nyeusi', 'Mwenge');
});

test('the link to post a lost thing is missing until the user types the first letter of a search', async () => {
  serveList('/posts', [aPost()]);
  const { user } = await renderScreen('/view-posts');
  await screen.findByRole('article');
  expect(screen.queryByText(tellMe.name)).toBeNull();
  await user.type(screen.getByLabelText('Search posts'), 's');
  expect(screen.getByRole('link', tellMe)).toBeVisible();
});

test('the link to post a lost thing, above the results of a search, is translated to Swahili', async () => {
  serveList('/posts', [aPost()]);
  await renderScreen('/view-posts?search=simu', { language: 'sw' });
  expect(await screen.findByRole('link', { name: 'Nijulishe kikipatikana' })).toBeVisible();
});

test('after a search for an identifier finds no posts, the linked form for a lost post has an empty title', async () => {
  serveList('/posts', []);
  const { user } = await renderScreen('/view-posts?search=19900101-12345-00001-23');
  await user.click(await screen.findByRole('link', postIt));
  expect(await screen.findByRole('textbox', { name: 'Title' })).toHaveValue('');
});

test('if a signed-in user’s search for an identifier finds posts, the app offers a look-up instead of a link to post a lost thing', async () => {
  serveNothingElse();
  serveList('/posts', [aPost()]);
  await renderScreen('/view-posts?search=19900101-12345-00001-23', { isSignedIn: true });
  expect(await screen.findByRole('button', { name: 'Look this number up' })).toBeVisible();
  expect(screen.queryByText(tellMe.name)).toBeNull();
});

test('a visitor who follows the link to post a lost thing signs in, and then gets the form with the searched words', async () => {
  serveNothingElse();
  serveList('/posts', [aPost()]);
  const { user, router, unmount } = await renderScreen(SEARCH);
  await user.click(await screen.findByRole('link', tellMe));
  await user.click(within(await screen.findByRole('main')).getByRole('link', { name: 'Log in' }));
  const { pathname, state } = router.state.location;
  expect(pathname).toBe('/login');
  unmount();
  await renderScreen({ pathname: state.from, state: state.fromState }, { isSignedIn: true });
  await expectFilled('simu nyeusi', 'Mwenge');
});

test('the post form opened from a search shows the saved draft, and shows the searched words after a press on “Start over”', async () => {
  serveList('/posts', [aPost()]);
  const first = await renderScreen('/create-post');
  await first.user.type(await screen.findByRole('textbox', { name: 'Title' }), 'Begi jekundu');
  first.unmount();
  const { user } = await renderScreen(SEARCH);
  await user.click(await screen.findByRole('link', tellMe));
  await expectFilled('Begi jekundu', 'Mwenge');
  await user.click(screen.getByRole('button', { name: 'Start over' }));
  await expectFilled('simu nyeusi', 'Mwenge');
});
