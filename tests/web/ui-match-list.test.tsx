import { QueryClientProvider } from '@tanstack/react-query';
import { render, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import type { ReactNode } from 'react';
import { MemoryRouter } from 'react-router';
import { beforeEach, expect, test, vi } from 'vitest';
import type { MatchReason } from '#contract/matching.ts';
import type { PostMatch } from '#contract/posts.ts';
import { changeLanguage } from '#web/lib/i18n.ts';
import { queryClient } from '#web/lib/query-client.ts';
import { queryKeys } from '#web/lib/query-keys.ts';
import { signInAs } from '#web/lib/session.ts';
import { ContactLimited } from '#web/ui/contact-limited.tsx';
import { MatchCount, MatchList } from '#web/ui/match-list.tsx';
import { ReasonList } from '#web/ui/reason-list.tsx';
import { aMatch, aPost, refuse } from './support/posts.ts';
import { server } from './support/setup.ts';
import { keepAnswers } from './support/stale.ts';
import { startUser } from './support/user.ts';

beforeEach(async () => {
  await changeLanguage('en');
  signInAs({ token: 'a-token', userId: 'a-user' });
});

function show(part: ReactNode) {
  const view = render(
    <QueryClientProvider client={queryClient}>
      <MemoryRouter>{part}</MemoryRouter>
    </QueryClientProvider>,
  );
  return { ...view, user: startUser() };
}

function serveMatches(matches: PostMatch[]) {
  const asked = { notices: 0, counts: 0 };
  let current = matches;
  server.use(
    http.get('*/api/posts/:id/matches', () => HttpResponse.json(current)),
    http.get('*/api/matches/counts', () => {
      asked.counts++;
      return HttpResponse.json({ mine: matches.length });
    }),
    http.post('*/api/matches/:pairId/:answer', ({ params }) => {
      if (params.answer === 'confirm')
        current = current.map((one) => (one.pair_id === params.pairId ? { ...one, answer: 'confirmed' } : one));
      return new HttpResponse(null, { status: 204 });
    }),
  );
  return asked;
}

const card = async (title: string) =>
  within((await screen.findByRole('link', { name: title })).closest('li') as HTMLElement);
const SAME_NUMBER: MatchReason = { kind: 'same_identifier', en: '', sw: '' };

test('a match says where, since when, where it is now and whose, as far as it knows', async () => {
  const created_at = new Date(Date.now() - 3_600_000).toISOString();
  serveMatches([
    aMatch({ Post: aPost({ title: 'Funguo', kept_at: 'Kituo cha polisi', created_at }) }),
    aMatch({ Post: aPost({ title: 'Pochi', owner_first_name: '', owner_last_name: 'Mushi', created_at }) }),
    aMatch({ Post: aPost({ title: 'Simu', owner_first_name: '', owner_last_name: '', phone_number: null }) }),
  ]);
  show(<MatchList postId="mine" />);
  const full = await card('Funguo');
  expect(full.getByRole('link', { name: 'Funguo' })).toHaveAttribute('dir', 'auto');
  expect(full.getByRole('link', { name: 'Funguo' })).toHaveAttribute('href', expect.stringMatching(/^\/posts\/post-/));
  for (const text of ['Kariakoo · 1 hour ago', 'It is now at: Kituo cha polisi', "Owner's name: Neema Mushi"])
    expect(full.getByText(text)).toBeInTheDocument();
  expect((await card('Pochi')).getByText("Owner's name: Mushi").textContent).toBe("Owner's name: Mushi");
  const bare = await card('Simu');
  expect(bare.queryByText(/Owner's name|It is now at/)).toBeNull();
  expect(bare.queryByRole('link', { name: 'Call' })).toBeNull();
  expect(bare.queryByRole('list')).toBeNull();
});

test('that somebody who has lost it knows its number is no proof, which is said', async () => {
  serveMatches([
    aMatch({ Post: aPost({ title: 'Anayetafuta', posted_by: 'owner' }), reasons: [SAME_NUMBER] }),
    aMatch({ Post: aPost({ title: 'Aliyeokota' }), reasons: [SAME_NUMBER] }),
    aMatch({ Post: aPost({ title: 'Mwingine', posted_by: 'owner' }), reasons: [{ ...SAME_NUMBER, kind: 'item' }] }),
  ]);
  show(<MatchList postId="mine" />);
  const warned = await card('Anayetafuta');
  expect(warned.getByText(/^They know the number/)).toBeInTheDocument();
  expect(screen.getAllByText(/^They know the number/)).toHaveLength(1);
  // Nobody can claim what somebody else has lost: the answer to it is a yes.
  expect(warned.getByRole('button', { name: 'It is this one' })).toBeInTheDocument();
  expect(warned.queryByRole('link', { name: 'This is mine' })).toBeNull();
});

test.each(['confirm', 'dismiss'] as const)(
  'while one answer (%s) is on its way the other one waits',
  async (answer) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const said: unknown[] = [];
    serveMatches([aMatch({ confidence: 'possible', Post: aPost({ title: 'Funguo' }) })]);
    server.use(
      http.post('*/api/matches/:pairId/:answer', async ({ params }) => {
        said.push(params.answer);
        await promise;
        return new HttpResponse(null, { status: 204 });
      }),
    );
    const { user } = show(<MatchList postId="mine" />);
    const shown = await card('Funguo');
    const [yes, no] = ['It is this one', 'Not this one'].map((name) => shown.getByRole('button', { name }));
    const [pressed, other] = (answer === 'confirm' ? [yes, no] : [no, yes]) as [HTMLElement, HTMLElement];
    await user.click(pressed);
    await waitFor(() => expect(pressed).toHaveAttribute('aria-busy', 'true'));
    expect(other).toHaveAttribute('aria-disabled', 'true');
    expect(other).not.toHaveAttribute('aria-busy');
    await user.click(other);
    expect(said).toEqual([answer]);
    resolve();
    await waitFor(() => expect(pressed.isConnected && pressed.hasAttribute('aria-busy')).toBe(false));
  },
);

test('what is said of the card that left stands in its place, and the bell is asked for anew', async () => {
  const matches = ['Kwanza', 'Pili', 'Tatu'].map((title) => aMatch({ Post: aPost({ title }) }));
  const asked = serveMatches(matches);
  const { user } = show(
    <>
      <MatchCount postId="mine" onEmptied={() => undefined} />
      <MatchList postId="mine" />
    </>,
  );
  const stale = keepAnswers(queryKeys.notices);
  await user.click((await card('Pili')).getByRole('button', { name: 'Not this one' }));
  const region = screen.getByRole('region', { name: 'These might be it' });
  await waitFor(() => expect(within(region).getByText('2 possible matches')).toHaveAttribute('role', 'status'));
  const lines = Array.from(within(region).getAllByRole('list')[0]?.children ?? [], ({ textContent }) => textContent);
  expect(lines).toEqual([
    expect.stringContaining('Kwanza'),
    'Done. We will not show you that post as a match again.',
    expect.stringContaining('Tatu'),
  ]);
  await waitFor(() => expect(asked.counts).toBe(2));
  expect(stale()).toEqual([queryKeys.notices]);
});

test('where nobody has asked for them, matches that are not there are not spoken of, nor that they cannot be had', async () => {
  serveMatches([]);
  const { container, unmount } = show(<MatchList postId="mine" />);
  expect(screen.getByRole('status')).toHaveTextContent('Loading…');
  await waitFor(() => expect(container).toBeEmptyDOMElement());
  unmount();
  queryClient.clear();
  server.use(http.get('*/api/posts/:id/matches', () => refuse(422, 'validation_failed')));
  const failing = show(<MatchList postId="mine" />);
  await waitFor(() => expect(failing.container).toBeEmptyDOMElement());
});

test('a count of none is no button, and the dialog of some is closed by its own', async () => {
  serveMatches([aMatch({ Post: aPost({ title: 'Funguo' }) })]);
  const onEmptied = vi.fn();
  const { user } = show(
    <>
      <MatchCount postId="mine" onEmptied={onEmptied} />
      <MatchCount postId="other" onEmptied={onEmptied} />
    </>,
  );
  const button = await screen.findByRole('button', { name: '1 possible match' });
  expect(screen.getAllByRole('button')).toHaveLength(1);
  expect(button).toHaveAttribute('type', 'button');
  await user.click(button);
  const dialog = within(screen.getByRole('dialog', { name: 'These might be it' }));
  await dialog.findByRole('link', { name: 'Funguo' });
  await user.click(dialog.getByRole('button', { name: 'Close' }));
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(onEmptied).not.toHaveBeenCalled();
});

test.each([
  ['en', true, 'We have notified the author of that post. You can also call or write to them.'],
  ['en', false, 'We have notified the author of that post.'],
  ['sw', false, 'Tumemjulisha aliyetangaza.'],
] as const)(
  'a match that was confirmed is confirmed when it is seen again (in %s, with a number: %s)',
  async (language, hasNumber, sentence) => {
    await changeLanguage(language);
    const withNumber = hasNumber ? {} : { phone_number: null, contact: 'claim' as const };
    serveMatches([aMatch({ confidence: 'possible', Post: aPost({ title: 'Funguo', ...withNumber }) })]);
    const first = show(<MatchList postId="mine" />);
    await first.user.click(
      (await card('Funguo')).getByRole('button', { name: language === 'en' ? /^It is/ : 'Ni hiki' }),
    );
    expect(await screen.findByText(sentence)).toBeInTheDocument();
    first.unmount();
    await queryClient.invalidateQueries({ queryKey: queryKeys.matches.all });
    show(<MatchList postId="mine" />);
    const again = await card('Funguo');
    expect(again.getByText(sentence)).toBeInTheDocument();
    expect(again.getByRole('button', { name: language === 'en' ? /^It is/ : 'Ni hiki' })).toHaveAttribute(
      'aria-disabled',
    );
    expect(again.queryByRole('link', { name: 'Call' }) !== null).toBe(hasNumber);
    expect(again.getByRole('link', { name: /This is mine|Ni changu/ })).toBeInTheDocument();
  },
);

test('the button of a last match that was dismissed goes with its dialog, however late the counts are read', async () => {
  serveMatches([aMatch({ Post: aPost({ title: 'Funguo' }) })]);
  const onEmptied = vi.fn();
  const { user } = show(<MatchCount postId="mine" onEmptied={onEmptied} />);
  await user.click(await screen.findByRole('button', { name: '1 possible match' }));
  server.use(http.get('*/api/matches/counts', () => new Promise<never>(() => undefined)));
  await user.click((await card('Funguo')).getByRole('button', { name: 'Not this one' }));
  await screen.findByText('No other post matches this one for now.');
  await user.click(screen.getByRole('button', { name: 'Close' }));
  expect(screen.queryByRole('button')).toBeNull();
  expect(onEmptied).toHaveBeenCalledOnce();
});

test.each([
  ['en', ['The colour is the same: black.', 'Both posts give the same ID number, IMEI or plate number.']],
  [
    'sw',
    ['Rangi ni ileile: nyeusi.', 'Matangazo yote mawili yana namba ileile ya kitambulisho, IMEI au namba ya usajili.'],
  ],
] as const)('reasons are worded in %s', async (language, sentences) => {
  await changeLanguage(language);
  const reasons: MatchReason[] = [{ kind: 'colour', en: 'black', sw: 'nyeusi' }, SAME_NUMBER];
  const { container } = show(<ReasonList reasons={reasons} />);
  expect(screen.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual(sentences);
  expect(screen.getByRole('list')).toHaveAccessibleName();
  expect(show(<ReasonList reasons={[]} />).container).toBeEmptyDOMElement();
  expect(container).not.toBeEmptyDOMElement();
});

test.each([
  [null, false, 'You have seen all the phone numbers that one person can see in a day.', 2],
  [null, true, 'You have seen all the phone numbers that one person can see in a day.', 1],
  ['2099-11-22T21:00:00Z', false, /^You have seen .* You can see more from 23 Nov 2099, 00:00\.$/, 2],
] as const)(
  'a number that is limited until %s (post opened: %s) is explained',
  async (opensAt, isOpened, text, ways) => {
    show(<ContactLimited postId="post-x" opensAt={opensAt} isOpened={isOpened} />);
    expect(screen.getByText(text)).toBeInTheDocument();
    expect(screen.getAllByRole('link')).toHaveLength(ways);
  },
);
