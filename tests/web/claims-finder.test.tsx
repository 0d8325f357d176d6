import { screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { expect, test } from 'vitest';
import { aClaim, openClaim, serveClaim, step } from './support/claims.ts';
import { refuse } from './support/posts.ts';
import { server } from './support/setup.ts';

test.each([
  [
    'en',
    ['It is theirs', /You see each other’s phone numbers/],
    ['Not sure, ask', /They read your question/],
    ['Not theirs', /Until then you can undo it/],
  ],
  [
    'sw',
    ['Ni chake', /Kila mmoja wenu ataona namba/],
    ['Sina uhakika, uliza', /Atasoma swali lako/],
    ['Si chake', /Kabla ya hapo unaweza kutendua/],
  ],
] as const)(
  'the finder has three answers, first in the tab order and each with what follows, in %s',
  async (language, ...answers) => {
    serveClaim(aClaim());
    const { user } = await openClaim(language);
    expect(await screen.findByText('Picha ya mtoto na ufunguo')).toBeInTheDocument();
    expect(screen.getByText('Picha ya mwanangu')).toBeInTheDocument();
    screen.getByRole('main').focus();
    for (const [name, consequence] of answers) {
      await user.tab();
      const button = screen.getByRole('button', { name });
      expect(button).toHaveFocus();
      expect(button).toHaveAccessibleDescription(consequence);
    }
  },
);

test('"it is theirs" is sent once, and shows the number, how to meet and where the code goes', async () => {
  const { taken } = serveClaim(aClaim(), {
    accept: {
      status: 'accepted',
      phone_number: '+255754321987',
      history: [step('claim', 'claimant'), step('accept', 'finder')],
    },
  });
  const { user } = await openClaim();
  await user.dblClick(await screen.findByRole('button', { name: 'It is theirs' }));
  const standing = await screen.findByRole('region', { name: 'You said that it is theirs' });
  expect(standing).toHaveFocus();
  expect(within(standing).getByText('+255754321987')).toBeInTheDocument();
  expect(within(standing).getByRole('link', { name: 'Call' })).toHaveAttribute('href', 'tel:+255754321987');
  expect(within(standing).getByRole('link', { name: 'WhatsApp' })).toHaveAttribute(
    'href',
    expect.stringContaining('wa.me/255754321987'),
  );
  expect(within(standing).getByText(/^Never pay first/)).toBeInTheDocument();
  expect(within(standing).getByLabelText('The owner’s hand-over code')).toBeInTheDocument();
  expect(taken).toEqual([{ name: 'accept', body: null }]);
});

test('a question is written in the place of its button, kept when it is put off, and sent', async () => {
  const asked = {
    from: 'finder',
    text: 'Rangi gani?',
    is_about_money: false,
    created_at: '2026-11-22T06:00:00Z',
  } as const;
  const { taken } = serveClaim(aClaim(), { ask: { status: 'asked', messages: [asked] } });
  const { user } = await openClaim();
  await user.click(await screen.findByRole('button', { name: 'Not sure, ask' }));
  expect(screen.getByLabelText('Your question')).toHaveFocus();
  await user.type(screen.getByLabelText('Your question'), 'Rangi gani?');
  await user.click(screen.getByRole('button', { name: 'Cancel' }));
  expect(screen.getByRole('button', { name: 'Not sure, ask' })).toHaveFocus();
  await user.click(screen.getByRole('button', { name: 'Not sure, ask' }));
  expect(screen.getByLabelText('Your question')).toHaveValue('Rangi gani?');
  await user.dblClick(screen.getByRole('button', { name: 'Send the question' }));
  expect(await screen.findByText(/^Your question has been sent/)).toBeInTheDocument();
  expect(screen.getByRole('log')).toHaveTextContent('Rangi gani?');
  expect(screen.queryByRole('button', { name: 'Not sure, ask' })).toBeNull();
  expect(taken).toEqual([{ name: 'ask', body: { text: 'Rangi gani?' } }]);
});

test('after four questions there is none left to ask', async () => {
  const history = [step('claim', 'claimant'), ...Array.from({ length: 4 }, () => step('ask', 'finder'))];
  serveClaim(aClaim({ history }));
  await openClaim();
  expect(await screen.findByText(/^You have asked four times/)).toBeInTheDocument();
  expect(screen.queryByRole('button', { name: 'Not sure, ask' })).toBeNull();
});

test('"not theirs" can be taken back while it counts down', async () => {
  const declined = [step('claim', 'claimant'), step('decline', 'finder', new Date().toISOString())];
  const { taken } = serveClaim(aClaim(), {
    decline: { status: 'declined', history: declined },
    undo: { status: 'waiting', history: [...declined, step('undo', 'finder')] },
  });
  const { user } = await openClaim();
  await user.click(await screen.findByRole('button', { name: 'Not theirs' }));
  expect(await screen.findByRole('timer')).toHaveTextContent(/^They are notified in (10:00|09:5\d)\.$/);
  await user.click(screen.getByRole('button', { name: 'Undo' }));
  expect(await screen.findByRole('button', { name: 'It is theirs' })).toBeInTheDocument();
  expect(taken.map(({ name }) => name)).toEqual(['decline', 'undo']);
});

test.each([
  ['ten minutes ago', 10 * 60_000, []],
  ['a moment ago of what was accepted before', 0, [step('accept', 'finder')]],
] as const)('what was declined %s cannot be taken back', async (_when, agoMs, before) => {
  const at = new Date(Date.now() - agoMs).toISOString();
  const history = [step('claim', 'claimant'), ...before, step('decline', 'finder', at)];
  serveClaim(aClaim({ status: 'declined', history }));
  await openClaim();
  expect(await screen.findByText('They have been notified, without a reason.')).toBeInTheDocument();
  expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull();
});

test('the countdown follows the server’s clock and not a phone that is an hour late', async () => {
  const serverNow = Date.now() + 3_600_000;
  const declinedAt = new Date(serverNow - 4 * 60_000).toISOString();
  const claim = aClaim({ status: 'declined', history: [step('decline', 'finder', declinedAt)] });
  const headers = { Date: new Date(serverNow).toUTCString() };
  server.use(http.get('*/api/claims/:id', () => HttpResponse.json(claim, { headers })));
  await openClaim();
  expect(await screen.findByRole('timer')).toHaveTextContent(/^They are notified in 0(6:0\d|5:5\d)\.$/);
});

test('a step that came too late says so, and shows how the claim stands', async () => {
  const { change } = serveClaim(aClaim(), { accept: () => refuse(409, 'wrong_state', 'This is no longer open.') });
  const { user } = await openClaim();
  const accept = await screen.findByRole('button', { name: 'It is theirs' });
  change({ status: 'withdrawn' });
  await user.click(accept);
  expect(await screen.findByText('They withdrew their claim.')).toBeInTheDocument();
});

test('a step that got no answer can be tried again', async () => {
  let isDown = true;
  serveClaim(aClaim(), {
    accept: () => (isDown ? HttpResponse.error() : HttpResponse.json(aClaim({ status: 'accepted' }))),
  });
  const { user } = await openClaim('sw');
  await user.click(await screen.findByRole('button', { name: 'Ni chake' }));
  expect(await screen.findByRole('alert')).toHaveTextContent(/^Seva haijajibu/);
  isDown = false;
  await user.click(screen.getByRole('button', { name: 'Ni chake' }));
  expect(await screen.findByRole('heading', { name: 'Umesema kuwa ni chake' })).toBeInTheDocument();
});

test('a message about money has a warning above it, and the log reads out what is added', async () => {
  const said = (text: string, is_about_money: boolean) =>
    ({ from: 'claimant', text, is_about_money, created_at: '2026-11-22T06:00:00Z' }) as const;
  const { change } = serveClaim(aClaim({ messages: [said('Mwekundu', false)] }));
  await openClaim();
  const log = await screen.findByRole('log');
  expect(log).toHaveTextContent('Asha Mwenye');
  expect(screen.queryByText(/^This mentions money/)).toBeNull();
  change({ messages: [said('Mwekundu', false), said('Nitatuma nauli', true)] });
  document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));
  expect(await within(log).findByText('Nitatuma nauli')).toBeInTheDocument();
  expect(within(log).getByText(/^This mentions money/)).toBeInTheDocument();
  expect(within(log).getAllByRole('article')).toHaveLength(2);
});

test('who wrote down no marks is told so', async () => {
  serveClaim(aClaim({ private_marks: null, question: null }));
  await openClaim();
  expect(await screen.findByText('You did not write down any private marks.')).toBeInTheDocument();
});

test.each([
  ['withdrawn', 'They withdrew their claim.'],
  ['closed', /^This claim is closed/],
] as const)('a claim that is %s says so and asks for nothing', async (status, text) => {
  serveClaim(aClaim({ status }));
  await openClaim();
  expect(await screen.findByText(text)).toBeInTheDocument();
  expect(screen.queryByRole('button', { name: 'It is theirs' })).toBeNull();
});

test('what was accepted can be refused at once, after a question', async () => {
  const { taken } = serveClaim(aClaim({ status: 'accepted', phone_number: '0712345678' }), {
    decline: { status: 'declined', phone_number: null, history: [step('accept', 'finder'), step('decline', 'finder')] },
  });
  const { user } = await openClaim();
  await user.click(await screen.findByRole('button', { name: 'It is not theirs after all' }));
  const dialog = screen.getByRole('dialog', { name: 'Is it not theirs after all?' });
  expect(taken).toEqual([]);
  await user.dblClick(within(dialog).getByRole('button', { name: 'Not theirs' }));
  expect(await screen.findByText('They have been notified, without a reason.')).toBeInTheDocument();
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(screen.queryByText('0712345678')).toBeNull();
  expect(taken).toHaveLength(1);
});

test.each([
  ['en', /^You have already accepted another claim/, 'See the accepted claim', 'Not theirs', 'It is theirs'],
  ['sw', /^Umeshakubali dai jingine/, 'Tazama dai ulilokubali', 'Si chake', 'Ni chake'],
] as const)(
  'beside an accepted claim no other can be accepted, in %s',
  async (language, text, see, decline, accept) => {
    serveClaim(aClaim());
    const others = [
      aClaim(),
      aClaim({ id: 'claim-2', post_id: 'post-2', status: 'accepted' }),
      aClaim({ id: 'claim-3', status: 'accepted' }),
    ];
    server.use(http.get('*/api/claims', () => HttpResponse.json(others)));
    await openClaim(language);
    expect(await screen.findByText(text)).toBeInTheDocument();
    expect(screen.getByRole('link', { name: see })).toHaveAttribute('href', '/claims/claim-3');
    expect(screen.queryByRole('button', { name: accept })).toBeNull();
    expect(screen.getByRole('button', { name: decline })).toBeInTheDocument();
  },
);

test('who hears only from the server that another claim was accepted is shown so', async () => {
  serveClaim(aClaim(), {
    accept() {
      server.use(http.get('*/api/claims', () => HttpResponse.json([aClaim({ id: 'claim-3', status: 'accepted' })])));
      return refuse(409, 'wrong_state', 'It stands differently by now.');
    },
  });
  const { user } = await openClaim();
  await user.click(await screen.findByRole('button', { name: 'It is theirs' }));
  expect(await screen.findByRole('link', { name: 'See the accepted claim' })).toBeInTheDocument();
  expect(screen.queryByRole('button', { name: 'It is theirs' })).toBeNull();
});

test.each(['waiting', 'asked'] as const)(
  'of a paused claim that is %s the finder can only say that it is not theirs',
  async (status) => {
    const { taken } = serveClaim(aClaim({ status, is_paused: true }), { decline: { status: 'declined' } });
    const { user } = await openClaim();
    const paused = await screen.findByRole('region', { name: 'Paused: the post is hidden' });
    expect(paused).toHaveTextContent('You cannot accept the claim, ask or hand over until the post is shown again.');
    expect(
      within(paused)
        .getAllByRole('button')
        .map(({ textContent }) => textContent),
    ).toEqual(['Not theirs']);
    await user.click(within(paused).getByRole('button', { name: 'Not theirs' }));
    await expect.poll(() => taken).toEqual([{ name: 'decline', body: null }]);
  },
);

test('an answer to a claim that was paused meanwhile shows why, and offers no such answer any more', async () => {
  const { change } = serveClaim(aClaim(), {
    accept: () => {
      change({ is_paused: true });
      return refuse(409, 'post_hidden', 'The post is hidden.');
    },
  });
  const { user } = await openClaim();
  await user.click(await screen.findByRole('button', { name: 'It is theirs' }));
  expect(await screen.findByRole('region', { name: 'Paused: the post is hidden' })).toBeInTheDocument();
  expect(screen.queryByRole('button', { name: 'It is theirs' })).toBeNull();
});
