import { screen, waitFor, within } from '@testing-library/react';
import { http } from 'msw';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { aClaim, openClaim, serveClaim, step } from './support/claims.ts';
import { stubShare } from './support/phone.ts';
import { refuse } from './support/posts.ts';
import { server } from './support/setup.ts';

const DONE = aClaim({
  status: 'handed_over',
  history: [step('claim', 'claimant'), step('accept', 'finder'), step('hand-over', 'finder', '2026-11-22T09:30:00Z')],
});

beforeEach(() => void serveClaim(DONE));

test('a phone that can share gets the receipt with its title, and nothing is copied', async () => {
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

test('where it cannot, the receipt is copied, which is said', async () => {
  const { user } = await openClaim();
  await user.click(await screen.findByRole('button', { name: 'Share' }));
  expect(await screen.findByText('The receipt has been copied.')).toBeInTheDocument();
});

test.each([
  ['left', new DOMException('', 'AbortError'), false],
  ['refused', new DOMException('', 'NotAllowedError'), true],
  ['broken', new Error('AbortError'), true],
] as const)('sharing that is %s: that it did not work is said where nobody wished it', async (_case, error, isSaid) => {
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
});

test('a receipt of a post and a person that are gone has what is still known', async () => {
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

test('while the number is known it stands below the receipt, and whose it was above', async () => {
  serveClaim({ ...DONE, role: 'claimant', phone_number: '0754321987' });
  await openClaim();
  const receipt = await screen.findByRole('article');
  expect(within(receipt).getByText('You have it back. Remember to thank the finder.')).toBeInTheDocument();
  expect(screen.getByRole('link', { name: 'Call' })).toHaveAttribute('href', 'tel:0754321987');
  expect(screen.getByText('You said that it is yours. Asha Mwenye found it.')).toBeInTheDocument();
});
