import { act, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, test } from 'vitest';
import {
  MEMBERS,
  noteSteps,
  REQUEST,
  refuseWith,
  SCHOOL,
  serveOwn,
  serveSchool,
} from '#tests/web/support/communities.ts';
import { aFoundEntry, aPost, serveList, serveSearch } from '#tests/web/support/posts.ts';
import { renderScreen } from '#tests/web/support/render-screen.tsx';
import { server } from '#tests/web/support/setup.ts';
import { signInAs } from '#web/api/session.ts';
import { thingNumber } from '#web/communities/thing-number.ts';

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

test('a member becomes an admin after a confirmation that explains what admins may do', async () => {
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

test('after a member’s removal a dialog offers to make a new access code, and the focus leaves the removed row', async () => {
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

test('the last admin of a community sees why they cannot step down', async () => {
  signInAs({ token: 'a-token', userId: '1' });
  const { user } = await renderScreen('/community-details/school?tab=members');
  const dialog = await manage(user, 'Neema');
  expect(dialog.getByText(/You are the only admin of this community/)).toBeInTheDocument();
  expect(dialog.getAllByRole('button', { name: 'Close' })).toHaveLength(2);
  expect(dialog.queryByRole('button', { name: /Step down|Remove/ })).toBeNull();
});

test('handing over a community first makes another member an admin, then removes the user’s own admin role', async () => {
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
] as const)(
  'with the app in the language %s, an admin accepts or declines requests to join, and the focus stays in the list',
  async (language, title, button, { isAccepted }) => {
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
  },
);

test('the tab with a community’s posts shows how many people ask to join, and links to the requests', async () => {
  serveSchool({ waiting_requests: 2 });
  serveList('/posts', []);
  await open('posts');
  expect(await screen.findByText(/2 people ask to join/)).toBeInTheDocument();
  expect(screen.getByRole('link', { name: 'See who asks' })).toHaveAttribute(
    'href',
    '/community-details/school?tab=members',
  );
});

test('a community’s settings send only changed fields, and say that the community’s new name waits for approval', async () => {
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

test('a dialog asks for confirmation before a new access code is made, and “Cancel” keeps the current code', async () => {
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

test('closing a community explains what happens to the posts, and then shows the closing date', async () => {
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

test('if the request for a new access code gets no response, the dialog says that there was no answer', async () => {
  server.use(http.post('*/api/communities/school/access-code', () => HttpResponse.error()));
  const { user } = await open('settings');
  await user.click(await screen.findByRole('button', { name: 'Make a new one' }));
  const dialog = within(screen.getByRole('dialog'));
  await user.click(dialog.getByRole('button', { name: 'Make a new one' }));
  expect(await dialog.findByRole('alert')).toHaveTextContent('There was no answer.');
});

test('a community’s admin hides a post with a reason, and restores it without a reason', async () => {
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

test('the filters of a community’s posts are part of the URL, so that Back and shared links restore them', async () => {
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

test('a shared link sets the filters of a community’s posts, and clearing the filters keeps the tab and the search', async () => {
  const queries = serveList('/posts', []);
  const { user, router } = await open('posts&posted_by=finder&place=Mbezi&search=funguo&open=1');
  expect(await screen.findByText('No post of this community matches your search or filters.')).toBeInTheDocument();
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

test('an empty list of open posts does not say that nothing was ever posted', async () => {
  serveList('/posts', []);
  const { user } = await open('posts');
  expect(await screen.findByText('Nothing has been posted here yet.')).toBeInTheDocument();
  await user.click(screen.getByRole('switch', { name: 'Only open posts' }));
  expect(await screen.findByText('There is no open post here at the moment.')).toBeInTheDocument();
});

test('if the requests to join fail to load, the tab shows an error and still lists the members', async () => {
  server.use(http.get('*/api/communities/school/join-requests', refuseWith(403, { detail: 'Hapana' })));
  await open('members');
  expect(await screen.findByText('The requests to join could not be loaded.')).toBeInTheDocument();
  expect(await screen.findByText('Juma Hassan')).toBeInTheDocument();
});

describe('posts of a community', () => {
  const KEYS = aPost({
    id: 'keys',
    title: 'Funguo za gari',
    community_code: SCHOOL.community_code,
    community_name: SCHOOL.name,
  });
  const HIDDEN = { ...KEYS, is_hidden: true, hidden_by: ['community' as const], hidden_reason: 'Tangazo la biashara' };
  const open = (language: 'en' | 'sw' = 'en') =>
    renderScreen('/community-details/school?tab=posts', { isSignedIn: true, language });

  test('a post shows the six-digit number that is written on the thing, and omits the community’s name', async () => {
    serveList('/posts', [KEYS]);
    await open();
    const link = await screen.findByRole('link', { name: 'Funguo za gari' });
    expect(link).toHaveAttribute('href', '/posts/keys');
    const row = link.closest('li') as HTMLElement;
    expect(within(row).getByText(`No. ${thingNumber('keys')}`)).toBeInTheDocument();
    expect(row).not.toHaveTextContent(SCHOOL.name);
    expect(within(row).getByText('Kariakoo')).toBeInTheDocument();
    expect(screen.getByText('1 post shown')).toHaveAttribute('role', 'status');
  });

  test.each([
    ['en', 'Hide', 'Cancel', /Only its author and the admins/, 'The post is hidden. Its author has been notified.'],
    ['sw', 'Ficha', 'Ghairi', /Hakuna atakayeliona/, /Tangazo limefichwa/],
  ] as const)(
    'with the app in the language %s, a post is hidden only after a confirmation, and then a message appears',
    async (language, hide, cancel, text, done) => {
      serveList('/posts', [KEYS]);
      noteSteps();
      const { user } = await open(language);
      const button = await screen.findByRole('button', { name: hide });
      await user.click(button);
      const dialog = within(screen.getByRole('dialog'));
      expect(dialog.getByText(text)).toBeInTheDocument();
      await user.click(dialog.getByRole('button', { name: cancel }));
      expect(screen.queryByRole('dialog')).toBeNull();
      await user.click(button);
      await user.type(screen.getByRole('dialog').querySelector('textarea') as HTMLElement, 'Biashara');
      serveList('/posts', [HIDDEN]);
      await user.click(within(screen.getByRole('dialog')).getByRole('button', { name: hide }));
      expect(await screen.findByText(done)).toBeInTheDocument();
      await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
      expect(document.activeElement).toContainElement(screen.getByRole('link', { name: 'Funguo za gari' }));
      expect(await screen.findByText(/Tangazo la biashara/)).toBeInTheDocument();
    },
  );

  test('if the server refuses to hide a post, the dialog shows the reason; a double press sends one request', async () => {
    serveList('/posts', [KEYS]);
    const answered = Promise.withResolvers<void>();
    let count = 0;
    server.use(
      http.post('*/api/communities/school/posts/keys/hide', async () => {
        count++;
        await answered.promise;
        return refuseWith(404, { detail: 'Tangazo limefutwa.' })();
      }),
    );
    const { user } = await open();
    await user.click(await screen.findByRole('button', { name: 'Hide' }));
    const dialog = within(screen.getByRole('dialog'));
    await user.type(dialog.getByRole('textbox', { name: 'Reason' }), 'Biashara');
    expect(dialog.getByText('Say what is wrong and what would be better.')).toBeInTheDocument();
    await user.dblClick(dialog.getByRole('button', { name: 'Hide' }));
    answered.resolve();
    expect(await dialog.findByRole('alert')).toHaveTextContent('Tangazo limefutwa.');
    expect(count).toBe(1);
  });

  test('if the server refuses to restore a hidden post, the reason for the refusal appears, and a second try succeeds', async () => {
    serveList('/posts', [HIDDEN]);
    server.use(http.post('*/api/communities/school/posts/keys/restore', refuseWith(409, { detail: 'Siyo sasa.' })));
    const { user } = await open();
    await user.click(await screen.findByRole('button', { name: 'Show again' }));
    expect(await screen.findByRole('alert')).toHaveTextContent('Siyo sasa.');
    const answered = Promise.withResolvers<void>();
    let count = 0;
    server.use(
      http.post('*/api/communities/school/posts/keys/restore', async () => {
        count++;
        await answered.promise;
        return new HttpResponse(null, { status: 204 });
      }),
    );
    await user.dblClick(screen.getByRole('button', { name: 'Show again' }));
    serveList('/posts', [KEYS]);
    answered.resolve();
    expect(await screen.findByText('The post is shown again.')).toBeInTheDocument();
    await waitFor(() => expect(screen.getByRole('link', { name: 'Funguo za gari' }).closest('li')).toHaveFocus());
    await waitFor(() => expect(screen.queryByText(/Tangazo la biashara/)).toBeNull());
    expect(screen.queryByRole('alert')).toBeNull();
    expect(count).toBe(1);
  });

  test('a community’s admin cannot restore a post that a platform admin has hidden, and does not see the reason', async () => {
    serveList('/posts', [{ ...HIDDEN, hidden_by: ['admin'] }]);
    await open();
    expect(await screen.findByRole('button', { name: 'Hide' })).toBeInTheDocument();
    expect(screen.queryByRole('button', { name: 'Show again' })).toBeNull();
    expect(screen.queryByText(/Tangazo la biashara/)).toBeNull();
  });

  test('a list of posts that fails to load shows an error and can be retried', async () => {
    serveList('/posts', [KEYS]);
    server.use(http.get('*/api/posts', refuseWith(404, {})));
    const { user } = await open();
    expect(await screen.findByRole('alert')).toHaveTextContent('The posts could not be loaded.');
    expect(screen.queryByText('There is no open post here at the moment.')).toBeNull();
    expect(screen.queryByText(/posts? shown/)).toBeNull();
    serveList('/posts', [KEYS]);
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByRole('link', { name: 'Funguo za gari' })).toBeInTheDocument();
    expect(screen.queryByRole('alert')).toBeNull();
  });

  test('a button loads more posts, the URL contains the search, and another button clears the search', async () => {
    const queries = serveList('/posts', [KEYS], [aPost({ title: 'Mwavuli' })]);
    const { user, router } = await open();
    await user.click(await screen.findByRole('button', { name: 'Show more posts' }));
    expect(await screen.findByRole('link', { name: 'Mwavuli' })).toBeInTheDocument();
    expect(screen.getByText('2 posts shown')).toBeInTheDocument();
    expect(screen.queryByRole('button', { name: 'Show more posts' })).toBeNull();
    serveList('/posts', []);
    await user.type(screen.getByRole('textbox', { name: 'Search these posts' }), 'kofia');
    expect(await screen.findByText('No post of this community matches your search or filters.')).toBeInTheDocument();
    expect(router.state.location.search).toBe('?tab=posts&search=kofia');
    expect(screen.getByText('0 posts shown')).toBeInTheDocument();
    serveList('/posts', [KEYS]);
    await user.click(screen.getByRole('button', { name: 'Clear the search' }));
    expect(await screen.findByRole('link', { name: 'Funguo za gari' })).toBeInTheDocument();
    expect(queries).toHaveLength(2);
  });

  test('a search in a community has a separate heading for posts that use other words for the searched thing', async () => {
    const reason = { kind: 'item', en: 'keys', sw: 'funguo' } as const;
    serveSearch([
      { Post: aPost({ title: 'Car keys' }), found_by: 'words' },
      aFoundEntry('meaning', 'Funguo', [reason]),
    ]);
    await renderScreen('/community-details/school?tab=posts&search=keys', { isSignedIn: true });
    expect(await screen.findByRole('heading', { level: 2, name: 'The same in other words' })).toBeInTheDocument();
    expect(screen.getByText('funguo = keys')).toBeInTheDocument();
    expect(screen.getByText('1 with these words, 1 in other words, 0 close to it')).toHaveAttribute('role', 'status');
  });
});
