import { act, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, expect, test } from 'vitest';
import { signInAs } from '#web/lib/session.ts';
import { MEMBERS, noteSteps, REQUEST, refuse, SCHOOL, serveOwn, serveSchool } from './support/communities.ts';
import { aPost, serveList } from './support/posts.ts';
import { renderScreen } from './support/render-screen.tsx';
import { server } from './support/setup.ts';

const open = (tab: string, language: 'en' | 'sw' = 'en') =>
  renderScreen(`/community-details/school?tab=${tab}`, { isSignedIn: true, language });

beforeEach(() => {
  serveSchool();
  serveOwn([SCHOOL]);
});

async function manage(user: Awaited<ReturnType<typeof open>>['user'], name: string) {
  await user.click(await screen.findByRole('button', { name: `Change what ${name} may do` }));
  return within(screen.getByRole('dialog'));
}

test('a member is made an admin once it is said what that means', async () => {
  const steps = noteSteps(() => HttpResponse.json({ ...MEMBERS[1], role: 'admin' }));
  const { user } = await open('members');
  const choices = await manage(user, 'Juma Hassan');
  await user.click(choices.getByRole('button', { name: 'Make an admin' }));
  const question = within(screen.getByRole('dialog', { name: 'Make Juma Hassan an admin?' }));
  expect(question.getByText(/will see the access code/)).toBeInTheDocument();
  expect(steps).toEqual([]);
  await user.click(question.getByRole('button', { name: 'Make an admin' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(steps).toEqual([['PUT', '/members/2/role', { role: 'admin' }]]);
});

test('after a removal a new code is offered, and the focus is not lost with the row', async () => {
  const steps = noteSteps();
  const { user } = await open('members');
  const choices = await manage(user, 'Juma Hassan');
  await user.click(choices.getByRole('button', { name: 'Remove from the community' }));
  const question = within(screen.getByRole('dialog', { name: 'Remove Juma Hassan?' }));
  serveSchool({}, [], MEMBERS.slice(0, 1));
  await user.click(question.getByRole('button', { name: 'Remove' }));
  const offer = within(await screen.findByRole('dialog', { name: 'Make a new access code?' }));
  expect(offer.getByText(/Juma Hassan has been removed, but still knows the access code/)).toBeInTheDocument();
  expect(offer.getByText(/stop working at once/)).toBeInTheDocument();
  server.use(http.post('*/api/communities/school/access-code', () => HttpResponse.json({ access_code: 'NEWCQDE234' })));
  await user.click(offer.getByRole('button', { name: 'Make a new one' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await waitFor(() => expect(screen.queryByText('Juma Hassan')).toBeNull());
  expect(document.activeElement).not.toBe(document.body);
  expect(steps).toEqual([['DELETE', '/members/2']]);
});

test('the last admin is told why they cannot step down', async () => {
  signInAs({ token: 'a-token', userId: '1' });
  const { user } = await renderScreen('/community-details/school?tab=members');
  const dialog = await manage(user, 'Neema');
  expect(dialog.getByText(/You are the only admin of this community/)).toBeInTheDocument();
  expect(dialog.getAllByRole('button', { name: 'Close' })).toHaveLength(2);
  expect(dialog.queryByRole('button', { name: /Step down|Remove/ })).toBeNull();
});

test('to hand over is to make another an admin first, and to be none then', async () => {
  const steps = noteSteps(() => HttpResponse.json(MEMBERS[1]));
  serveList('/posts', []);
  const { user, router } = await open('members');
  const choices = await manage(user, 'Juma Hassan');
  await user.click(choices.getByRole('button', { name: 'Hand the community over' }));
  await user.click(screen.getByRole('button', { name: 'Hand it over' }));
  await waitFor(() => expect(router.state.location.pathname).toBe('/communities/school'));
  expect(steps).toEqual([
    ['PUT', '/members/2/role', { role: 'admin' }],
    ['PUT', '/members/me/role', { role: 'member' }],
  ]);
});

test.each([
  ['en', 'Requests to join', 'Accept', { isAccepted: true }],
  ['sw', 'Maombi ya kujiunga', 'Mkatae', { isAccepted: false }],
] as const)('in %s who asks is let in or not, and the focus stays', async (language, title, button, { isAccepted }) => {
  serveSchool({ waiting_requests: 1 }, [REQUEST]);
  const steps = noteSteps();
  const { user } = await open('members', language);
  const requests = within(await screen.findByRole('region', { name: title }));
  expect(await requests.findByText('Rehema')).toBeInTheDocument();
  expect(requests.getByText('Mimi ni mzazi wa darasa la pili.')).toBeInTheDocument();
  serveSchool();
  await user.click(requests.getByRole('button', { name: button }));
  await waitFor(() => expect(screen.queryByText('Rehema')).toBeNull());
  expect(steps).toEqual([['POST', `/join-requests/3/${isAccepted ? 'accept' : 'decline'}`]]);
  expect(document.activeElement).not.toBe(document.body);
});

test('that somebody asks is said on the other tabs, with the way there', async () => {
  serveSchool({ waiting_requests: 2 });
  serveList('/posts', []);
  await open('posts');
  expect(await screen.findByText(/2 people ask to join/)).toBeInTheDocument();
  expect(screen.getByRole('link', { name: 'See who asks' })).toHaveAttribute(
    'href',
    '/community-details/school?tab=members',
  );
});

test('the settings send what was changed alone, and say that a new name waits', async () => {
  const steps = noteSteps(() => HttpResponse.json(SCHOOL));
  const { user } = await open('settings');
  const name = await screen.findByRole('textbox', { name: 'Community name' });
  await user.clear(name);
  await user.type(name, 'Shule ya Mbezi Juu');
  expect(screen.getByText(/We check every new name before it is shown/)).toBeInTheDocument();
  await user.click(screen.getByRole('checkbox', { name: 'People can find it by name' }));
  serveSchool({ pending_name: 'Shule ya Mbezi Juu', is_listed: false });
  await user.click(screen.getByRole('button', { name: 'Save' }));
  expect(
    await screen.findByText(
      `The name “Shule ya Mbezi Juu” waits for approval. Until then the community is called “${SCHOOL.name}”.`,
    ),
  ).toBeInTheDocument();
  expect(steps).toEqual([['PATCH', '', { name: 'Shule ya Mbezi Juu', is_listed: false }]]);
});

test('a new code asks first, says what it ends, and can be left', async () => {
  const steps = noteSteps(() => HttpResponse.json({ access_code: 'NEWCQDE234' }));
  const { user } = await open('settings');
  await user.click(await screen.findByRole('button', { name: 'Make a new one' }));
  const dialog = within(screen.getByRole('dialog', { name: 'Make a new access code?' }));
  await user.click(dialog.getByRole('button', { name: 'Cancel' }));
  expect(steps).toEqual([]);
  await user.click(screen.getByRole('button', { name: 'Make a new one' }));
  await user.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Make a new one' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(steps).toEqual([['POST', '/access-code']]);
});

test('closing says what becomes of the posts, and stands on the page then', async () => {
  const steps = noteSteps(() => HttpResponse.json({ closes_at: '2026-11-29T09:00:00.000Z' }, { status: 202 }));
  const { user } = await open('settings');
  await user.click(await screen.findByRole('button', { name: 'Close the community' }));
  const dialog = within(screen.getByRole('dialog', { name: `Close “${SCHOOL.name}”?` }));
  expect(dialog.getByText(/It closes in 7 days.*only the author of a post still sees it/)).toBeInTheDocument();
  serveSchool({ closes_at: '2026-11-29T09:00:00.000Z' });
  await user.click(dialog.getByRole('button', { name: 'Close it' }));
  expect(await screen.findByText(/This community closes on 29 November 2026/)).toBeInTheDocument();
  expect(screen.queryByRole('button', { name: 'Close the community' })).toBeNull();
  expect(steps).toEqual([['DELETE', '']]);
});

test('a step without an answer says that there was none', async () => {
  server.use(http.post('*/api/communities/school/access-code', () => HttpResponse.error()));
  const { user } = await open('settings');
  await user.click(await screen.findByRole('button', { name: 'Make a new one' }));
  const dialog = within(screen.getByRole('dialog'));
  await user.click(dialog.getByRole('button', { name: 'Make a new one' }));
  expect(await dialog.findByRole('alert')).toHaveTextContent('There was no answer.');
});

test('a post is hidden with a reason, and shown again without', async () => {
  const post = aPost({ id: 'p1', title: 'Tangazo baya', community_code: SCHOOL.community_code });
  serveList('/posts', [post]);
  const steps = noteSteps();
  const { user } = await open('posts');
  await user.click(await screen.findByRole('button', { name: 'Hide' }));
  const dialog = within(screen.getByRole('dialog', { name: 'Hide “Tangazo baya”?' }));
  await user.click(dialog.getByRole('button', { name: 'Hide' }));
  expect(dialog.getByText('Reason is required')).toBeInTheDocument();
  await user.type(dialog.getByRole('textbox', { name: 'Reason' }), 'Si kitu kilichopotea');
  serveList('/posts', [{ ...post, is_hidden: true, hidden_by: ['community'], hidden_reason: 'Si kitu kilichopotea' }]);
  await user.click(dialog.getByRole('button', { name: 'Hide' }));
  expect(await screen.findByText('Hidden because: Si kitu kilichopotea')).toBeInTheDocument();
  serveList('/posts', [post]);
  await user.click(screen.getByRole('button', { name: 'Show again' }));
  expect(await screen.findByRole('button', { name: 'Hide' })).toBeInTheDocument();
  expect(steps).toEqual([
    ['POST', '/posts/p1/hide', { reason: 'Si kitu kilichopotea' }],
    ['POST', '/posts/p1/restore', { reason: null }],
  ]);
});

test('the posts are narrowed as the feed is: by the address, which going back and a shared link keep', async () => {
  const queries = serveList('/posts', [aPost({ title: 'Funguo', community_code: SCHOOL.community_code })]);
  const { user, router } = await open('posts');
  await screen.findByRole('link', { name: 'Funguo' });
  await user.click(screen.getByRole('button', { name: 'Filters' }));
  await user.selectOptions(await screen.findByRole('combobox', { name: 'Kind of item' }), 'Keys');
  await user.selectOptions(screen.getByRole('combobox', { name: 'Posted' }), 'Today');
  await waitFor(() => expect(router.state.location.search).toBe('?tab=posts&kind=key&days=1'));
  const today = new Intl.DateTimeFormat('en-CA', { timeZone: 'Africa/Dar_es_Salaam' }).format();
  await waitFor(() =>
    expect(Object.fromEntries(queries.at(-1) ?? [])).toEqual({
      community_code: 'MBEZ2345',
      kind: 'key',
      since: today,
      limit: '20',
    }),
  );
  expect(screen.getByRole('button', { name: 'Filters (2)' })).toBeVisible();
  await act(() => router.navigate(-1));
  expect(router.state.location.search).toBe('?tab=posts&kind=key');
  expect(screen.getByRole('combobox', { name: 'Posted' })).toHaveValue('');
});

test('a shared link has its filters set, and they can be cleared at once without leaving the tab', async () => {
  const queries = serveList('/posts', []);
  const { user, router } = await open('posts&posted_by=finder&place=Mbezi&search=funguo&open=1');
  expect(await screen.findByText('No post of this community matches what you chose.')).toBeInTheDocument();
  expect(Object.fromEntries(queries[0] ?? [])).toEqual({
    search: 'funguo',
    community_code: 'MBEZ2345',
    posted_by: 'finder',
    place: 'Mbezi',
    open: '1',
    limit: '20',
  });
  expect(screen.getByRole('textbox', { name: 'Search these posts' })).toHaveValue('funguo');
  await user.click(screen.getByRole('button', { name: 'Clear all' }));
  expect(router.state.location.search).toBe('?tab=posts&search=funguo');
});

test('a list of open posts that is empty does not say that there never was one', async () => {
  serveList('/posts', []);
  const { user } = await open('posts');
  expect(await screen.findByText('Nothing has been posted here yet.')).toBeInTheDocument();
  await user.click(screen.getByRole('switch', { name: 'Only open ones' }));
  expect(await screen.findByText('There is no open post here at the moment.')).toBeInTheDocument();
});

test('requests that cannot be read are said to be missing', async () => {
  server.use(http.get('*/api/communities/school/join-requests', refuse(403, { detail: 'Hapana' })));
  await open('members');
  expect(await screen.findByText('The requests to join could not be loaded.')).toBeInTheDocument();
  expect(await screen.findByText('Juma Hassan')).toBeInTheDocument();
});
