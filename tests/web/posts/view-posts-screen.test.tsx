import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { MatchReason, PostEntry } from '#contract/posts.ts';
import { holdTime, loseNetwork } from '#tests/web/support/phone.ts';
import { aFoundEntry, aPost, refuse, serveList, serveNothingElse, serveSearch } from '#tests/web/support/posts.ts';
import { renderScreen } from '#tests/web/support/render-screen.tsx';
import { server } from '#tests/web/support/setup.ts';
import { signInAs } from '#web/api/session.ts';

describe('view posts screen', () => {
  afterEach(() => vi.useRealTimers());

  function cardOf(title: string): HTMLElement {
    return screen.getByText(title).closest('article') as HTMLElement;
  }

  test.each([
    ['en', 'Discover lost items', 'Found', 'Lost', 'Found and returned', 'Log in to view contact'],
    [
      'sw',
      'Tafuta vitu vilivyopotea',
      'Kimeokotwa',
      'Kimepotea',
      'Kimepatikana na kurudishwa',
      'Ingia ili uone namba ya simu',
    ],
  ] as const)(
    'a visitor sees the cards in the language %s, and is asked to log in to see the contact',
    async (language, heading, pickedUp, lost, found, prompt) => {
      const open = aPost({ title: 'Funguo', phone_number: null });
      const done = aPost({ title: 'Pochi', phone_number: null, posted_by: 'owner', is_found: true });
      const sought = aPost({ title: 'Mkoba', phone_number: null, posted_by: 'owner' });
      serveList('/posts', [open, sought, done]);
      await renderScreen('/view-posts', { language });
      expect(await screen.findByRole('heading', { level: 1, name: heading })).toBeInTheDocument();
      await screen.findByText('Funguo');
      const card = within(cardOf('Funguo'));
      for (const text of [pickedUp, 'Neema Mushi', 'Kariakoo', 'Ina kava la bluu', prompt])
        expect(card.getByText(text)).toBeInTheDocument();
      expect(card.queryByText(found)).toBeNull();
      expect(within(cardOf('Mkoba')).getByText(lost)).toBeInTheDocument();
      const returned = within(cardOf('Pochi'));
      expect(returned.getByText(found)).toBeInTheDocument();
      expect(returned.queryByText(lost)).toBeNull();
      expect(document.querySelector('a[href^="tel:"]')).toBeNull();
    },
  );

  test('the log-in link in the list of posts passes on the list’s URL, so that the visitor returns to the same list', async () => {
    serveList('/posts', [aPost({ phone_number: null })]);
    const { user, router } = await renderScreen('/view-posts?search=simu');
    await user.click(await screen.findByRole('link', { name: 'Log in to view contact' }));
    expect(router.state.location.pathname).toBe('/login');
    expect(router.state.location.state).toMatchObject({ from: '/view-posts?search=simu' });
  });

  test.each(['document', 'electronics'] as const)(
    'a signed-in person sees the author’s phone number on the card of a post about a thing of the kind “%s”',
    async (kind) => {
      serveNothingElse();
      serveList('/posts', [aPost({ kind, phone_number: '0712345678' })]);
      await renderScreen('/view-posts', { isSignedIn: true });
      expect(await screen.findByText('0712345678')).toHaveAttribute('href', 'tel:0712345678');
    },
  );

  test('a signed-in user sees the author’s phone number on a post’s card, and can open the contact screen', async () => {
    serveNothingElse();
    const post = aPost({ title: 'Funguo', phone_number: '0712345678' });
    serveList('/posts', [post, aPost({ title: 'Yangu', phone_number: '0754000111', is_mine: true })]);
    const { user, router } = await renderScreen('/view-posts', { isSignedIn: true });
    expect(await screen.findByText('0712345678')).toHaveAttribute('href', 'tel:0712345678');
    expect(within(cardOf('Yangu')).queryByRole('link', { name: 'Contact poster' })).toBeNull();
    expect(screen.getByText('0754000111')).not.toHaveAttribute('href');
    await user.click(within(cardOf('Funguo')).getByRole('link', { name: 'Contact poster' }));
    expect(router.state.location.pathname).toBe(`/posts/${post.id}/contact`);
  });

  test.each([
    ['en', 'No items found. Try adjusting your search criteria.'],
    ['sw', 'Hakuna kitu kilichopatikana. Jaribu kutafuta kwa njia nyingine.'],
  ] as const)('a search without results shows “No items found” in the language %s', async (language, sentence) => {
    serveList('/posts', []);
    await renderScreen('/view-posts?search=zzz', { language });
    expect(await screen.findByText(sentence)).toBeInTheDocument();
  });

  test('typing in the search field sends one search after a pause, and writes the words to the URL', async () => {
    const queries = serveList('/posts', [aPost()]);
    const { router } = await renderScreen('/view-posts');
    await screen.findByText(/^Simu nyeusi/);
    const field = screen.getByLabelText('Search posts');
    // Types without a pause, however busy the machine is.
    for (const value of ['pochi', 'pochi nyekundu']) fireEvent.change(field, { target: { value } });
    await waitFor(() => expect(router.state.location.search).toBe('?search=pochi+nyekundu'));
    await waitFor(() => expect(queries.map((query) => query.get('search'))).toEqual([null, 'pochi nyekundu']));
  });

  test('screen readers are informed of the number of posts found, even if it is zero', async () => {
    serveList('/posts', [aPost(), aPost()]);
    const { user } = await renderScreen('/view-posts');
    const announced = await screen.findByText('2 posts shown');
    serveList('/posts', []);
    await user.type(screen.getByLabelText('Search posts'), 'zzz');
    // The element stays the same throughout: a screen reader ignores a live region that appears together with its text.
    await waitFor(() => expect(announced).toHaveTextContent('0 posts shown'));
    expect(announced).toBeInTheDocument();
    expect(announced).toHaveAttribute('role', 'status');
  });

  test('while the server searches, those loaded posts that contain the typed words stay visible', async () => {
    serveList('/posts', [
      aPost({ title: 'Funguo' }),
      aPost({ title: 'Pochi', location: 'Posta' }),
      aPost({ title: 'Kofia' }),
    ]);
    const { user } = await renderScreen('/view-posts');
    await screen.findByText('Funguo');
    server.use(http.get('*/api/posts', () => new Promise(() => undefined)));
    await user.type(screen.getByLabelText('Search posts'), 'POS po');
    expect(screen.getByText('Pochi')).toBeInTheDocument();
    expect(screen.queryByText('Funguo')).toBeNull();
  });

  test('a post is listed if only its description contains the searched words', async () => {
    serveList('/posts', [aPost({ title: 'Begi', description: 'lina vitabu' })]);
    await renderScreen('/view-posts?search=vitabu');
    expect(await screen.findByText('Begi')).toBeInTheDocument();
  });

  test('a shared URL opens its search, a button clears the search, and Back restores the former search', async () => {
    const queries = serveList('/posts', [aPost()]);
    const { user, router } = await renderScreen('/view-posts?search=simu');
    const box = await screen.findByLabelText('Search posts');
    expect(box).toHaveValue('simu');
    await waitFor(() => expect(queries[0]?.get('search')).toBe('simu'));
    await user.click(screen.getByRole('button', { name: 'Clear the search' }));
    expect(box).toHaveValue('');
    expect(box).toHaveFocus();
    await waitFor(() => expect(router.state.location.search).toBe(''));
    await user.type(box, 'kofia');
    await waitFor(() => expect(router.state.location.search).toBe('?search=kofia'));
    await waitFor(() => expect(queries.at(-1)?.get('search')).toBe('kofia'));
    await act(() => router.navigate(-1));
    await waitFor(() => expect(screen.getByLabelText('Search posts')).toHaveValue(''));
  });

  test('a chosen community is written to the URL, sent to the server, and can be cleared', async () => {
    serveNothingElse();
    const community = {
      id: 'c',
      name: 'Shule ya Mbezi',
      description: '',
      community_code: 'ABCD2345',
      member_role: 'member',
      approval_status: 1,
      created_at: new Date().toISOString(),
    };
    server.use(http.get('*/api/communities', () => HttpResponse.json([community])));
    const queries = serveList('/posts', [aPost()]);
    const { user, router } = await renderScreen('/view-posts', { isSignedIn: true });
    await screen.findByRole('option', { name: 'Shule ya Mbezi' });
    await user.selectOptions(screen.getByLabelText('Community'), 'ABCD2345');
    await waitFor(() => expect(queries.at(-1)?.get('community_code')).toBe('ABCD2345'));
    expect(router.state.location.search).toBe('?community_code=ABCD2345');
    await user.click(screen.getByRole('button', { name: /clear/i }));
    expect(screen.getByLabelText('Community')).toHaveFocus();
    await waitFor(() => expect(router.state.location.search).toBe(''));
  });

  test('a pending search does not bring back the community filter that the user has just cleared', async () => {
    serveNothingElse();
    serveList('/posts', [aPost()]);
    const { user, router } = await renderScreen('/view-posts?community_code=ABCD2345', { isSignedIn: true });
    await user.type(await screen.findByLabelText('Search posts'), 'simu');
    await user.click(screen.getByRole('button', { name: 'Clear the chosen community' }));
    await waitFor(() => expect(router.state.location.search).toBe('?search=simu'));
  });

  test('each press on “Show older posts” loads the page of posts that the Link header names', async () => {
    const queries = serveList(
      '/posts',
      [aPost({ title: 'Wa kwanza' })],
      [aPost({ title: 'Wa pili' })],
      [aPost({ title: 'Wa tatu' })],
    );
    const { user } = await renderScreen('/view-posts');
    await user.click(await screen.findByRole('button', { name: 'Show older posts' }));
    expect(await screen.findByText('Wa pili')).toBeInTheDocument();
    await user.click(await screen.findByRole('button', { name: 'Show older posts' }));
    expect(await screen.findByText('Wa tatu')).toBeInTheDocument();
    expect(screen.getByText('Wa kwanza')).toBeInTheDocument();
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Show older posts' })).toBeNull());
    expect(queries.map((query) => query.get('cursor'))).toEqual([null, '1', '2']);
  });

  test('an empty page of posts that has a next page does not show the message “No items found”', async () => {
    serveList('/posts', [], [aPost({ title: 'Wa zamani' })]);
    const { user } = await renderScreen('/view-posts?search=zz');
    await user.click(await screen.findByRole('button', { name: 'Show older posts' }));
    expect(await screen.findByText('Wa zamani')).toBeInTheDocument();
    expect(screen.queryByText(/No items found/)).toBeNull();
  });

  test('the next page of posts loads automatically when the user comes near the end of the list', async () => {
    const observed: ((entries: { isIntersecting: boolean }[]) => void)[] = [];
    vi.stubGlobal(
      'IntersectionObserver',
      class {
        constructor(callback: (entries: { isIntersecting: boolean }[]) => void) {
          observed.push(callback);
        }
        observe() {}
        disconnect() {}
      },
    );
    serveList('/posts', [aPost()], [aPost({ title: 'Wa pili' })]);
    await renderScreen('/view-posts');
    await screen.findByRole('button', { name: 'Show older posts' });
    act(() => observed.at(-1)?.([{ isIntersecting: true }]));
    expect(await screen.findByText('Wa pili')).toBeInTheDocument();
    vi.unstubAllGlobals();
  });

  test.each([
    ['en', 'Error loading posts: Community not found'],
    ['sw', 'Imeshindikana kuonyesha matangazo: Community not found'],
  ] as const)(
    'if the posts fail to load, one message in the language %s appears, with the server’s error text and a retry button',
    async (language, sentence) => {
      server.use(http.get('*/api/posts', () => refuse(403, 'not_a_member', 'Community not found')));
      const { user } = await renderScreen('/view-posts?community_code=X', { language });
      expect(await screen.findByRole('alert')).toHaveTextContent(sentence);
      expect(screen.getAllByRole('alert')).toHaveLength(1);
      serveList('/posts', [aPost({ title: 'Imerudi' })]);
      await user.click(screen.getByRole('button', { name: language === 'en' ? 'Try again' : 'Jaribu tena' }));
      expect(await screen.findByText('Imerudi')).toBeInTheDocument();
    },
  );

  test.each([
    ['en', 'Error loading posts: Make sure you have logged in'],
    ['sw', 'Imeshindikana kuonyesha matangazo: Hakikisha umeingia kwenye akaunti yako'],
  ] as const)(
    'a visitor who opens a list for members is asked in the language %s to log in, and the list is requested once',
    async (language, sentence) => {
      let asked = 0;
      server.use(
        http.get('*/api/posts', () => {
          asked++;
          return refuse(401, 'unauthorized', 'You need to log in to do this.');
        }),
      );
      await renderScreen('/view-posts?community_code=X', { language });
      expect(await screen.findByRole('alert')).toHaveTextContent(sentence);
      expect(asked).toBe(1);
    },
  );

  test('a visitor who opens a link to a community’s posts signs in, and then returns to these posts', async () => {
    server.use(http.get('*/api/posts', () => refuse(401, 'unauthorized', 'You need to log in to do this.')));
    const { user, router } = await renderScreen('/view-posts?community_code=ABCD2345');
    await user.click(await screen.findByRole('link', { name: 'Log in' }));
    expect(router.state.location).toMatchObject({
      pathname: '/login',
      state: { from: '/view-posts?community_code=ABCD2345' },
    });
  });

  test('a failing server is tried four times before an error is shown', async () => {
    holdTime();
    let asked = 0;
    server.use(
      http.get('*/api/posts', () => {
        asked++;
        return refuse(500, 'internal_error', 'Something went wrong on our side.');
      }),
    );
    await renderScreen('/view-posts');
    await vi.waitFor(async () => {
      await act(() => vi.advanceTimersByTimeAsync(2_000));
      expect(asked).toBe(4);
    });
    expect(
      (await screen.findAllByText('Error loading posts: Something went wrong on our side.')).length,
    ).toBeGreaterThan(0);
    expect(asked).toBe(4);
  });

  test('the posts that one user loaded are not shown after another user signs in', async () => {
    serveNothingElse();
    serveList('/posts', [aPost({ title: 'Ya jumuiya ya siri' })]);
    await renderScreen('/view-posts', { isSignedIn: true });
    await screen.findByText('Ya jumuiya ya siri');
    server.use(http.get('*/api/posts', () => new Promise(() => undefined)));
    act(() => signInAs({ token: 'another-token', userId: 'another-user' }));
    expect(screen.queryByText('Ya jumuiya ya siri')).toBeNull();
  });

  test('HTML in a post’s title is shown as plain text, with the text direction of the title’s language', async () => {
    serveList('/posts', [aPost({ title: '<b>محفظة</b>', description: '<img src=x onerror=alert(1)>' })]);
    await renderScreen('/view-posts');
    expect(await screen.findByText('<b>محفظة</b>')).toHaveAttribute('dir', 'auto');
    expect(document.querySelector('article img')).toBeNull();
  });
});

describe('the groups of search results', () => {
  const PHONE: MatchReason = { kind: 'item', en: 'phone', sw: 'simu' };
  const BLACK: MatchReason = { kind: 'colour', en: 'black', sw: 'nyeusi' };

  function byWords(title: string): PostEntry {
    return { Post: aPost({ title }), found_by: 'words' };
  }

  function cardOf(title: string) {
    return within(screen.getByText(title).closest('article') as HTMLElement);
  }

  const headings = () =>
    within(screen.getByRole('region', { name: /Posts|Matangazo/ }))
      .getAllByRole('heading')
      .map(({ textContent }) => textContent);

  test.each([
    ['en', 'The same in other words', 'Close to it', '1 with these words, 2 in other words, 1 close to it'],
    [
      'sw',
      'Kitu hicho hicho kwa maneno mengine',
      'Yanayokaribiana na ulichotafuta',
      'Matangazo 1 kwa maneno haya, 2 kwa maneno mengine, 1 yanayokaribiana',
    ],
  ] as const)(
    'have headings in the language %s, and screen readers are informed of the number of posts in each group',
    async (language, same, close, counted) => {
      serveSearch([
        byWords('Black phone'),
        aFoundEntry('meaning', 'Simu ya Tecno'),
        aFoundEntry('meaning', 'Simu ya Itel'),
        aFoundEntry('near', 'Kava la simu'),
      ]);
      await renderScreen('/view-posts?search=phone', { language });
      await screen.findByText('Black phone');
      expect(headings()).toEqual(['Black phone', same, 'Simu ya Tecno', 'Simu ya Itel', close, 'Kava la simu']);
      expect(screen.getByText(counted)).toHaveAttribute('role', 'status');
    },
  );

  test('have no headings if all posts found contain the searched words', async () => {
    serveSearch([byWords('Black phone')]);
    await renderScreen('/view-posts?search=phone');
    await screen.findByText('Black phone');
    expect(headings()).toEqual(['Black phone']);
    expect(screen.getByText('1 post shown')).toHaveAttribute('role', 'status');
  });

  test.each([
    ['en', 'simu = phone · black'],
    ['sw', 'simu = phone · nyeusi'],
  ] as const)(
    'show in the language %s why a post is among the results, such as “simu = phone”',
    async (language, line) => {
      serveSearch([byWords('Black phone'), aFoundEntry('meaning', 'Simu ya Tecno', [PHONE, BLACK])]);
      await renderScreen('/view-posts?search=phones', { language });
      await screen.findByText('Simu ya Tecno');
      expect(cardOf('Simu ya Tecno').getByText(line)).toBeInTheDocument();
      expect(cardOf('Black phone').queryByText(/phone ·|=/)).toBeNull();
    },
  );

  test('show which words of an English post are translations of the searched Swahili words', async () => {
    serveSearch([aFoundEntry('meaning', 'Black phone', [PHONE, BLACK])]);
    await renderScreen('/view-posts?search=simu nyeusi');
    expect(
      (await screen.findByText('Black phone')) && cardOf('Black phone').getByText('phone = simu · black = nyeusi'),
    ).toBeInTheDocument();
  });

  test('continue on the next page, each group under a single heading', async () => {
    const queries = serveSearch(
      [byWords('Black phone'), aFoundEntry('meaning', 'Simu ya Tecno')],
      [aFoundEntry('meaning', 'Simu ya Itel'), aFoundEntry('near', 'Kava la simu')],
    );
    const { user } = await renderScreen('/view-posts?search=phone');
    await user.click(await screen.findByRole('button', { name: 'Show older posts' }));
    await screen.findByText('Kava la simu');
    expect(headings()).toEqual([
      ...['Black phone', 'The same in other words', 'Simu ya Tecno', 'Simu ya Itel', 'Close to it', 'Kava la simu'],
    ]);
    expect(queries.map((query) => query.get('cursor'))).toEqual([null, '1']);
  });

  test('remain visible while a new search loads', async () => {
    serveSearch([byWords('Black phone'), aFoundEntry('meaning', 'Simu ya Tecno', [PHONE])]);
    const { user } = await renderScreen('/view-posts?search=phone');
    await screen.findByText('Simu ya Tecno');
    const before = headings();
    let isAsked = false;
    server.use(
      http.get('*/api/posts', () => {
        isAsked = true;
        return new Promise(() => undefined);
      }),
    );
    const box = screen.getByLabelText('Search posts');
    await user.clear(box);
    await user.type(box, 'black');
    await waitFor(() => expect(isAsked).toBe(true));
    expect(headings()).toEqual(before);
    expect(cardOf('Simu ya Tecno').getByText('simu = phone')).toBeInTheDocument();
  });

  test('become one group of posts that the user has seen before, if there is no network', async () => {
    serveSearch([byWords('Simu nyeupe'), aFoundEntry('meaning', 'Black phone', [PHONE])]);
    const { user } = await renderScreen('/view-posts?search=simu');
    await screen.findByText('Black phone');
    loseNetwork();
    server.use(http.get('*/api/posts', () => HttpResponse.error()));
    const box = screen.getByLabelText('Search posts');
    await user.clear(box);
    await user.type(box, 'BLACK ph');
    expect(await screen.findByText('1 post shown')).toHaveAttribute('role', 'status');
    expect(headings()).toEqual(['Black phone']);
    expect(screen.getByText(/^Saved on this phone, last updated/)).toBeVisible();
  });
});
