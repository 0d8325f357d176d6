import { act, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { afterEach, expect, test, vi } from 'vitest';
import { queryClient } from '#web/lib/query-client.ts';
import { queryKeys } from '#web/lib/query-keys.ts';
import { refuse, SCHOOL, serveOwn } from './support/communities.ts';
import { renderScreen } from './support/render-screen.tsx';
import { server } from './support/setup.ts';
import { keepAnswers } from './support/stale.ts';

afterEach(() => {
  vi.useRealTimers();
});

const accessCode = () => screen.findByRole('textbox', { name: /^(Access code|Msimbo wa kujiunga)$/ });

test('a visitor is asked to log in for five seconds, cannot search, and sees no error', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  await renderScreen('/communities');
  expect(await screen.findByText('Please login to view and manage your communities.')).toBeInTheDocument();
  expect(screen.getByRole('textbox', { name: 'Search your communities' })).toBeDisabled();
  await act(() => vi.advanceTimersByTimeAsync(4_900));
  expect(screen.getByText('Please login to view and manage your communities.')).toBeInTheDocument();
  await act(() => vi.advanceTimersByTimeAsync(200));
  expect(screen.queryByText('Please login to view and manage your communities.')).toBeNull();
  expect(screen.queryByRole('alert')).toBeNull();
});

test('admins see status, date and code and the way to run it; members the way to its page alone', async () => {
  const { access_code: _secret, ...market } = { ...SCHOOL, id: 'market', name: 'Soko', member_role: 'member' as const };
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
  'a platform admin finds the administration here in %s, and nobody else is asked or told',
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

test('the search asks the server once it stands still', async () => {
  const searches = serveOwn([SCHOOL]);
  const { user } = await renderScreen('/communities', { isSignedIn: true });
  await screen.findByText(SCHOOL.name);
  await user.type(screen.getByRole('textbox', { name: 'Search your communities' }), 'soko');
  expect(await screen.findByText('None of your communities matches your search.')).toBeInTheDocument();
  expect(searches).toEqual(['', 'soko']);
});

test('a failure of the list says what the server says, else its own sentence', async () => {
  server.use(http.get('*/api/communities', refuse(403, { code: 'forbidden', detail: 'Huruhusiwi kufanya hivi.' })));
  const first = await renderScreen('/communities', { isSignedIn: true });
  expect(await screen.findByText('Huruhusiwi kufanya hivi.')).toBeInTheDocument();
  first.unmount();
  server.use(http.get('*/api/communities', refuse(404, {})));
  await renderScreen('/communities', { isSignedIn: true });
  await first.user.click(await screen.findByRole('button', { name: 'Try again' }));
  expect(await screen.findByText('Failed to fetch communities')).toBeInTheDocument();
});

test('joining sends the code, clears the box, refreshes the list and says so', async () => {
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
  // A member sees posts that nobody else does.
  expect(stale()).toHaveLength(1);
});

test('whoever goes elsewhere while joining stays there', async () => {
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
] as const)('in %s a failed join that the server explains as %j says "%s"', async (language, body, sentence) => {
  serveOwn([]);
  server.use(http.post('*/api/communities/join', refuse(404, body)));
  const { user } = await renderScreen('/communities', { language, isSignedIn: true });
  await user.type(await accessCode(), 'ZZZZZZZZZZ{Enter}');
  expect(await screen.findByRole('alert')).toHaveTextContent(sentence);
  expect(await accessCode()).toHaveValue('ZZZZZZZZZZ');
});

test('a join link fills the box, and a pasted link shows its code', async () => {
  serveOwn([]);
  const { user } = await renderScreen('/communities?join=abcde23456', { isSignedIn: true });
  expect(await accessCode()).toHaveValue('abcde23456');
  await user.clear(await accessCode());
  await user.click(await accessCode());
  await user.paste('https://patikana.test/communities?join=QQQQQ22222&x=1');
  expect(await accessCode()).toHaveValue('QQQQQ22222');
});

test('a visitor who joins signs in first and comes back with the code, whichever way they take', async () => {
  const { user, router, unmount } = await renderScreen('/communities?join=ABCDE23456');
  await user.click(await screen.findByRole('button', { name: 'Join' }));
  expect(router.state.location).toMatchObject({ pathname: '/login', state: { from: '/communities?join=ABCDE23456' } });
  unmount();
  serveOwn([]);
  await renderScreen('/communities', { isSignedIn: true });
  expect(await accessCode()).toHaveValue('ABCDE23456');
});

test('a community is created from the dialog, trimmed, and the form says what is missing', async () => {
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
])('a failed creation says %j as %s', async (body, sentence) => {
  serveOwn([]);
  server.use(http.post('*/api/communities', refuse(429, body)));
  const { user } = await renderScreen('/communities', { isSignedIn: true });
  await user.type(await screen.findByRole('textbox', { name: 'Community name' }), 'Kata');
  await user.click(screen.getByRole('button', { name: 'Create community' }));
  expect(await screen.findByText(sentence)).toBeInTheDocument();
});

test('the screen speaks Swahili', async () => {
  serveOwn([SCHOOL]);
  await renderScreen('/communities', { isSignedIn: true, language: 'sw' });
  expect(await screen.findByRole('heading', { level: 1, name: 'Jumuiya' })).toBeInTheDocument();
  expect(await screen.findByText('Ilianzishwa tarehe 1 Novemba 2026')).toBeInTheDocument();
  expect(screen.getByText('Msimbo wa kujiunga: ABCDE23456')).toBeInTheDocument();
});
