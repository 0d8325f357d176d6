import { screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { aClaim, aClaimMessage, openClaim, serveClaim, step } from '#tests/web/support/claims.ts';
import { holdClock, stubShare } from '#tests/web/support/phone.ts';
import { refuse } from '#tests/web/support/posts.ts';
import { server } from '#tests/web/support/setup.ts';

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
  'in the language %s, each of the finder’s three buttons to answer a claim describes its own consequence',
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

test('accepting a claim sends one request, and shows the claimant’s phone number, safety advice and the field for the hand-over code', async () => {
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

test('closing the form for a question to the claimant keeps the text, and a double press sends the question once', async () => {
  const asked = aClaimMessage();
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

test('after four questions to the claimant no further question can be asked', async () => {
  const history = [step('claim', 'claimant'), ...Array.from({ length: 4 }, () => step('ask', 'finder'))];
  serveClaim(aClaim({ history }));
  await openClaim();
  expect(await screen.findByText(/^You have asked four times/)).toBeInTheDocument();
  expect(screen.queryByRole('button', { name: 'Not sure, ask' })).toBeNull();
});

test('a finder who declines a claim can undo the decline while a ten-minute countdown runs', async () => {
  holdClock();
  const declined = [step('claim', 'claimant'), step('decline', 'finder', new Date().toISOString())];
  const { taken } = serveClaim(aClaim(), {
    decline: { status: 'declined', history: declined },
    undo: { status: 'waiting', history: [...declined, step('undo', 'finder')] },
  });
  const { user } = await openClaim();
  await user.click(await screen.findByRole('button', { name: 'Not theirs' }));
  expect(await screen.findByRole('timer')).toHaveTextContent('They are notified in 10:00.');
  await user.click(screen.getByRole('button', { name: 'Undo' }));
  expect(await screen.findByRole('button', { name: 'It is theirs' })).toBeInTheDocument();
  expect(taken.map(({ name }) => name)).toEqual(['decline', 'undo']);
});

test.each([
  ['ten minutes ago', 10 * 60_000, []],
  ['a moment ago, after its acceptance', 0, [step('accept', 'finder')]],
] as const)('the finder cannot undo the decline of a claim that was declined %s', async (_when, agoMs, before) => {
  const at = new Date(Date.now() - agoMs).toISOString();
  const history = [step('claim', 'claimant'), ...before, step('decline', 'finder', at)];
  serveClaim(aClaim({ status: 'declined', history }));
  await openClaim();
  expect(await screen.findByText('They have been notified, without a reason.')).toBeInTheDocument();
  expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull();
});

test('the countdown to undo a decline is correct even if the phone’s clock is an hour behind', async () => {
  holdClock();
  const serverNow = Date.now() + 3_600_000;
  const declinedAt = new Date(serverNow - 4 * 60_000).toISOString();
  const claim = aClaim({ status: 'declined', history: [step('decline', 'finder', declinedAt)] });
  const headers = { Date: new Date(serverNow).toISOString() };
  server.use(http.get('*/api/claims/:id', () => HttpResponse.json(claim, { headers })));
  await openClaim();
  expect(await screen.findByRole('timer')).toHaveTextContent('They are notified in 06:00.');
});

test('a finder who accepts a claim that was withdrawn a moment ago sees that the claim is withdrawn', async () => {
  const { change } = serveClaim(aClaim(), { accept: () => refuse(409, 'wrong_state', 'This is no longer open.') });
  const { user } = await openClaim();
  const accept = await screen.findByRole('button', { name: 'It is theirs' });
  change({ status: 'withdrawn' });
  await user.click(accept);
  expect(await screen.findByText('They withdrew their claim.')).toBeInTheDocument();
});

test('if the server does not respond when a finder accepts a claim, an error appears and the finder can retry', async () => {
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

test('a new claim message that mentions money is announced to screen readers, with a warning about money', async () => {
  const said = (text: string, is_about_money: boolean) => aClaimMessage({ from: 'claimant', text, is_about_money });
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

test('if the finder wrote down no private marks of the thing, the claim’s page says so', async () => {
  serveClaim(aClaim({ private_marks: null, question: null }));
  await openClaim();
  expect(await screen.findByText('You did not write down any private marks.')).toBeInTheDocument();
});

test.each([
  ['withdrawn', 'They withdrew their claim.'],
  ['closed', /^This claim is closed/],
] as const)('the finder sees that a claim is %s, and has no button to accept the claim', async (status, text) => {
  serveClaim(aClaim({ status }));
  await openClaim();
  expect(await screen.findByText(text)).toBeInTheDocument();
  expect(screen.queryByRole('button', { name: 'It is theirs' })).toBeNull();
});

test('declining an accepted claim needs a confirmation, and has no countdown for undoing it', async () => {
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
  'in the language %s, a claim cannot be accepted while another claim on the same post is accepted',
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

test('a finder who tries to accept a claim after another claim was accepted sees a link to that other claim', async () => {
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
  'if a claim in the state “%s” is paused because its post is hidden, the finder can only decline the claim',
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

test('a finder who tries to accept a claim whose post was hidden a moment ago sees that the claim is paused', async () => {
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

describe('the receipt of a hand-over', () => {
  const DONE = aClaim({
    status: 'handed_over',
    history: [step('claim', 'claimant'), step('accept', 'finder'), step('hand-over', 'finder', '2026-11-22T09:30:00Z')],
  });

  beforeEach(() => void serveClaim(DONE));

  test('a phone with a share sheet shares the receipt with its title, and nothing is copied', async () => {
    const shared: ShareData[] = [];
    stubShare(async (data) => void shared.push(data));
    const { user } = await openClaim();
    await screen.findByText('Mbezi Mwisho');
    const written = vi.spyOn(navigator.clipboard, 'writeText');
    onTestFinished(() => written.mockRestore());
    await user.click(screen.getByRole('button', { name: 'Share' }));
    await waitFor(() => expect(shared).toHaveLength(1));
    expect(shared[0]?.title).toBe('Handed over');
    expect(shared[0]?.text).toMatch(
      /^Item: Pochi ya ngozi\n.*\nFound at: Mbezi Mwisho\nFound by: You\nGiven back to: Asha Mwenye$/,
    );
    expect(written).not.toHaveBeenCalled();
  });

  test('a phone without a share sheet copies the receipt and shows a message', async () => {
    const { user } = await openClaim();
    await user.click(await screen.findByRole('button', { name: 'Share' }));
    expect(await screen.findByText('The receipt has been copied.')).toBeInTheDocument();
  });

  test.each([
    ['cancelled', new DOMException('', 'AbortError'), false],
    ['refused', new DOMException('', 'NotAllowedError'), true],
    ['stopped by an error', new Error('AbortError'), true],
  ] as const)(
    'an error appears if sharing the receipt fails, but not if the user cancels (sharing was %s)',
    async (_case, error, isSaid) => {
      const asked = Promise.withResolvers<void>();
      stubShare(async () => {
        asked.resolve();
        throw error;
      });
      const { user } = await openClaim();
      await user.click(await screen.findByRole('button', { name: 'Share' }));
      await asked.promise;
      if (isSaid) expect(await screen.findByText('The receipt could not be copied.')).toBeInTheDocument();
      else expect(screen.queryByText('The receipt could not be copied.')).toBeNull();
      expect(screen.queryByText('The receipt has been copied.')).toBeNull();
    },
  );

  test('the receipt shows the facts that remain after the post and the claimant’s account were deleted', async () => {
    serveClaim({ ...DONE, post_title: null, other_name: null, history: [], updated_at: '2026-11-23T06:15:00Z' });
    server.use(http.get('*/api/posts/:id', () => refuse(404, 'post_not_found')));
    await openClaim();
    expect(await screen.findByRole('heading', { level: 1, name: 'A post that no longer exists' })).toBeInTheDocument();
    expect(screen.getAllByRole('term').map((term) => term.textContent)).toEqual([
      'Item',
      'Handed over',
      'Found by',
      'Given back to',
    ]);
    expect(screen.getAllByRole('definition').map((value) => value.textContent)).toEqual([
      'A post that no longer exists',
      expect.stringMatching(/09:15/),
      'You',
      'Somebody who deleted their account',
    ]);
    expect(screen.getByText('Somebody who deleted their account says that it is theirs.')).toBeInTheDocument();
    expect(screen.queryByRole('link', { name: 'See the post' })).toBeNull();
  });

  test('the claimant sees the receipt together with the finder’s name and a link to call the finder', async () => {
    serveClaim({ ...DONE, role: 'claimant', phone_number: '0754321987' });
    await openClaim();
    const receipt = await screen.findByRole('article');
    expect(within(receipt).getByText('You have it back. Remember to thank the finder.')).toBeInTheDocument();
    expect(screen.getByRole('link', { name: 'Call' })).toHaveAttribute('href', 'tel:0754321987');
    expect(screen.getByText('You said that it is yours. Asha Mwenye found it.')).toBeInTheDocument();
  });
});
