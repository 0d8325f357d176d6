import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { ApprovedCommunity } from '#contract/communities.ts';
import { refuseWith, SCHOOL, serveOwn } from '#tests/web/support/communities.ts';
import { holdTime } from '#tests/web/support/phone.ts';
import { keepAnswers, renderScreen } from '#tests/web/support/render-screen.tsx';
import { server } from '#tests/web/support/setup.ts';
import { queryClient } from '#web/api/queries.ts';
import { queryKeys } from '#web/api/query-keys.ts';

describe('the user’s communities', () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  const accessCode = () => screen.findByRole('textbox', { name: /^(Access code|Msimbo wa kujiunga)$/ });

  test('a visitor sees a disabled search field and, for five seconds, a message to log in', async () => {
    holdTime();
    await renderScreen('/communities');
    expect(await screen.findByText('Please login to view and manage your communities.')).toBeInTheDocument();
    expect(screen.getByRole('textbox', { name: 'Search your communities' })).toBeDisabled();
    await act(() => vi.advanceTimersByTimeAsync(4_000));
    expect(screen.getByText('Please login to view and manage your communities.')).toBeInTheDocument();
    await act(() => vi.advanceTimersByTimeAsync(1_000));
    expect(screen.queryByText('Please login to view and manage your communities.')).toBeNull();
    expect(screen.queryByRole('alert')).toBeNull();
  });

  test('a community’s card shows the status, creation date and access code only to admins of the community', async () => {
    const { access_code: _secret, ...market } = {
      ...SCHOOL,
      id: 'market',
      name: 'Soko',
      member_role: 'member' as const,
    };
    serveOwn([SCHOOL, { ...SCHOOL, id: 'stand', name: 'Stendi', approval_status: 0 }, market]);
    await renderScreen('/communities', { isSignedIn: true });
    await screen.findByText('Soko');
    const [school, stand, soko] = screen.getAllByRole('listitem').filter((item) => within(item).queryByRole('heading'));
    if (!school || !stand || !soko) throw new Error('A card is missing');
    expect(within(school).getByRole('link')).toHaveAttribute('href', '/community-details/school');
    expect(school).toHaveTextContent('Admin');
    expect(school).toHaveTextContent('Approved');
    expect(school).toHaveTextContent('Created on 1 November 2026');
    expect(school).toHaveTextContent('ABCDE23456');
    expect(stand).toHaveTextContent('Pending');
    expect(soko).toHaveTextContent('Member');
    expect(soko).not.toHaveTextContent(/Approved|Created|ABCDE/);
    expect(within(soko).getByRole('link')).toHaveAttribute('href', '/communities/market');
  });

  test.each([
    ['en', 'Administration'],
    ['sw', 'Usimamizi'],
  ] as const)(
    'in the language %s, a platform admin, but no other user, sees the link to the administration',
    async (language, name) => {
      serveOwn([SCHOOL]);
      let isAdmin = false;
      const asked: string[] = [];
      server.use(
        http.get('*/api/me', ({ request }) => {
          asked.push(request.url);
          return HttpResponse.json({ id: 'a-user', username: 'Asha', is_platform_admin: isAdmin });
        }),
      );
      const visitors = await renderScreen('/communities', { language });
      expect(await screen.findByRole('heading', { level: 1 })).toBeInTheDocument();
      expect(asked).toEqual([]);
      visitors.unmount();

      const members = await renderScreen('/communities', { language, isSignedIn: true });
      await waitFor(() => expect(queryClient.getQueryData(queryKeys.me)).toBeDefined());
      expect(screen.queryByRole('link', { name })).toBeNull();
      members.unmount();

      queryClient.clear();
      isAdmin = true;
      await renderScreen('/communities', { language, isSignedIn: true });
      expect(await screen.findByRole('link', { name })).toHaveAttribute('href', '/admin');
    },
  );

  test('a search is sent after a pause in typing', async () => {
    const searches = serveOwn([SCHOOL]);
    await renderScreen('/communities', { isSignedIn: true });
    await screen.findByText(SCHOOL.name);
    const field = screen.getByRole('textbox', { name: 'Search your communities' });
    // Types without a pause, however busy the machine is.
    for (const value of ['so', 'soko']) fireEvent.change(field, { target: { value } });
    expect(await screen.findByText('None of your communities matches your search.')).toBeInTheDocument();
    expect(searches).toEqual(['', 'soko']);
  });

  test('a list of communities that failed to load shows the server’s error text, or the app’s own text if there is none', async () => {
    server.use(
      http.get('*/api/communities', refuseWith(403, { code: 'forbidden', detail: 'Huruhusiwi kufanya hivi.' })),
    );
    const first = await renderScreen('/communities', { isSignedIn: true });
    expect(await screen.findByText('Huruhusiwi kufanya hivi.')).toBeInTheDocument();
    first.unmount();
    server.use(http.get('*/api/communities', refuseWith(404, {})));
    await renderScreen('/communities', { isSignedIn: true });
    await first.user.click(await screen.findByRole('button', { name: 'Try again' }));
    expect(await screen.findByText('Failed to fetch communities')).toBeInTheDocument();
  });

  test('joining sends the access code, clears the field, refreshes the list and shows a message', async () => {
    const searches = serveOwn([]);
    const joined: unknown[] = [];
    server.use(
      http.post('*/api/communities/join', async ({ request }) => {
        joined.push(await request.json());
        return HttpResponse.json({ id: 'school', name: SCHOOL.name });
      }),
    );
    const { user } = await renderScreen('/communities', { isSignedIn: true });
    const box = await accessCode();
    const join = screen.getByRole('button', { name: 'Join' });
    expect(join).toHaveAttribute('aria-disabled', 'true');
    await user.type(box, '   ');
    expect(join).toHaveAttribute('aria-disabled', 'true');
    await screen.findByText('You are not in any community yet');
    const stale = keepAnswers(queryKeys.posts.own('a-user'));
    serveOwn([SCHOOL]);
    await user.type(box, 'abcde-23456');
    await user.click(join);
    expect(await screen.findByText('Successfully joined the community!')).toBeInTheDocument();
    expect(await screen.findByText(SCHOOL.name)).toBeInTheDocument();
    expect(box).toHaveValue('');
    expect(joined).toEqual([{ access_code: 'abcde-23456' }]);
    expect(searches).toEqual(['']);
    // A member sees more posts than other people, so the lists of posts are outdated.
    expect(stale()).toHaveLength(1);
  });

  test('a user who leaves the screen while joining a community is not redirected when the response arrives', async () => {
    serveOwn([]);
    let answer = () => {};
    server.use(
      http.post('*/api/communities/join', async () => {
        await new Promise<void>((release) => {
          answer = release;
        });
        return HttpResponse.json({ id: 'school', name: SCHOOL.name });
      }),
    );
    const { user, router } = await renderScreen('/communities?join=ABCDE23456', { isSignedIn: true });
    await user.click(await screen.findByRole('button', { name: 'Join' }));
    await screen.findByRole('button', { name: 'Joining…' });
    await user.click(screen.getByRole('link', { name: 'Home' }));
    const isDone = waitFor(() => expect(queryClient.isMutating()).toBe(0));
    answer();
    await isDone;
    expect(router.state.location.pathname).toBe('/');
  });

  test.each([
    ['en', { detail: 'Community not found' }, 'Failed to join community: Community not found'],
    ['en', {}, 'Failed to join community: Unknown error'],
    ['sw', {}, 'Imeshindikana kujiunga na jumuiya: Hitilafu isiyojulikana'],
  ] as const)(
    'in the language %s, a refused attempt to join shows an error: server response %j, error "%s"',
    async (language, body, sentence) => {
      serveOwn([]);
      server.use(http.post('*/api/communities/join', refuseWith(404, body)));
      const { user } = await renderScreen('/communities', { language, isSignedIn: true });
      await user.type(await accessCode(), 'ZZZZZZZZZZ{Enter}');
      expect(await screen.findByRole('alert')).toHaveTextContent(sentence);
      expect(await accessCode()).toHaveValue('ZZZZZZZZZZ');
    },
  );

  test('opening or pasting a join link fills in the field “Access code” with the access code in the link', async () => {
    serveOwn([]);
    const { user } = await renderScreen('/communities?join=abcde23456', { isSignedIn: true });
    expect(await accessCode()).toHaveValue('abcde23456');
    await user.clear(await accessCode());
    await user.click(await accessCode());
    await user.paste('https://patikana.test/communities?join=QQQQQ22222&x=1');
    expect(await accessCode()).toHaveValue('QQQQQ22222');
  });

  test('a visitor who joins with an access code signs in first, and then finds the access code still in the field', async () => {
    const { user, router, unmount } = await renderScreen('/communities?join=ABCDE23456');
    await user.click(await screen.findByRole('button', { name: 'Join' }));
    expect(router.state.location).toMatchObject({
      pathname: '/login',
      state: { from: '/communities?join=ABCDE23456' },
    });
    unmount();
    serveOwn([]);
    await renderScreen('/communities', { isSignedIn: true });
    expect(await accessCode()).toHaveValue('ABCDE23456');
  });

  test('a new community is sent with trimmed texts, and a missing name shows an error', async () => {
    serveOwn([]);
    const sent: unknown[] = [];
    server.use(
      http.post('*/api/communities', async ({ request }) => {
        sent.push(await request.json());
        return HttpResponse.json(
          { id: 'n', name: 'Kata ya Sinza', access_code: 'X', approval_status: 0 },
          { status: 201 },
        );
      }),
    );
    const { user } = await renderScreen('/communities', { isSignedIn: true });
    await user.click(await screen.findByRole('button', { name: 'Create a community' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Create a community' }));
    await user.type(dialog.getByRole('textbox', { name: 'Community name' }), '  ');
    await user.click(dialog.getByRole('button', { name: 'Create community' }));
    expect(dialog.getByText('Community name is required')).toBeInTheDocument();
    await user.type(dialog.getByRole('textbox', { name: 'Community name' }), 'Kata ya Sinza ');
    await user.type(dialog.getByRole('textbox', { name: /Description/ }), ' Majirani ');
    await user.click(dialog.getByRole('button', { name: 'Create community' }));
    expect(await screen.findByText(/“Kata ya Sinza” has been created and waits for approval/)).toBeInTheDocument();
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(sent).toEqual([{ name: 'Kata ya Sinza', description: 'Majirani' }]);
  });

  test.each([
    [{ detail: 'Too many attempts.' }, 'Too many attempts.'],
    [{}, 'The community could not be created. Please try again.'],
  ])('if the server refuses a new community and responds with %j, the screen shows “%s”', async (body, sentence) => {
    serveOwn([]);
    server.use(http.post('*/api/communities', refuseWith(429, body)));
    const { user } = await renderScreen('/communities', { isSignedIn: true });
    await user.type(await screen.findByRole('textbox', { name: 'Community name' }), 'Kata');
    await user.click(screen.getByRole('button', { name: 'Create community' }));
    expect(await screen.findByText(sentence)).toBeInTheDocument();
  });

  test('the screen is translated to Swahili', async () => {
    serveOwn([SCHOOL]);
    await renderScreen('/communities', { isSignedIn: true, language: 'sw' });
    expect(await screen.findByRole('heading', { level: 1, name: 'Jumuiya' })).toBeInTheDocument();
    expect(await screen.findByText('Ilianzishwa tarehe 1 Novemba 2026')).toBeInTheDocument();
    expect(screen.getByText('Msimbo wa kujiunga: ABCDE23456')).toBeInTheDocument();
  });
});

const STAND: ApprovedCommunity = {
  id: 'stand',
  name: 'Stendi ya Mbezi',
  description: 'Madereva na abiria',
  member_count: 40,
  is_member: false,
  has_requested: false,
};

function serveListed(...communities: ApprovedCommunity[]) {
  const searches: (string | null)[] = [];
  server.use(
    http.get('*/api/communities/approved', ({ request }) => {
      searches.push(new URL(request.url).searchParams.get('search'));
      return HttpResponse.json(communities);
    }),
  );
  return searches;
}

const open = (language: 'en' | 'sw' = 'en') => renderScreen('/communities/find', { isSignedIn: true, language });

test('the directory of communities finds a community by name, and the URL contains the search', async () => {
  const searches = serveListed(STAND);
  const { user, router } = await open();
  await user.type(await screen.findByRole('textbox', { name: 'Search by name' }), 'mbezi');
  await expect.poll(() => searches.at(-1)).toBe('mbezi');
  expect(router.state.location.search).toBe('?search=mbezi');
  expect(screen.getByText('40 members')).toBeInTheDocument();
});

test.each([
  ['en', 'Ask to join Stendi ya Mbezi', /Message to its admins/, 'Send', 'You have asked'],
  ['sw', 'Omba kujiunga na Stendi ya Mbezi', /Ujumbe kwa wasimamizi wake/, 'Tuma', 'Umeomba'],
] as const)(
  'in the language %s, a request to join that is sent again after an error has the same idempotency key, and is confirmed',
  async (language, ask, label, send, waiting) => {
    serveListed(STAND);
    const sent: unknown[] = [];
    const keys: (string | null)[] = [];
    server.use(
      http.post('*/api/communities/stand/join-requests', async ({ request }) => {
        sent.push(await request.json());
        keys.push(request.headers.get('Idempotency-Key'));
        if (sent.length === 1) return HttpResponse.error();
        serveListed({ ...STAND, has_requested: true });
        return HttpResponse.json({ community_id: 'stand', status: 'waiting' }, { status: 201 });
      }),
    );
    const { user } = await open(language);
    await user.click(await screen.findByRole('button', { name: ask }));
    const dialog = within(screen.getByRole('dialog'));
    await user.type(dialog.getByRole('textbox', { name: label }), 'Mimi ni dereva');
    await user.click(dialog.getByRole('button', { name: send }));
    expect(await dialog.findByRole('alert')).toBeInTheDocument();
    await user.click(dialog.getByRole('button', { name: send }));
    expect(await screen.findByText(waiting)).toBeInTheDocument();
    expect(screen.queryByRole('button', { name: ask })).toBeNull();
    expect(sent).toEqual([{ message: 'Mimi ni dereva' }, { message: 'Mimi ni dereva' }]);
    expect(keys[0]).toBe(keys[1]);
    expect(document.activeElement).not.toBe(document.body);
  },
);

test('after Back has closed the dialog for a request to join, a late response to the request causes no navigation', async () => {
  serveListed(STAND);
  const answered = Promise.withResolvers<void>();
  server.use(
    http.post('*/api/communities/stand/join-requests', async () => {
      await answered.promise;
      serveListed({ ...STAND, has_requested: true });
      return HttpResponse.json({ community_id: 'stand', status: 'waiting' }, { status: 201 });
    }),
  );
  const { user, router } = await renderScreen('/privacy', { isSignedIn: true });
  await act(() => router.navigate('/communities/find'));
  await user.click(await screen.findByRole('button', { name: 'Ask to join Stendi ya Mbezi' }));
  await user.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Send' }));
  await act(() => router.navigate(-1));
  expect(screen.queryByRole('dialog')).toBeNull();
  answered.resolve();
  expect(await screen.findByText('You have asked')).toBeInTheDocument();
  expect(router.state.location).toMatchObject({ pathname: '/communities/find', search: '' });
});

test.each([
  [409, 'You have already asked to join. Please wait for an answer.'],
  [403, 'You were removed from this community.'],
  [429, 'Too many attempts.'],
])(
  'if the server responds with status %i to a request to join a community, the app shows the server’s reason',
  async (status, detail) => {
    serveListed(STAND);
    server.use(http.post('*/api/communities/stand/join-requests', refuseWith(status, { detail })));
    const { user } = await open();
    await user.click(await screen.findByRole('button', { name: 'Ask to join Stendi ya Mbezi' }));
    await user.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Send' }));
    expect(await screen.findByRole('alert')).toHaveTextContent(detail);
  },
);

test('the directory shows members a link to their community; a search without results says how to get an access code', async () => {
  serveListed({ ...STAND, is_member: true });
  const first = await open();
  expect(await screen.findByRole('link', { name: 'Open the community' })).toHaveAttribute('href', '/communities/stand');
  first.unmount();
  serveListed();
  await renderScreen('/communities/find?search=soko', { isSignedIn: true });
  expect(await screen.findByText('No community with that name was found.')).toBeInTheDocument();
  expect(screen.getByText(/Ask one of the members for the access code/)).toBeInTheDocument();
});

test('a visitor to the directory of communities sees a message to log in', async () => {
  await renderScreen('/communities/find');
  expect(await screen.findByText('You need to log in to view communities')).toBeInTheDocument();
});
