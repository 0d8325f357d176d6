import { screen, waitFor, within } from '@testing-library/react';
import { HttpResponse } from 'msw';
import { afterEach, expect, test, vi } from 'vitest';
import { queryClient } from '#web/lib/query-client.ts';
import { queryKeys } from '#web/lib/query-keys.ts';
import { aClaim, openClaim, serveClaim, step } from './support/claims.ts';
import { refuse } from './support/posts.ts';

vi.mock('canvas-confetti', () => ({
  default: { create: () => Object.assign(() => null, { reset: () => undefined }) },
}));

afterEach(() => vi.restoreAllMocks());

const ACCEPTED = aClaim({ status: 'accepted', phone_number: '0754321987' });
const DONE = {
  status: 'handed_over',
  history: [step('claim', 'claimant'), step('accept', 'finder'), step('hand-over', 'finder', '2026-11-22T09:30:00Z')],
} as const satisfies Partial<typeof ACCEPTED>;

test('the code is typed or pasted with spaces, sent once, and answered with a receipt and confetti', async () => {
  const { taken } = serveClaim(ACCEPTED, { 'hand-over': { ...DONE, history: [...DONE.history] } });
  const { user, container } = await openClaim();
  const field = await screen.findByLabelText('The owner’s hand-over code');
  await user.click(field);
  await user.paste(' 042 931 ');
  expect(field).toHaveValue('042931');
  await user.dblClick(screen.getByRole('button', { name: 'I have handed it over' }));
  expect(await screen.findByText('Thank you! You returned it to its owner.')).toBeInTheDocument();
  expect(container.querySelectorAll('canvas')).toHaveLength(1);
  expect(taken).toEqual([{ name: 'hand-over', body: { code: '042931' } }]);
});

test('what is no code is not sent', async () => {
  const { taken } = serveClaim(ACCEPTED);
  const { user } = await openClaim();
  const field = await screen.findByLabelText('The owner’s hand-over code');
  await user.type(field, 'abc12{Enter}');
  expect(field).toHaveValue('12');
  expect(field).toHaveAttribute('aria-invalid', 'true');
  expect(taken).toEqual([]);
});

test.each([
  ['en', 'The owner’s hand-over code', /^The hand-over code is wrong: .*After five wrong attempts/],
  ['sw', 'Namba ya makabidhiano ya mwenyewe', /^Namba ya makabidhiano si sahihi: .*Ukikosea mara tano/],
] as const)('a wrong code is said in %s, with how it goes on', async (language, label, text) => {
  serveClaim(ACCEPTED, { 'hand-over': () => refuse(400, 'invalid_code', 'Not right.') });
  const { user } = await openClaim(language);
  await user.type(await screen.findByLabelText(label), '000000{Enter}');
  expect(await screen.findByRole('alert')).toHaveTextContent(text);
});

test('a locked code says until when', async () => {
  const headers = { 'Retry-After': '3600' };
  serveClaim(ACCEPTED, {
    'hand-over': () => HttpResponse.json({ code: 'code_locked', detail: 'In an hour.' }, { status: 429, headers }),
  });
  const { user } = await openClaim();
  await user.type(await screen.findByLabelText('The owner’s hand-over code'), '000000{Enter}');
  expect(await screen.findByRole('alert')).toHaveTextContent(/You can try again from .*\d:\d\d/);
});

test.each([
  ['en', 'finder', ['Item', 'Handed over', 'Found at', 'Found by', 'Given back to'], 'You', 'Asha Mwenye'],
  [
    'sw',
    'claimant',
    ['Kitu', 'Kilikabidhiwa', 'Kiliokotwa wapi', 'Aliyekiokota', 'Aliyerudishiwa'],
    'Asha Mwenye',
    'Wewe',
  ],
] as const)(
  'the receipt says in %s to the %s what, when, where and who',
  async (language, role, labels, finder, claimant) => {
    serveClaim(aClaim({ role, ...DONE, history: [...DONE.history] }));
    const { container } = await openClaim(language);
    await screen.findByText('Mbezi Mwisho');
    expect(screen.getAllByRole('term').map((term) => term.textContent)).toEqual(labels);
    const values = screen.getAllByRole('definition').map((value) => value.textContent);
    expect(values).toEqual(['Pochi ya ngozi', expect.stringMatching(/2026.*12:30/), 'Mbezi Mwisho', finder, claimant]);
    expect(container.querySelector('canvas')).toBeNull();
  },
);

test('whoever has it back is led to what they posted of the loss, and the finder is not', async () => {
  serveClaim(aClaim({ role: 'claimant', ...DONE, history: [...DONE.history] }));
  const { unmount } = await openClaim();
  expect(await screen.findByRole('link', { name: 'See your posts' })).toHaveAttribute('href', '/my-posts');
  unmount();
  serveClaim(aClaim({ ...DONE, history: [...DONE.history] }));
  await openClaim();
  await screen.findByRole('button', { name: 'Print' });
  expect(screen.queryByRole('link', { name: 'See your posts' })).toBeNull();
});

test.each([
  ['finder', 'Hello, this is about the claim on Patikana: Pochi ya ngozi'],
  ['claimant', 'Habari, ni kuhusu dai kwenye Patikana: Pochi ya ngozi'],
] as const)('the %s writes about the claim, in the language of the other one', async (role, text) => {
  serveClaim({ ...ACCEPTED, role, answer: 'A photo of my child is inside' });
  await openClaim();
  const chat = await screen.findByRole('link', { name: 'WhatsApp' });
  expect(new URL(chat.getAttribute('href') ?? '').searchParams.get('text')).toBe(text);
});

test('the receipt is shared as text, and printed', async () => {
  const print = vi.fn();
  vi.stubGlobal('print', print);
  serveClaim(aClaim({ ...DONE, history: [...DONE.history] }));
  const { user } = await openClaim();
  await screen.findByText('Mbezi Mwisho');
  const written = vi.spyOn(navigator.clipboard, 'writeText');
  await user.click(screen.getByRole('button', { name: 'Share' }));
  await waitFor(() => expect(written).toHaveBeenCalledOnce());
  expect(written.mock.calls[0]?.[0]).toMatch(/^Item: Pochi ya ngozi\nHanded over: .*\nFound at: Mbezi Mwisho\n/);
  await user.click(screen.getByRole('button', { name: 'Print' }));
  expect(print).toHaveBeenCalledOnce();
  vi.unstubAllGlobals();
});

test('a week later the number is no longer there', async () => {
  serveClaim(aClaim({ ...DONE, history: [...DONE.history], phone_number: null }));
  await openClaim();
  expect(within(await screen.findByRole('article')).getByText('Asha Mwenye')).toBeInTheDocument();
  expect(screen.queryByRole('link', { name: 'Call' })).toBeNull();
});

test.each([
  ['finder', 'It is not theirs after all'],
  ['claimant', 'Withdraw my claim'],
] as const)(
  'a paused hand-over shows the %s neither number nor code, and continues once restored',
  async (role, end) => {
    const paused = aClaim({ status: 'accepted', role, is_paused: true });
    const { change } = serveClaim(paused);
    await openClaim();
    const region = within(await screen.findByRole('region', { name: 'Paused: the post is hidden' }));
    expect(region.getAllByRole('button').map(({ textContent }) => textContent)).toEqual([end]);
    expect(screen.queryByLabelText('The owner’s hand-over code')).toBeNull();
    expect(screen.queryByText('Your hand-over code')).toBeNull();
    change({ is_paused: false, phone_number: '0754321987', handover_code: role === 'claimant' ? '042931' : null });
    await queryClient.invalidateQueries({ queryKey: queryKeys.claims.all });
    expect(await screen.findByText('0754321987')).toBeInTheDocument();
    expect(screen.queryByText('Paused: the post is hidden')).toBeNull();
  },
);
