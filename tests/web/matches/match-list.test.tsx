import { QueryClientProvider } from '@tanstack/react-query';
import { render, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import type { ReactNode } from 'react';
import { MemoryRouter } from 'react-router';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { Language } from '#contract/language.ts';
import type { MatchReason, PostMatch } from '#contract/posts.ts';
import { aMatch, aPost, refuse, serveList, serveNothingElse } from '#tests/web/support/posts.ts';
import { keepAnswers, renderScreen, startUser } from '#tests/web/support/render-screen.tsx';
import { server } from '#tests/web/support/setup.ts';
import { queryClient } from '#web/api/queries.ts';
import { queryKeys } from '#web/api/query-keys.ts';
import { signInAs } from '#web/api/session.ts';
import { changeLanguage } from '#web/lib/i18n.ts';
import { MatchCount, MatchList } from '#web/matches/match-list.tsx';
import { ReasonList } from '#web/matches/reason-list.tsx';
import { ContactLimited } from '#web/posts/post/contact-links.tsx';

describe('a list of matches', () => {
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

  test('shows the place and time of each post, and omits the owner’s name and the thing’s current place if they are unknown', async () => {
    const created_at = new Date(Date.now() - 3_600_000).toISOString();
    serveMatches([
      aMatch({ Post: aPost({ title: 'Funguo', kept_at: 'Kituo cha polisi', created_at }) }),
      aMatch({ Post: aPost({ title: 'Pochi', owner_first_name: '', owner_last_name: 'Mushi', created_at }) }),
      aMatch({ Post: aPost({ title: 'Simu', owner_first_name: '', owner_last_name: '', phone_number: null }) }),
    ]);
    show(<MatchList postId="mine" />);
    const full = await card('Funguo');
    expect(full.getByRole('link', { name: 'Funguo' })).toHaveAttribute('dir', 'auto');
    expect(full.getByRole('link', { name: 'Funguo' })).toHaveAttribute(
      'href',
      expect.stringMatching(/^\/posts\/post-/),
    );
    for (const text of ['Kariakoo · 1 hour ago', 'It is now at: Kituo cha polisi', "Owner's name: Neema Mushi"])
      expect(full.getByText(text)).toBeInTheDocument();
    expect((await card('Pochi')).getByText("Owner's name: Mushi").textContent).toBe("Owner's name: Mushi");
    const bare = await card('Simu');
    expect(bare.queryByText(/Owner's name|It is now at/)).toBeNull();
    expect(bare.queryByRole('link', { name: 'Call' })).toBeNull();
    expect(bare.queryByRole('list')).toBeNull();
  });

  test('warns that a person who knows the identifier of a thing is not necessarily its owner', async () => {
    serveMatches([
      aMatch({ Post: aPost({ title: 'Anayetafuta', posted_by: 'owner' }), reasons: [SAME_NUMBER] }),
      aMatch({ Post: aPost({ title: 'Aliyeokota' }), reasons: [SAME_NUMBER] }),
      aMatch({ Post: aPost({ title: 'Mwingine', posted_by: 'owner' }), reasons: [{ ...SAME_NUMBER, kind: 'item' }] }),
    ]);
    show(<MatchList postId="mine" />);
    const warned = await card('Anayetafuta');
    expect(warned.getByText(/^They know the number/)).toBeInTheDocument();
    expect(screen.getAllByText(/^They know the number/)).toHaveLength(1);
    // Only found things can be claimed. For a lost thing, the button confirms the match instead.
    expect(warned.getByRole('button', { name: 'It is this one' })).toBeInTheDocument();
    expect(warned.queryByRole('link', { name: 'This is mine' })).toBeNull();
  });

  test.each(['confirm', 'dismiss'] as const)(
    'locks the button of the opposite answer while the answer “%s” to a match is sent',
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

  test('shows the result of the user’s answer in place of the match’s card, refetches the match counts and invalidates the cached notices', async () => {
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

  test('disappears from a post’s page if it is empty or fails to load', async () => {
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

  test('is shown in a dialog after a press on the button “1 possible match”; a post without matches has no such button', async () => {
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
    'shows a confirmed match as confirmed at the next visit (language: %s; the match’s post has a phone number: %s)',
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

  test('the button that opens the list disappears after the last match is dismissed, before the server sends a new count', async () => {
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
      [
        'Rangi ni ileile: nyeusi.',
        'Matangazo yote mawili yana namba ileile ya kitambulisho, IMEI au namba ya usajili.',
      ],
    ],
  ] as const)('shows the reasons of a match as sentences in the language %s', async (language, sentences) => {
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
    'explains that the daily limit hides a phone number (known end of the limit: %s; shown on the post’s own screen: %s)',
    async (opensAt, isOpened, text, ways) => {
      show(<ContactLimited postId="post-x" opensAt={opensAt} isOpened={isOpened} />);
      expect(screen.getByText(text)).toBeInTheDocument();
      expect(screen.getAllByRole('link')).toHaveLength(ways);
    },
  );
});

describe('answering matches', () => {
  const MINE = aPost({ title: 'Nimepoteza begi', posted_by: 'owner', is_mine: true });
  const SURE = aMatch({ Post: aPost({ title: 'Found a bag with books', phone_number: '0754000001' }) });
  const POSSIBLE = aMatch({
    confidence: 'possible',
    Post: aPost({ title: 'Found some bag', phone_number: '0754000002' }),
    reasons: [{ kind: 'item', en: 'bag', sw: 'begi' }],
  });

  beforeEach(serveNothingElse);

  /** Serves the matches of one post. @returns the recorded answers of the user, each with the match's id. */
  function serveMatches(matches: PostMatch[]): string[] {
    const said: string[] = [];
    server.use(
      http.get('*/api/posts/:id', () => HttpResponse.json(MINE)),
      http.get('*/api/posts/:id/matches', () => HttpResponse.json(matches)),
      http.get('*/api/matches/counts', () =>
        HttpResponse.json(matches.length > 0 ? { [MINE.id]: matches.length } : {}),
      ),
      http.post('*/api/matches/:pairId/:answer', ({ params }) => {
        said.push(`${params.answer} ${params.pairId}`);
        return new HttpResponse(null, { status: 204 });
      }),
    );
    return said;
  }

  async function openPost(language: Language = 'en') {
    const view = await renderScreen(`/posts/${MINE.id}`, { language, isSignedIn: true });
    const list = within(
      await screen.findByRole('region', { name: language === 'en' ? 'These might be it' : 'Huenda ni hiki' }),
    );
    return { ...view, list };
  }

  function cardOf({ Post }: PostMatch) {
    return within(screen.getByRole('link', { name: Post.title }).closest('li') as HTMLElement);
  }

  test.each([
    ['en', 'Matches well', 'Possible', 'It is this one', 'Not this one', 'It is the same kind of item: bag.'],
    ['sw', 'Linafanana sana', 'Huenda', 'Ni hiki', 'Si hiki', 'Ni kitu cha aina ileile: begi.'],
  ] as const)(
    'on the page of the user’s own post, sure and possible matches have reasons and answer buttons in the language %s',
    async (language, sure, possible, isThis, notThis, reason) => {
      serveMatches([SURE, POSSIBLE]);
      const { list } = await openPost(language);
      expect(list.getAllByRole('link', { name: /^Found/ }).map((link) => link.textContent)).toEqual([
        SURE.Post.title,
        POSSIBLE.Post.title,
      ]);
      expect(cardOf(SURE).getByText(sure)).toBeInTheDocument();
      expect(cardOf(POSSIBLE).getByText(possible)).toBeInTheDocument();
      expect(cardOf(POSSIBLE).getByText(reason)).toBeInTheDocument();
      expect(list.getAllByRole('button', { name: notThis })).toHaveLength(2);
      expect(cardOf(POSSIBLE).getByRole('button', { name: isThis })).toBeInTheDocument();
      expect(cardOf(SURE).getByRole('link', { name: /This is mine|Ni changu/ })).toBeInTheDocument();
      expect(cardOf(SURE).queryByRole('button', { name: isThis })).toBeNull();
      expect(cardOf(SURE).getByRole('link', { name: /WhatsApp/ })).toBeInTheDocument();
      expect(cardOf(POSSIBLE).queryByRole('link', { name: /WhatsApp/ })).toBeNull();
    },
  );

  test.each([
    ['en', 'It is this one', 'Call', 'We have notified the author of that post. You can also call or write to them.'],
    ['sw', 'Ni hiki', 'Piga simu', 'Tumemjulisha aliyetangaza. Unaweza pia kumpigia simu au kumwandikia.'],
  ] as const)(
    'after “It is this one”, the card says that the other author was notified, and shows their contact (language: %s)',
    async (language, button, call, done) => {
      const said = serveMatches([POSSIBLE]);
      const { user } = await openPost(language);
      const pressed = cardOf(POSSIBLE).getByRole('button', { name: button });
      await user.dblClick(pressed);
      expect(await screen.findByText(done)).toBeInTheDocument();
      expect(said).toEqual([`confirm ${POSSIBLE.pair_id}`]);
      expect(cardOf(POSSIBLE).getByRole('link', { name: call })).toHaveAttribute('href', 'tel:0754000002');
      expect(pressed).toHaveFocus();
      await user.click(pressed);
      expect(said).toHaveLength(1);
    },
  );

  test.each([
    ['en', 'Not this one', 'Done. We will not show you that post as a match again.'],
    ['sw', 'Si hiki', 'Sawa. Hatutakuonyesha tena kuwa tangazo hilo linafanana na lako.'],
  ] as const)(
    'the answer “Not this one” removes the match’s card, shows a message and moves the focus to the list (language: %s)',
    async (language, button, done) => {
      const said = serveMatches([SURE, POSSIBLE]);
      const { user } = await openPost(language);
      await user.dblClick(cardOf(POSSIBLE).getByRole('button', { name: button }));
      expect(await screen.findByText(done)).toBeInTheDocument();
      expect(screen.queryByRole('link', { name: POSSIBLE.Post.title })).toBeNull();
      expect(screen.getByRole('link', { name: SURE.Post.title })).toBeInTheDocument();
      expect(said).toEqual([`dismiss ${POSSIBLE.pair_id}`]);
      expect(screen.getByRole('region', { name: /These might be it|Huenda ni hiki/ })).toHaveFocus();
    },
  );

  test('if answering a match fails, the card stays in place and the answer can be retried', async () => {
    serveMatches([POSSIBLE]);
    server.use(http.post('*/api/matches/:pairId/:answer', () => HttpResponse.error(), { once: true }));
    const { user } = await openPost();
    await user.click(cardOf(POSSIBLE).getByRole('button', { name: 'Not this one' }));
    expect(await screen.findByRole('alert')).toHaveTextContent('Your answer could not be saved. Please try again.');
    await user.click(cardOf(POSSIBLE).getByRole('button', { name: 'Not this one' }));
    await waitFor(() => expect(screen.queryByRole('link', { name: POSSIBLE.Post.title })).toBeNull());
    expect(screen.queryByRole('alert')).toBeNull();
  });

  test.each([404, 409])(
    'a match whose confirmation is refused with HTTP status %d is removed, and a message says that the post is no longer open',
    async (status) => {
      serveMatches([POSSIBLE]);
      server.use(http.post('*/api/matches/:pairId/confirm', () => refuse(status, 'wrong_state')));
      const { user } = await openPost();
      await user.click(cardOf(POSSIBLE).getByRole('button', { name: 'It is this one' }));
      expect(
        await screen.findByText('That post is no longer open, so it was removed from this list.'),
      ).toBeInTheDocument();
      expect(screen.queryByRole('link', { name: POSSIBLE.Post.title })).toBeNull();
    },
  );

  test.each([
    ['en', 'No post matches this one yet. When one does, you see it here.'],
    ['sw', 'Bado hakuna tangazo linalofanana na hili. Likipatikana, utaliona hapa.'],
  ] as const)(
    'the author of a post without matches reads, in the language %s, that no post matches yet',
    async (language, sentence) => {
      serveMatches([]);
      await openPost(language);
      expect(screen.getByText(sentence)).toBeInTheDocument();
    },
  );

  test('matches that failed to load can be retried', async () => {
    serveMatches([SURE]);
    server.use(http.get('*/api/posts/:id/matches', () => refuse(422, 'validation_failed'), { once: true }));
    const { user } = await renderScreen(`/posts/${MINE.id}`, { isSignedIn: true });
    expect(await screen.findByText('The posts that might match could not be loaded.')).toBeInTheDocument();
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByRole('link', { name: SURE.Post.title })).toBeInTheDocument();
  });

  test.each([
    ['another person’s', { is_mine: false }],
    ['a returned', { is_found: true, state: 'returned' }],
  ])('the page of %s post shows no matches', async (_whose, changes) => {
    server.use(http.get('*/api/posts/:id', () => HttpResponse.json({ ...MINE, ...changes })));
    await renderScreen(`/posts/${MINE.id}`, { isSignedIn: true });
    expect(await screen.findByRole('heading', { level: 1 })).toBeInTheDocument();
    expect(screen.queryByRole('region', { name: 'These might be it' })).toBeNull();
  });

  test('in My Posts, after the user dismisses a post’s last match, closing the dialog moves the focus to the post’s card', async () => {
    const matches = [POSSIBLE];
    serveMatches(matches);
    serveList('/posts/by-owner', [MINE]);
    server.use(
      http.post('*/api/matches/:pairId/dismiss', () => {
        matches.pop();
        return new HttpResponse(null, { status: 204 });
      }),
    );
    const { user } = await renderScreen('/my-posts', { isSignedIn: true });
    await user.click(await screen.findByRole('button', { name: '1 possible match' }));
    const dialog = within(screen.getByRole('dialog', { name: 'These might be it' }));
    await user.click(await dialog.findByRole('button', { name: 'Not this one' }));
    expect(await dialog.findByText('No other post matches this one for now.')).toBeInTheDocument();
    await waitFor(() => expect(screen.queryByRole('button', { name: '1 possible match' })).toBeNull());
    await user.click(dialog.getByRole('button', { name: 'Close' }));
    expect(screen.getByRole('link', { name: 'Update' })).toHaveFocus();
    expect(screen.queryByRole('button', { name: /possible match/ })).toBeNull();
  });
});
