import { act, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { expect, onTestFinished, test, vi } from 'vitest';
import { queryKeys } from '#web/lib/query-keys.ts';
import { aClaim, openClaim, serveClaim, step } from './support/claims.ts';
import { aPost, refuse, serveNothingElse } from './support/posts.ts';
import { renderScreen } from './support/render-screen.tsx';
import { server } from './support/setup.ts';
import { keepAnswers } from './support/stale.ts';

vi.mock('canvas-confetti', () => ({
  default: { create: () => Object.assign(() => null, { reset: () => undefined }) },
}));

const { posts, matches, notices, blocks, claims } = queryKeys;
const IN_AN_HOUR = { 'Retry-After': '3600' };

/** It is noon in Tanzania. */
function stopClock() {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-11-22T09:00:00Z') });
  onTestFinished(() => void vi.useRealTimers());
}

async function sendAnswer(answer: () => Response) {
  serveNothingElse();
  server.use(
    http.get('*/api/posts/:id', () => HttpResponse.json(aPost({ id: 'post-1', claim_question: null }))),
    http.post('*/api/posts/:id/claims', () => answer() as never),
  );
  const { user } = await renderScreen('/posts/post-1/claim', { isSignedIn: true });
  await user.type(await screen.findByLabelText('Your answer'), 'Picha');
  await user.click(screen.getByRole('button', { name: 'Send to the finder' }));
  return screen.findByRole('alert');
}

test('whoever has claimed as much as one can in a day reads from when they can again', async () => {
  stopClock();
  const headers = IN_AN_HOUR;
  const said = await sendAnswer(() => HttpResponse.json({ code: 'too_many_requests' }, { status: 429, headers }));
  expect(said).toHaveTextContent(/You can claim again from 22 Nov 2026, 13:00\.$/);
});

test('a busy server is not the day’s limit, also where it says when to come back', async () => {
  const headers = IN_AN_HOUR;
  const said = await sendAnswer(() => HttpResponse.json({ code: 'unavailable' }, { status: 503, headers }));
  expect(said).toHaveTextContent('This could not be saved. Please try again.');
});

test('a locked code can be tried again an hour after the try that it refused', async () => {
  stopClock();
  serveClaim(aClaim({ status: 'accepted' }), {
    'hand-over': () => HttpResponse.json({ code: 'code_locked' }, { status: 429, headers: IN_AN_HOUR }),
  });
  const { user } = await openClaim();
  expect(await screen.findByText('Call or write to Asha Mwenye, and agree where to meet.')).toBeInTheDocument();
  await user.type(screen.getByLabelText('The owner’s hand-over code'), '000000{Enter}');
  expect(await screen.findByRole('alert')).toHaveTextContent(/You can try again from 22 Nov 2026, 13:00\.$/);
});

test('since when the marks are fixed and the answer is sent is said, and each step has its time', async () => {
  const created_at = '2026-11-22T05:00:00.000Z';
  serveClaim(aClaim({ created_at, history: [step('claim', 'claimant', '2026-11-22T06:10:00.000Z')] }));
  const { unmount } = await openClaim();
  expect(await screen.findByText('Unchanged since 22 Nov 2026, 08:00')).toBeInTheDocument();
  expect(screen.getByText('Sent 22 Nov 2026, 08:00')).toBeInTheDocument();
  expect(screen.getByText('They said that it is theirs').nextElementSibling).toHaveTextContent('22 Nov 2026, 09:10');
  unmount();
  serveClaim(aClaim({ id: 'claim-2', private_marks: null, created_at }));
  await renderScreen('/claims/claim-2', { isSignedIn: true });
  expect(await screen.findByText('You did not write down any private marks.')).toBeInTheDocument();
  expect(screen.queryByText(/^Unchanged since/)).toBeNull();
});

test('to a visitor the way to the sign-in is the whole screen of a claim, and a part of the list’s', async () => {
  const name = 'Log in to see your claims.';
  for (const path of ['/claims/claim-1', '/posts/post-1/claim']) {
    const { unmount } = await renderScreen(path);
    expect(await screen.findByRole('heading', { level: 1, name })).toBeInTheDocument();
    unmount();
  }
  await renderScreen('/claims');
  expect(await screen.findByRole('heading', { level: 1, name: 'Claims' })).toBeInTheDocument();
  expect(screen.getAllByRole('heading')).toHaveLength(1);
});

test('what cannot be claimed says why not, and leads to the post', async () => {
  serveNothingElse();
  server.use(http.get('*/api/posts/:id', () => HttpResponse.json(aPost({ id: 'post-1', is_mine: true }))));
  await renderScreen('/posts/post-1/claim', { isSignedIn: true });
  expect(await screen.findByRole('heading', { level: 1, name: 'This post cannot be claimed' })).toBeInTheDocument();
  expect(screen.getByText(/^The post is your own, it is about a lost item/)).toBeInTheDocument();
  expect(screen.getByRole('link', { name: 'See the post' })).toHaveAttribute('href', '/posts/post-1');
});

test('a post that is not there is the whole screen of its claim', async () => {
  serveNothingElse();
  server.use(http.get('*/api/posts/:id', () => refuse(404, 'post_not_found', 'Tangazo hili halipo.')));
  await renderScreen('/posts/post-1/claim', { isSignedIn: true });
  expect(await screen.findByRole('heading', { level: 1, name: 'Tangazo hili halipo.' })).toBeInTheDocument();
  expect(screen.getByRole('alert')).toBeInTheDocument();
});

test('the list is asked for anew each time that one comes back to it', async () => {
  let asked = 0;
  server.use(
    http.get('*/api/claims', () => {
      asked++;
      return HttpResponse.json([aClaim()]);
    }),
  );
  serveClaim(aClaim());
  const { router } = await renderScreen('/claims', { isSignedIn: true });
  await screen.findByRole('link', { name: 'Pochi ya ngozi' });
  await act(() => router.navigate('/privacy'));
  await act(() => router.navigate('/claims'));
  await waitFor(() => expect(asked).toBe(2));
});

test.each([
  ['taken back', { role: 'claimant' }, 'Withdraw my claim', 'Withdraw the claim', [claims.list]],
  ['handed over', { status: 'accepted' }, null, 'I have handed it over', [claims.list, posts.own('a-user')]],
] as const)('a claim that is %s makes stale the lists that have it', async (_how, claim, open, confirm, lists) => {
  serveClaim(aClaim(claim), { withdraw: { status: 'withdrawn' }, 'hand-over': { status: 'handed_over' } });
  const { user } = await openClaim();
  await screen.findByText('Picha ya mwanangu');
  const stale = keepAnswers(claims.list, posts.own('a-user'));
  if (open) await user.click(screen.getByRole('button', { name: open }));
  else await user.type(screen.getByLabelText('The owner’s hand-over code'), '042931');
  await user.click(screen.getByRole('button', { name: confirm }));
  await waitFor(() => expect(stale()).toEqual(lists));
});

test('a block makes stale whatever has something of the other one', async () => {
  serveClaim(aClaim(), { block: () => new HttpResponse(null, { status: 204 }) });
  const { user } = await openClaim();
  await screen.findByText('Picha ya mwanangu');
  const known = [claims.one('claim-2'), posts.own('a-user'), matches.counts, notices, blocks];
  const stale = keepAnswers(...known);
  await user.click(screen.getByRole('button', { name: 'Block this person' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Block this person?' }));
  await user.click(dialog.getByRole('button', { name: 'Block' }));
  await dialog.findByText('This person is blocked.');
  expect(stale()).toEqual(known);
});

test('whoever has it back sees no confetti on the claim: theirs falls with the notice', async () => {
  const { change } = serveClaim(aClaim({ role: 'claimant', status: 'accepted', handover_code: '042931' }));
  const { container } = await openClaim();
  await screen.findByRole('region', { name: 'Your hand-over code' });
  change({ status: 'handed_over' });
  act(() => void document.dispatchEvent(new Event('visibilitychange', { bubbles: true })));
  expect(await screen.findByText('You have it back. Remember to thank the finder.')).toBeInTheDocument();
  expect(container.querySelector('canvas')).toBeNull();
});
