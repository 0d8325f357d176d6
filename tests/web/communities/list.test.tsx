import { screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { expect, test } from 'vitest';
import type { ApprovedCommunity } from '#contract/communities.ts';
import type { LiveMessage } from '#contract/live-messages.ts';
import { refuseWith, SCHOOL, serveOwn } from '#tests/web/support/communities.ts';
import { renderLive, serveLive } from '#tests/web/support/notices.tsx';
import { renderScreen } from '#tests/web/support/render-screen.tsx';
import { server } from '#tests/web/support/setup.ts';

const STAND: ApprovedCommunity = {
  id: 'stand',
  name: 'Stendi ya Mbezi',
  description: 'Madereva na abiria',
  member_count: 1,
  is_member: false,
  has_requested: false,
};
const MARKET: ApprovedCommunity = { ...STAND, id: 'market', name: 'Soko la Mbezi', description: '' };
const open = (path: string) => renderScreen(path, { isSignedIn: true });

/** Serves the approved communities, page by page. */
function serveListed(...pages: ApprovedCommunity[][]) {
  server.use(
    http.get('*/api/communities/approved', ({ request }) => {
      const index = Number(new URL(request.url).searchParams.get('cursor') ?? 0);
      const next = `</api/communities/approved?cursor=${index + 1}>; rel="next"`;
      return HttpResponse.json(pages[index], { headers: index + 1 < pages.length ? { Link: next } : {} });
    }),
  );
}

test('a visitor signs in from the communities page and returns to it', async () => {
  const { user, router } = await renderScreen('/communities?join=ABCDE23456');
  await user.click(
    within(await screen.findByRole('region', { name: 'Your Communities' })).getByRole('link', { name: 'Log in' }),
  );
  expect(router.state.location).toMatchObject({ pathname: '/login', state: { from: '/communities?join=ABCDE23456' } });
});

test('the communities page asks a user with an expired session to log in', async () => {
  server.use(http.get('*/api/communities', refuseWith(401, { code: 'unauthorized' })));
  const ended = await open('/communities');
  expect(await screen.findByText('You need to log in to view communities')).toBeInTheDocument();
  expect(screen.getByRole('textbox', { name: 'Search your communities' })).toBeDisabled();
  ended.unmount();
  serveOwn([SCHOOL]);
  await open('/communities');
  expect(await screen.findByRole('link', { name: SCHOOL.name })).toBeInTheDocument();
  expect(screen.queryByText('Please login to view and manage your communities.')).toBeNull();
  expect(screen.queryByText('You need to log in to view communities')).toBeNull();
  expect(screen.getByRole('textbox', { name: 'Search your communities' })).toBeEnabled();
});

test('a community’s card shows the description and when the community closes, and no access code if the server sends none', async () => {
  serveOwn([{ ...SCHOOL, closes_at: '2026-11-29T09:00:00.000Z', access_code: undefined as never }]);
  await open('/communities');
  const card = (await screen.findByRole('link', { name: SCHOOL.name })).closest('li') as HTMLElement;
  expect(card).toHaveTextContent('Wazazi na walimu');
  expect(card).toHaveTextContent('Closes on 29 November 2026');
  expect(card).not.toHaveTextContent('Access code');
});

test('a search without results in the user’s communities shows a message, and can be cleared', async () => {
  const searches = serveOwn([SCHOOL]);
  const { user } = await open('/communities');
  const card = await screen.findByRole('link', { name: SCHOOL.name });
  expect(screen.queryByText(/Closes on/)).toBeNull();
  const answered = Promise.withResolvers<void>();
  server.use(
    http.get('*/api/communities', async ({ request }) => {
      searches.push(new URL(request.url).searchParams.get('search') ?? '');
      await answered.promise;
      return HttpResponse.json([]);
    }),
  );
  await user.type(screen.getByRole('textbox', { name: 'Search your communities' }), ' soko ');
  await waitFor(() => expect(searches.at(-1)).toBe('soko'));
  expect(card.closest('ul')).toHaveAttribute('aria-busy', 'true');
  answered.resolve();
  expect(await screen.findByText('None of your communities matches your search.')).toBeInTheDocument();
  await user.click(screen.getByRole('button', { name: 'Clear the search' }));
  await waitFor(() =>
    expect(screen.getByRole('link', { name: SCHOOL.name }).closest('ul')).toHaveAttribute('aria-busy', 'false'),
  );
});

test('the directory of communities has a button for the next page, and announces how many communities it shows', async () => {
  serveListed([STAND], [MARKET]);
  const { user } = await open('/communities/find');
  const stand = await screen.findByRole('listitem');
  expect(within(stand).getByRole('heading', { name: 'Stendi ya Mbezi' })).toBeInTheDocument();
  expect(stand).toHaveTextContent('Madereva na abiria');
  expect(stand).toHaveTextContent('1 member');
  expect(screen.getByRole('status')).toHaveTextContent('1 community shown');
  expect(screen.getByRole('link', { name: 'Back to communities' })).toHaveAttribute('href', '/communities');
  await user.click(screen.getByRole('button', { name: 'Show more communities' }));
  expect(await screen.findByRole('heading', { name: 'Soko la Mbezi' })).toBeInTheDocument();
  expect(screen.getByRole('status')).toHaveTextContent('2 communities shown');
  expect(screen.queryByRole('button', { name: 'Show more communities' })).toBeNull();
});

test('an empty directory of communities shows a message that does not mention a search', async () => {
  serveListed([]);
  await open('/communities/find');
  expect(await screen.findByText('No community can be found by name yet.')).toBeInTheDocument();
  expect(screen.getByRole('status')).toHaveTextContent('0 communities shown');
  expect(screen.queryByRole('alert')).toBeNull();
});

test('the directory of communities shows an error if loading fails, and loads after a press on “Try again”', async () => {
  server.use(http.get('*/api/communities/approved', refuseWith(404, {})));
  const { user, container } = await open('/communities/find');
  expect(container.querySelector('main [aria-busy=true]')).toBeVisible();
  expect(await screen.findByRole('alert')).toHaveTextContent('Failed to fetch communities');
  expect(container.querySelector('main div[aria-busy=true]')).toBeNull();
  expect(screen.queryByText('No community can be found by name yet.')).toBeNull();
  serveListed([STAND]);
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByRole('heading', { name: 'Stendi ya Mbezi' })).toBeInTheDocument();
});

test('the directory of communities shows a waiting request to join, unless the user is already a member', async () => {
  serveListed([
    { ...STAND, has_requested: true },
    { ...MARKET, is_member: true, has_requested: true },
  ]);
  await open('/communities/find');
  const [stand, market] = await screen.findAllByRole('listitem');
  expect(stand).toHaveTextContent('We notify you when they accept you.');
  expect(within(stand as HTMLElement).queryByRole('link')).toBeNull();
  expect(market).not.toHaveTextContent('You have asked');
  expect(screen.queryByRole('button', { name: /Ask to join/ })).toBeNull();
});

test('the dialog for a request to join a community can be closed, and a double press sends one request', async () => {
  serveListed([STAND]);
  const answered = Promise.withResolvers<void>();
  let count = 0;
  server.use(
    http.post('*/api/communities/stand/join-requests', async () => {
      count++;
      await answered.promise;
      return HttpResponse.json({ community_id: 'stand', status: 'waiting' }, { status: 201 });
    }),
  );
  const { user } = await open('/communities/find');
  await user.click(await screen.findByRole('button', { name: 'Ask to join Stendi ya Mbezi' }));
  await user.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Cancel' }));
  expect(screen.queryByRole('dialog')).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Ask to join Stendi ya Mbezi' }));
  const dialog = within(screen.getByRole('dialog', { name: 'Ask to join “Stendi ya Mbezi”' }));
  expect(dialog.getByRole('textbox')).toHaveAccessibleDescription(/who you are/);
  await user.dblClick(dialog.getByRole('button', { name: 'Send' }));
  serveListed([{ ...STAND, has_requested: true }]);
  answered.resolve();
  expect(await screen.findByText(/You have asked to join “Stendi ya Mbezi”/)).toBeInTheDocument();
  await waitFor(() => expect(screen.getByRole('region', { name: 'Find a community' })).toHaveFocus());
  expect(count).toBe(1);
});

test('a request to join with a changed message has a new idempotency key', async () => {
  serveListed([STAND]);
  const keys: (string | null)[] = [];
  server.use(
    http.post('*/api/communities/stand/join-requests', ({ request }) => {
      keys.push(request.headers.get('Idempotency-Key'));
      return refuseWith(409, { detail: 'Bado.' })();
    }),
  );
  const { user } = await open('/communities/find');
  await user.click(await screen.findByRole('button', { name: 'Ask to join Stendi ya Mbezi' }));
  const dialog = within(screen.getByRole('dialog'));
  await user.click(dialog.getByRole('button', { name: 'Send' }));
  await dialog.findByRole('alert');
  await user.type(dialog.getByRole('textbox'), 'Dereva');
  await user.click(dialog.getByRole('button', { name: 'Send' }));
  await waitFor(() => expect(keys).toHaveLength(2));
  expect(keys[0]).not.toBe(keys[1]);
});

test('a visitor who searches for a community returns to the search after signing in', async () => {
  const { user, router } = await renderScreen('/communities/find?search=soko');
  await user.click(within(await screen.findByRole('main')).getByRole('link', { name: 'Log in' }));
  expect(router.state.location).toMatchObject({ pathname: '/login', state: { from: '/communities/find?search=soko' } });
});

test.each([['admin'], ['member']] as const)(
  'a suspended community’s %s sees “Suspended” on the community’s card',
  async (member_role) => {
    serveOwn([{ ...SCHOOL, member_role, is_suspended: true, suspension_reason: null }]);
    await open('/communities');
    const card = within((await screen.findByRole('link', { name: SCHOOL.name })).closest('li') as HTMLElement);
    expect(card.getByText('Suspended')).toBeInTheDocument();
    expect(card.queryByText('Approved')).toBeNull();
  },
);

const of = { id: 'n1', community_id: 'school', name: 'Shule ya Mbezi', created_at: '2026-11-21T05:05:00.000Z' };
const closes_at = '2026-11-29T09:00:00.000Z';

async function readNotice(message: LiveMessage, language: 'en' | 'sw') {
  const notice = { message, noticed_at: of.created_at, read_at: of.created_at, is_open: true };
  server.use(http.get('*/api/notices', () => HttpResponse.json({ unread_count: 0, notices: [notice] })));
  await renderScreen('/notices', { language, isSignedIn: true });
}

test.each([
  ['join_request', 'en', 'Somebody asks to join', 'See who asks', '/community-details/school?tab=members'],
  ['join_request', 'sw', 'Kuna mtu anaomba kujiunga', 'Tazama anayeomba', '/community-details/school?tab=members'],
  ['join_accepted', 'en', 'You have been accepted', 'Open the community', '/communities/school'],
  ['join_accepted', 'sw', 'Umekubaliwa kujiunga', 'Fungua jumuiya', '/communities/school'],
  [
    'community_without_admin',
    'en',
    'A community has no admin',
    'Choose an admin',
    '/admin?tab=approved&search=Shule+ya+Mbezi',
  ],
] as const)(
  'a notice of type %s in the language %s links to a page of the community or to the admin screen',
  async (type, language, title, link, address) => {
    await readNotice({ ...of, type }, language);
    const card = within((await screen.findByText(title)).closest('li') as HTMLElement);
    expect(card.getByText(/Shule ya Mbezi/)).toBeInTheDocument();
    expect(card.getByRole('link', { name: link })).toHaveAttribute('href', address);
  },
);

test.each([
  ['community_closing', 'en', closes_at, /“Shule ya Mbezi” closes on 29 November 2026/],
  ['community_closing', 'sw', closes_at, /“Shule ya Mbezi” itafungwa tarehe 29 Novemba 2026/],
  ['community_reopened', 'en', null, /“Shule ya Mbezi” does not close after all/],
  ['community_reopened', 'sw', null, /“Shule ya Mbezi” haifungwi tena/],
] as const)(
  'a notice of type %s in the language %s says when the community closes, or that the community stays open',
  async (type, language, time, sentence) => {
    await readNotice({ ...of, type, closes_at: time }, language);
    const card = within((await screen.findByText(sentence)).closest('li') as HTMLElement);
    expect(card.getByRole('link')).toHaveAttribute('href', '/communities/school');
  },
);

test.each([
  ['community_approved', null, 'Your community has its new name', '“Shule ya zamani” is now called “Shule ya Mbezi”.'],
  ['community_rejected', 'Si jina', 'The new name was not approved', 'Reason: Si jina'],
] as const)(
  'a notice of type %s says whether the community’s new name was approved',
  async (type, reason, title, sentence) => {
    await readNotice({ ...of, type, reason, former_name: 'Shule ya zamani' }, 'en');
    const card = within((await screen.findByText(title)).closest('li') as HTMLElement);
    expect(card.getByText(sentence)).toBeInTheDocument();
  },
);

const closing = { type: 'community_closing', closes_at } as const;
const suspended = { type: 'community_suspended', reason: 'Utapeli' } as const;

test.each([
  ['/communities/school', closing],
  ['/communities/school/desk', closing],
  ['/community-details/school', closing],
  ['/community-details/school', suspended],
] as const)(
  'a notice about a community opens no dialog on that community’s page: page %s, notice %o',
  async (path, message) => {
    const { heard, push } = serveLive();
    await renderLive({ path });
    await waitFor(() => expect(heard.connections).toHaveLength(1));
    push({ ...of, ...message });
    await waitFor(() => expect(heard.read).toEqual([{ ids: ['n1'] }]));
    expect(screen.queryByRole('dialog')).toBeNull();
    push({ ...of, ...message, id: 'n2', community_id: 'mosque' });
    expect(await screen.findByRole('dialog')).toBeInTheDocument();
  },
);
