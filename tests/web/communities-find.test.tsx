import { act, screen, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { expect, test } from 'vitest';
import type { ApprovedCommunity } from '#contract/communities.ts';
import { refuse } from './support/communities.ts';
import { renderScreen } from './support/render-screen.tsx';
import { server } from './support/setup.ts';

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

test('a community is found by name, and the search stands in the address', async () => {
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
  'in %s a sentence asks to join, once, and the answer is waited for',
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

test('Back closes the question to a community, whose answer then leads nowhere', async () => {
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
])('a refusal with %i says why', async (status, detail) => {
  serveListed(STAND);
  server.use(http.post('*/api/communities/stand/join-requests', refuse(status, { detail })));
  const { user } = await open();
  await user.click(await screen.findByRole('button', { name: 'Ask to join Stendi ya Mbezi' }));
  await user.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Send' }));
  expect(await screen.findByRole('alert')).toHaveTextContent(detail);
});

test('a member goes in instead of asking, and nothing found says what else there is', async () => {
  serveListed({ ...STAND, is_member: true });
  const first = await open();
  expect(await screen.findByRole('link', { name: 'Open the community' })).toHaveAttribute('href', '/communities/stand');
  first.unmount();
  serveListed();
  await renderScreen('/communities/find?search=soko', { isSignedIn: true });
  expect(await screen.findByText('No community with that name was found.')).toBeInTheDocument();
  expect(screen.getByText(/Ask one of the members for the access code/)).toBeInTheDocument();
});

test('a visitor signs in first', async () => {
  await renderScreen('/communities/find');
  expect(await screen.findByText('You need to log in to view communities')).toBeInTheDocument();
});
