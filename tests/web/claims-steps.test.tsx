import { act, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { Claim } from '#contract/claims.ts';
import { aClaim, openClaim, serveClaim, step } from './support/claims.ts';
import { fillStorage } from './support/phone.ts';
import { refuse } from './support/posts.ts';
import { server } from './support/setup.ts';

const MINE = { role: 'claimant', other_name: 'John Mrema' } as const;
const GONE = 'Somebody who deleted their account';

/** An answer that does not come before it is let go. */
function held(claim: Partial<Claim> | null = null) {
  const { promise, resolve } = Promise.withResolvers<void>();
  const answer = async () => {
    await promise;
    return claim === null ? HttpResponse.error() : HttpResponse.json({ ...aClaim(), ...claim });
  };
  return { answer, letGo: resolve };
}

test('while one answer is sent the finder can give no other, and sees which one it is', async () => {
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

test('a step whose answer was lost but which was taken shows how the claim stands', async () => {
  const { change } = serveClaim(aClaim(), { decline: () => HttpResponse.error() });
  const { user } = await openClaim();
  const decline = await screen.findByRole('button', { name: 'Not theirs' });
  change({ status: 'declined', history: [step('claim', 'claimant'), step('decline', 'finder')] });
  await user.click(decline);
  expect(await screen.findByText('You said that it is not theirs.')).toBeInTheDocument();
});

test('undoing that fails says so beside the countdown, and is sent once for two presses', async () => {
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

test('a countdown that ends is over, with nothing left to undo', async () => {
  vi.useFakeTimers({
    toFake: ['Date', 'setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'],
    shouldAdvanceTime: true,
  });
  onTestFinished(() => void vi.useRealTimers());
  const declinedAt = new Date(Date.now() - 9.5 * 60_000).toISOString();
  serveClaim(aClaim({ status: 'declined', history: [step('decline', 'finder', declinedAt)] }));
  await openClaim();
  expect(await screen.findByRole('timer')).toHaveTextContent(/^They are notified in 00:(30|2\d)\.$/);
  await act(() => vi.advanceTimersByTimeAsync(31_000));
  expect(await screen.findByText('They have been notified, without a reason.')).toBeInTheDocument();
  expect(screen.queryByRole('timer')).toBeNull();
});

test('a question that is not sent says why and is kept; two presses of Enter or the button send it once', async () => {
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

test('what was sent or taken back word by word is not there the next time', async () => {
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

test('what was kept and cannot be read, and a storage that is full, leave a form that works', async () => {
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

test('a code that fails is chosen, so that the next one takes its place; two tries at once are one', async () => {
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

test('a code that is locked without saying until when is said in the server’s words', async () => {
  serveClaim(aClaim({ status: 'accepted' }), { 'hand-over': () => refuse(429, 'code_locked', 'Imefungwa.') });
  const { user } = await openClaim();
  await user.type(await screen.findByLabelText('The owner’s hand-over code'), '000000{Enter}');
  expect(await screen.findByRole('alert')).toHaveTextContent('Imefungwa.');
});

test('a claim that could not be taken back says why in its question, which stays', async () => {
  serveClaim(aClaim(MINE), { withdraw: () => HttpResponse.error() });
  const { user } = await openClaim();
  await user.click(await screen.findByRole('button', { name: 'Withdraw my claim' }));
  const dialog = within(screen.getByRole('dialog', { name: 'Withdraw your claim?' }));
  expect(dialog.getByText(/^Your claim ends, and the finder is notified/)).toBeInTheDocument();
  await user.click(dialog.getByRole('button', { name: 'Withdraw the claim' }));
  expect(await dialog.findByRole('alert')).toHaveTextContent(/^There was no answer/);
});

test('somebody who could not be blocked is not said to be; the dialog can be left, and gives the focus back', async () => {
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

test('the post is one press away, and so are the other claims', async () => {
  serveClaim(aClaim());
  await openClaim();
  expect(await screen.findByRole('link', { name: 'See the post' })).toHaveAttribute('href', '/posts/post-1');
  expect(screen.getByRole('link', { name: 'All claims' })).toHaveAttribute('href', '/claims');
  await waitFor(() => expect(document.title).toContain('Pochi ya ngozi'));
});

test.each(['finder', 'claimant'] as const)(
  'to the %s somebody who is gone has no name, and no number',
  async (role) => {
    const messages = [
      {
        from: role === 'finder' ? 'claimant' : 'finder',
        text: 'Habari',
        is_about_money: false,
        created_at: '2026-11-22T06:00:00Z',
      },
    ] as const;
    serveClaim(aClaim({ role, status: 'accepted', other_name: null, post_title: null, messages: [...messages] }));
    await openClaim();
    expect(await screen.findByText(`Call or write to ${GONE}, and agree where to meet.`)).toBeInTheDocument();
    expect(within(screen.getByRole('log')).getByText(GONE)).toBeInTheDocument();
    expect(screen.getByText('Their number is no longer shown.')).toBeInTheDocument();
    expect(screen.queryByRole('region', { name: 'Your hand-over code' })).toBeNull();
  },
);

test('one’s own words are one’s own, and are not warned of', async () => {
  const own = {
    from: 'finder',
    text: 'Nauli ni 500',
    is_about_money: true,
    created_at: '2026-11-22T06:00:00Z',
  } as const;
  serveClaim(aClaim({ messages: [own] }));
  await openClaim();
  const message = await screen.findByRole('article');
  expect(message).toHaveTextContent(/^You/);
  expect(screen.queryByText(/^This mentions money/)).toBeNull();
  expect(screen.getByRole('heading', { name: 'Questions and replies' })).toBeInTheDocument();
});

test('a claim that is gone while it stands there is not shown any more', async () => {
  serveClaim(aClaim());
  await openClaim();
  await screen.findByText('Picha ya mwanangu');
  server.use(http.get('*/api/claims/:id', () => refuse(404, 'claim_not_found', 'This claim does not exist.')));
  act(() => void document.dispatchEvent(new Event('visibilitychange', { bubbles: true })));
  expect(await screen.findByRole('heading', { name: 'This claim does not exist.' })).toBeInTheDocument();
  expect(screen.queryByText('Picha ya mwanangu')).toBeNull();
});
