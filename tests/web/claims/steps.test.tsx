import { act, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { expect, test, vi } from 'vitest';
import type { Claim } from '#contract/claims.ts';
import { aClaim, aClaimMessage, openClaim, serveClaim, step } from '#tests/web/support/claims.ts';
import { fillStorage, holdClock } from '#tests/web/support/phone.ts';
import { refuse } from '#tests/web/support/posts.ts';
import { renderScreen } from '#tests/web/support/render-screen.tsx';
import { server } from '#tests/web/support/setup.ts';
import { queryClient } from '#web/api/queries.ts';

const MINE = { role: 'claimant', other_name: 'John Mrema' } as const;
const GONE = 'Somebody who deleted their account';

/** Creates a response that waits until the test calls `letGo`. Without a claim, the response is a network error. */
function held(claim: Partial<Claim> | null = null) {
  const { promise, resolve } = Promise.withResolvers<void>();
  const answer = async () => {
    await promise;
    return claim === null ? HttpResponse.error() : HttpResponse.json({ ...aClaim(), ...claim });
  };
  return { answer, letGo: resolve };
}

test('while the finder’s acceptance of a claim is being sent, the accept button is busy and the decline button is disabled', async () => {
  const { answer, letGo } = held({ status: 'accepted' });
  const { taken } = serveClaim(aClaim(), { accept: answer });
  const { user } = await openClaim();
  const accept = await screen.findByRole('button', { name: 'It is theirs' });
  const decline = screen.getByRole('button', { name: 'Not theirs' });
  await user.click(accept);
  await waitFor(() => expect(accept).toHaveAttribute('aria-busy', 'true'));
  expect(decline).toHaveAttribute('aria-disabled', 'true');
  expect(decline).not.toHaveAttribute('aria-busy');
  await user.click(decline);
  letGo();
  expect(await screen.findByText('You said that it is theirs', { selector: 'h2' })).toBeInTheDocument();
  expect(taken.map(({ name }) => name)).toEqual(['accept']);
});

test('if the response to declining a claim is lost, the page still shows the claim as declined', async () => {
  const { change } = serveClaim(aClaim(), { decline: () => HttpResponse.error() });
  const { user } = await openClaim();
  const decline = await screen.findByRole('button', { name: 'Not theirs' });
  change({ status: 'declined', history: [step('claim', 'claimant'), step('decline', 'finder')] });
  await user.click(decline);
  expect(await screen.findByText('You said that it is not theirs.')).toBeInTheDocument();
});

test('a failed undo of a claim’s decline shows an error beside the countdown, and two presses on Undo send one request', async () => {
  const { answer, letGo } = held();
  const history = [step('claim', 'claimant'), step('decline', 'finder', new Date().toISOString())];
  const { taken } = serveClaim(aClaim({ status: 'declined', history }), { undo: answer });
  const { user } = await openClaim();
  await user.dblClick(await screen.findByRole('button', { name: 'Undo' }));
  letGo();
  expect(await screen.findByRole('alert')).toHaveTextContent(/^There was no answer/);
  expect(screen.getByRole('timer')).toBeInTheDocument();
  expect(screen.queryByText('They have been notified, without a reason.')).toBeNull();
  expect(taken).toHaveLength(1);
});

test('after the countdown the button to undo the decline of a claim disappears', async () => {
  holdClock();
  const declinedAt = new Date(Date.now() - 9.5 * 60_000).toISOString();
  serveClaim(aClaim({ status: 'declined', history: [step('decline', 'finder', declinedAt)] }));
  await openClaim();
  expect(await screen.findByRole('timer')).toHaveTextContent('They are notified in 00:30.');
  await act(() => vi.advanceTimersByTimeAsync(31_000));
  expect(await screen.findByText('They have been notified, without a reason.')).toBeInTheDocument();
  expect(screen.queryByRole('timer')).toBeNull();
});

test('a double press sends the finder’s question once; if sending fails, the app shows the reason and keeps the typed text', async () => {
  const { answer, letGo } = held();
  const { taken } = serveClaim(aClaim(), { ask: answer });
  const { user } = await openClaim();
  await user.click(await screen.findByRole('button', { name: 'Not sure, ask' }));
  const question = screen.getByLabelText('Your question');
  expect(question).toHaveAccessibleDescription('Ask about something that the post does not show.');
  await user.click(screen.getByRole('button', { name: 'Send the question' }));
  expect(question).toHaveAttribute('aria-invalid', 'true');
  await user.type(question, 'Rangi gani?');
  await user.dblClick(screen.getByRole('button', { name: 'Send the question' }));
  (question as HTMLTextAreaElement).form?.requestSubmit();
  letGo();
  expect(await screen.findByRole('alert')).toHaveTextContent(/what you wrote is saved/);
  expect(question).toHaveValue('Rangi gani?');
  expect(taken).toHaveLength(1);
});

test('the stored draft of a reply is removed when the user clears the text', async () => {
  serveClaim(aClaim({ ...MINE, status: 'asked' }));
  const first = await openClaim();
  const reply = await screen.findByLabelText('Your reply');
  expect(reply).not.toHaveFocus();
  expect(screen.queryByRole('button', { name: 'Cancel' })).toBeNull();
  await first.user.type(reply, 'Mwek');
  expect(Object.keys(localStorage).some((key) => key.startsWith('claimDraft:a-user'))).toBe(true);
  await first.user.clear(reply);
  expect(Object.keys(localStorage).some((key) => key.startsWith('claimDraft'))).toBe(false);
});

test('a reply on a claim can be sent even if its stored draft is unreadable and the browser’s storage is full', async () => {
  localStorage.setItem('claimDraft:a-user:reply:claim-1:0', '{"values":');
  const { taken } = serveClaim(aClaim({ ...MINE, status: 'asked' }), { reply: { status: 'waiting' } });
  const { user } = await openClaim();
  const reply = await screen.findByLabelText('Your reply');
  expect(reply).toHaveValue('');
  fillStorage();
  await user.type(reply, 'Mwekundu');
  await user.click(screen.getByRole('button', { name: 'Send the reply' }));
  expect(await screen.findByText(/^The finder compares your answer/)).toBeInTheDocument();
  expect(taken).toEqual([{ name: 'reply', body: { text: 'Mwekundu' } }]);
});

test('if sending a hand-over code fails, the code is selected in its field; a double submit sends one request', async () => {
  const { answer, letGo } = held();
  const { taken } = serveClaim(aClaim({ status: 'accepted' }), { 'hand-over': answer });
  const { user } = await openClaim();
  const code = await screen.findByLabelText<HTMLInputElement>('The owner’s hand-over code');
  expect(code).toHaveAccessibleDescription(/Six digits that the owner sees/);
  expect(code).toHaveAttribute('inputmode', 'numeric');
  await user.type(code, '000000{Enter}');
  code.form?.requestSubmit();
  letGo();
  expect(await screen.findByRole('alert')).toHaveTextContent(/^There was no answer/);
  await waitFor(() => expect([code.selectionStart, code.selectionEnd]).toEqual([0, 6]));
  expect(taken).toHaveLength(1);
});

test('if the server reports that a hand-over code is locked, but not until when, the app shows the server’s error message', async () => {
  serveClaim(aClaim({ status: 'accepted' }), { 'hand-over': () => refuse(429, 'code_locked', 'Imefungwa.') });
  const { user } = await openClaim();
  await user.type(await screen.findByLabelText('The owner’s hand-over code'), '000000{Enter}');
  expect(await screen.findByRole('alert')).toHaveTextContent('Imefungwa.');
});

test('a failed withdrawal of a claim shows the reason in its dialog, which stays open', async () => {
  serveClaim(aClaim(MINE), { withdraw: () => HttpResponse.error() });
  const { user } = await openClaim();
  await user.click(await screen.findByRole('button', { name: 'Withdraw my claim' }));
  const dialog = within(screen.getByRole('dialog', { name: 'Withdraw your claim?' }));
  expect(dialog.getByText(/^Your claim ends, and the finder is notified/)).toBeInTheDocument();
  await user.click(dialog.getByRole('button', { name: 'Withdraw the claim' }));
  expect(await dialog.findByRole('alert')).toHaveTextContent(/^There was no answer/);
});

test('if blocking the other party fails, the dialog shows an error and can be cancelled', async () => {
  const { answer, letGo } = held();
  const { taken } = serveClaim(aClaim(), { block: answer });
  const { user, router } = await openClaim();
  await user.click(await screen.findByRole('button', { name: 'Block this person' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Block this person?' }));
  expect(router.state.location.search).toBe('?block=claim-1');
  expect(dialog.getByText(/^This claim closes, and neither of you sees/)).toBeInTheDocument();
  await user.dblClick(dialog.getByRole('button', { name: 'Block' }));
  letGo();
  expect(await dialog.findByRole('alert')).toHaveTextContent(/^There was no answer/);
  expect(dialog.queryByText('This person is blocked.')).toBeNull();
  await user.click(dialog.getByRole('button', { name: 'Cancel' }));
  expect(screen.getByRole('button', { name: 'Block this person' })).toHaveFocus();
  expect(taken).toHaveLength(1);
});

test('the page of a claim links to the claim’s post and to the list of all claims of the user', async () => {
  serveClaim(aClaim());
  await openClaim();
  expect(await screen.findByRole('link', { name: 'See the post' })).toHaveAttribute('href', '/posts/post-1');
  expect(screen.getByRole('link', { name: 'All claims' })).toHaveAttribute('href', '/claims');
  await waitFor(() => expect(document.title).toContain('Pochi ya ngozi'));
});

test.each(['finder', 'claimant'] as const)(
  'the %s of a claim sees neither the name nor the phone number of the other party if that party’s account is deleted',
  async (role) => {
    const messages = [aClaimMessage({ from: role === 'finder' ? 'claimant' : 'finder', text: 'Habari' })];
    serveClaim(aClaim({ role, status: 'accepted', other_name: null, post_title: null, messages }));
    await openClaim();
    expect(await screen.findByText(`Call or write to ${GONE}, and agree where to meet.`)).toBeInTheDocument();
    expect(within(screen.getByRole('log')).getByText(GONE)).toBeInTheDocument();
    expect(screen.getByText('Their number is no longer shown.')).toBeInTheDocument();
    expect(screen.queryByRole('region', { name: 'Your hand-over code' })).toBeNull();
  },
);

test('a user’s own message on a claim shows no warning, even if the message mentions money', async () => {
  const own = aClaimMessage({ text: 'Nauli ni 500', is_about_money: true });
  serveClaim(aClaim({ messages: [own] }));
  await openClaim();
  const message = await screen.findByRole('article');
  expect(message).toHaveTextContent(/^You/);
  expect(screen.queryByText(/^This mentions money/)).toBeNull();
  expect(screen.getByRole('heading', { name: 'Questions and replies' })).toBeInTheDocument();
});

test('a claim that is deleted while it is shown disappears from the screen', async () => {
  serveClaim(aClaim());
  await openClaim();
  await screen.findByText('Picha ya mwanangu');
  server.use(http.get('*/api/claims/:id', () => refuse(404, 'claim_not_found', 'This claim does not exist.')));
  act(() => void document.dispatchEvent(new Event('visibilitychange', { bubbles: true })));
  expect(await screen.findByRole('heading', { name: 'This claim does not exist.' })).toBeInTheDocument();
  expect(screen.queryByText('Picha ya mwanangu')).toBeNull();
});

const ASKED = aClaimMessage();

test.each([
  ['en', 'waiting', /^The finder compares your answer/],
  ['sw', 'waiting', /^Aliyekiokota analinganisha jibu lako/],
  ['en', 'declined', 'The finder says that it is not yours. They do not have to say why.'],
  ['sw', 'declined', 'Aliyekiokota amesema si chako. Halazimiki kusema kwa nini.'],
  ['en', 'withdrawn', 'You withdrew your claim.'],
  ['sw', 'closed', /^Dai hili limefungwa/],
] as const)('in the language %s, the claimant sees that the claim is %s', async (language, status, text) => {
  serveClaim(aClaim({ ...MINE, status }));
  await openClaim(language);
  expect(await screen.findByText(text)).toBeInTheDocument();
  expect(screen.getByText('Picha ya mwanangu')).toBeInTheDocument();
});

test('the claimant replies to the finder’s question, and the typed reply survives a reload', async () => {
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
  'in the language %s, an accepted claim shows the claimant the finder’s phone number, the hand-over code and safety advice',
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

test('withdrawing a claim needs a confirmation, and a double press sends one request', async () => {
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

test('in a claim’s history the user’s own steps begin with “You”, for the finder and for the claimant', async () => {
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

test('if the server does not find a claim, the screen shows the server’s message that the claim does not exist', async () => {
  server.use(http.get('*/api/claims/:id', () => refuse(404, 'claim_not_found', 'This claim does not exist.')));
  await openClaim();
  expect(await screen.findByRole('heading', { name: 'This claim does not exist.' })).toBeInTheDocument();
});

test('a visitor who opens a claim gets a sign-in link, and the sign-in page receives the claim’s path to return to', async () => {
  const { user, router } = await renderScreen('/claims/claim-1');
  await user.click(within(screen.getByRole('main')).getByRole('link', { name: 'Log in' }));
  expect(router.state.location).toMatchObject({ pathname: '/login', state: { from: '/claims/claim-1' } });
});

test('a claim can be reported, and blocking the other party closes the claim', async () => {
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
  'in the language %s, a claimant reads that their claim is paused because the post is hidden, and can still reply',
  async (language, title, send) => {
    serveClaim(aClaim({ ...MINE, status: 'asked', messages: [ASKED], is_paused: true }));
    await openClaim(language);
    const paused = within(await screen.findByRole('region', { name: title }));
    expect(paused.getByRole('button', { name: send })).toBeInTheDocument();
    // The claimant cannot open the post.
    expect(screen.queryByRole('link', { name: /See the post|Tazama tangazo/ })).toBeNull();
  },
);
