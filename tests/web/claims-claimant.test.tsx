import { screen, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { expect, test } from 'vitest';
import { queryClient } from '#web/lib/query-client.ts';
import { aClaim, openClaim, serveClaim, step } from './support/claims.ts';
import { refuse } from './support/posts.ts';
import { renderScreen } from './support/render-screen.tsx';
import { server } from './support/setup.ts';

const MINE = { role: 'claimant', other_name: 'John Mrema' } as const;
const ASKED = {
  from: 'finder',
  text: 'Rangi gani?',
  is_about_money: false,
  created_at: '2026-11-22T06:00:00Z',
} as const;

test.each([
  ['en', 'waiting', /^The finder compares your answer/],
  ['sw', 'waiting', /^Aliyekiokota analinganisha jibu lako/],
  ['en', 'declined', 'The finder says that it is not yours. They do not have to say why.'],
  ['sw', 'declined', 'Aliyekiokota amesema si chako. Halazimiki kusema kwa nini.'],
  ['en', 'withdrawn', 'You withdrew your claim.'],
  ['sw', 'closed', /^Dai hili limefungwa/],
] as const)('to the claimant it says in %s that the claim is %s', async (language, status, text) => {
  serveClaim(aClaim({ ...MINE, status }));
  await openClaim(language);
  expect(await screen.findByText(text)).toBeInTheDocument();
  expect(screen.getByText('Picha ya mwanangu')).toBeInTheDocument();
});

test('a question is replied to, and what is typed outlasts a reload', async () => {
  const { taken } = serveClaim(aClaim({ ...MINE, status: 'asked', messages: [ASKED] }), {
    reply: { status: 'waiting', messages: [ASKED, { ...ASKED, from: 'claimant', text: 'Mwekundu' }] },
  });
  const before = await openClaim();
  await before.user.type(await screen.findByLabelText('Your reply'), 'Mwek');
  before.unmount();
  const { user } = await openClaim();
  const reply = await screen.findByLabelText('Your reply');
  expect(reply).toHaveValue('Mwek');
  await user.type(reply, 'undu');
  await user.dblClick(screen.getByRole('button', { name: 'Send the reply' }));
  expect(await screen.findByText(/^The finder compares your answer/)).toBeInTheDocument();
  expect(screen.getByRole('log')).toHaveTextContent('Mwekundu');
  expect(screen.queryByLabelText('Your reply')).toBeNull();
  expect(taken).toEqual([{ name: 'reply', body: { text: 'Mwekundu' } }]);
});

test.each([
  ['en', 'Your hand-over code', /once you hold the item in your hands/, /^Never pay first/],
  ['sw', 'Namba yako ya makabidhiano', /ukishakishika kitu chako/, /^Kamwe usilipe kwanza/],
] as const)(
  'an accepted claim shows the number, the code and how to meet, in %s',
  async (language, title, when, pay) => {
    serveClaim(aClaim({ ...MINE, status: 'accepted', phone_number: '0754321987', handover_code: '042931' }));
    await openClaim(language);
    const code = await screen.findByRole('region', { name: title });
    expect(within(code).getByText('042931')).toBeInTheDocument();
    expect(within(code).getByText('0 4 2 9 3 1')).toBeInTheDocument();
    expect(within(code).getByText(when)).toBeInTheDocument();
    expect(screen.getByText('0754321987')).toBeInTheDocument();
    expect(screen.getByText(pay)).toBeInTheDocument();
  },
);

test('a claim is taken back after a question, once', async () => {
  const { taken } = serveClaim(aClaim({ ...MINE }), { withdraw: { status: 'withdrawn' } });
  const { user, router } = await openClaim();
  await user.click(await screen.findByRole('button', { name: 'Withdraw my claim' }));
  expect(router.state.location.search).toBe('?withdraw=claim-1');
  const dialog = within(screen.getByRole('dialog', { name: 'Withdraw your claim?' }));
  await user.click(dialog.getByRole('button', { name: 'Cancel' }));
  expect(screen.getByRole('button', { name: 'Withdraw my claim' })).toHaveFocus();
  await user.click(screen.getByRole('button', { name: 'Withdraw my claim' }));
  await user.dblClick(screen.getByRole('button', { name: 'Withdraw the claim' }));
  expect(await screen.findByText('You withdrew your claim.')).toBeInTheDocument();
  expect(taken).toEqual([{ name: 'withdraw', body: null }]);
});

test('both read what has happened, each in their own words', async () => {
  const history = [
    step('claim', 'claimant'),
    step('ask', 'finder'),
    step('reply', 'claimant'),
    step('accept', 'finder'),
  ];
  const words = async (role: 'finder' | 'claimant') => {
    serveClaim(aClaim({ role, status: 'accepted', history }));
    const { unmount } = await openClaim();
    const part = await screen.findByRole('region', { name: 'History' });
    const texts = within(part)
      .getAllByRole('listitem')
      .map((item) => item.firstElementChild?.textContent);
    unmount();
    queryClient.clear();
    return texts;
  };
  expect(await words('finder')).toEqual([
    'They said that it is theirs',
    'You asked',
    'They replied',
    'You said that it is theirs',
  ]);
  expect(await words('claimant')).toEqual([
    'You said that it is yours',
    'The finder asked',
    'You replied',
    'The finder said that it is yours',
  ]);
});

test('a claim that is not the reader’s is not there', async () => {
  server.use(http.get('*/api/claims/:id', () => refuse(404, 'claim_not_found', 'This claim does not exist.')));
  await openClaim();
  expect(await screen.findByRole('heading', { name: 'This claim does not exist.' })).toBeInTheDocument();
});

test('a visitor is led to the sign-in and back to the claim', async () => {
  const { user, router } = await renderScreen('/claims/claim-1');
  await user.click(within(screen.getByRole('main')).getByRole('link', { name: 'Login' }));
  expect(router.state.location).toMatchObject({ pathname: '/login', state: { from: '/claims/claim-1' } });
});

test('a claim is reported, and the other one blocked, which closes it', async () => {
  const { taken, change } = serveClaim(aClaim({ ...MINE }), {
    reports: () => HttpResponse.json({ id: 'ripoti' }, { status: 201 }),
    block: () => new HttpResponse(null, { status: 204 }),
  });
  const { user } = await openClaim();
  await user.click(await screen.findByRole('button', { name: 'Report this claim' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Report this claim' }));
  await user.click(dialog.getByRole('radio', { name: 'Somebody is trying to cheat people' }));
  await user.dblClick(dialog.getByRole('button', { name: 'Send the report' }));
  expect(await dialog.findByText('Thank you. The admins will look at this claim.')).toBeInTheDocument();
  await user.click(dialog.getAllByRole('button', { name: 'Close' }).at(-1) as HTMLElement);

  await user.click(screen.getByRole('button', { name: 'Block this person' }));
  const block = within(await screen.findByRole('dialog', { name: 'Block this person?' }));
  change({ status: 'closed' });
  await user.click(block.getByRole('button', { name: 'Block' }));
  expect(await block.findByText('This person is blocked.')).toBeInTheDocument();
  expect(await screen.findByText(/^This claim is closed/)).toBeInTheDocument();
  expect(taken.map(({ name }) => name)).toEqual(['reports', 'block']);
});

test.each([
  ['en', 'Paused: the post is hidden', 'Send the reply'],
  ['sw', 'Limesitishwa: tangazo limefichwa', 'Tuma jibu'],
] as const)(
  'a paused claim tells the claimant so in %s, and a question can still be replied to',
  async (language, title, send) => {
    serveClaim(aClaim({ ...MINE, status: 'asked', messages: [ASKED], is_paused: true }));
    await openClaim(language);
    const paused = within(await screen.findByRole('region', { name: title }));
    expect(paused.getByRole('button', { name: send })).toBeInTheDocument();
    // The post is absent for its claimant.
    expect(screen.queryByRole('link', { name: /See the post|Tazama tangazo/ })).toBeNull();
  },
);
