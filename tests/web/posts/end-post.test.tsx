import { act, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { DAY_MS, MINUTE_MS } from '#contract/durations.ts';
import { OUTCOMES, type Outcome, type Post } from '#contract/posts.ts';
import { holdClock, holdTime } from '#tests/web/support/phone.ts';
import {
  aPost,
  cardOf,
  MINE,
  openForm,
  refuse,
  serveList,
  serveNothingElse,
  serveSubmit,
} from '#tests/web/support/posts.ts';
import { renderScreen } from '#tests/web/support/render-screen.tsx';
import { server } from '#tests/web/support/setup.ts';
import { formatDate } from '#web/lib/format.ts';

describe('ending a post', () => {
  beforeEach(serveNothingElse);

  /** Opens "My Posts" with these posts. The mock API lets the user close and reopen them. */
  async function openMine(posts: Post[], language: 'en' | 'sw' = 'en') {
    const asked: unknown[] = [];
    let current = posts;
    const change = (id: unknown, changes: Partial<Post>) => {
      current = current.map((post) => (post.id === id ? { ...post, ...changes } : post));
      serveList('/posts/by-owner', current);
      return HttpResponse.json(current.find((post) => post.id === id));
    };
    server.use(
      http.put('*/api/posts/:id/outcome', async ({ request, params }) => {
        const { outcome } = (await request.json()) as { outcome: Outcome };
        asked.push(outcome);
        const isBack = outcome === 'returned' || outcome === 'found_it_myself';
        const found_until = isBack ? new Date(Date.now() + 10 * MINUTE_MS).toISOString() : null;
        return change(params.id, {
          state: isBack ? 'returned' : 'closed',
          is_found: isBack,
          found_until,
          rests_at: null,
        });
      }),
      http.post('*/api/posts/:id/wake', ({ params }) => {
        asked.push('wake');
        return change(params.id, { state: 'open', rests_at: inDays(60) });
      }),
    );
    serveList('/posts/by-owner', posts);
    const view = await renderScreen('/my-posts', { language, isSignedIn: true });
    await screen.findByText(posts[0]?.title ?? '');
    return { ...view, asked };
  }

  function inDays(days: number): string {
    return new Date(Date.now() + days * DAY_MS).toISOString();
  }

  const LABELS = {
    en: { owner: 'I am no longer looking for it', finder: 'Nobody came for it' },
    sw: { owner: 'Sikitafuti tena', finder: 'Hakuna aliyekuja kukichukua' },
  } as const;

  const CLOSE = { en: 'Close the post', sw: 'Funga tangazo' };
  const UPDATE = { en: 'Update', sw: 'Hariri' };
  const CLOSED = { en: 'Your post is closed.', sw: 'Tangazo lako limefungwa.' };
  const REOPENED = { en: 'Your post is open again.', sw: 'Tangazo lako liko wazi tena.' };

  test.each([
    ['en', 'owner'],
    ['en', 'finder'],
    ['sw', 'owner'],
    ['sw', 'finder'],
  ] as const)(
    'in the language %s, closing the %s’s post first asks for the outcome, and one tap on an outcome closes the post',
    async (language, posted_by) => {
      const { user, asked } = await openMine([aPost({ ...MINE, title: 'Funguo', posted_by })], language);
      await user.click(cardOf('Funguo').getByRole('button', { name: CLOSE[language] }));
      const dialog = within(await screen.findByRole('dialog'));
      expect(dialog.getByText('Funguo')).toHaveAttribute('dir', 'auto');
      expect(within(dialog.getByRole('group')).getAllByRole('button')).toHaveLength(OUTCOMES.length);
      await user.click(dialog.getByRole('button', { name: LABELS[language][posted_by] }));
      expect(screen.queryByRole('dialog')).toBeNull();
      expect(cardOf('Funguo').getByRole('link', { name: UPDATE[language] })).toHaveFocus();
      await waitFor(() => expect(asked).toEqual(['given_up']));
      expect(await screen.findByText(CLOSED[language])).toBeInTheDocument();
      const open = language === 'en' ? 'Open it again' : 'Lifungue tena';
      await user.dblClick(await cardOf('Funguo').findByRole('button', { name: open }));
      await waitFor(() => expect(cardOf('Funguo').queryByRole('button', { name: open })).toBeNull());
      expect(cardOf('Funguo').getByRole('link', { name: UPDATE[language] })).toHaveFocus();
      expect(await screen.findByText(REOPENED[language])).toBeInTheDocument();
      expect(cardOf('Funguo').getByRole('button', { name: CLOSE[language] })).toBeVisible();
      expect(asked).toEqual(['given_up', 'wake']);
    },
  );

  test.each(['I found it myself', 'Somebody returned it to me'])(
    'the outcome “%s” marks the post as returned, and the author can undo this outcome within ten minutes',
    async (outcome) => {
      holdClock();
      const { user } = await openMine([aPost({ ...MINE, title: 'Funguo', posted_by: 'owner' })]);
      await user.click(cardOf('Funguo').getByRole('button', { name: 'Close the post' }));
      await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: outcome }));
      expect(await cardOf('Funguo').findByRole('button', { name: 'Undo' })).toBeVisible();
      expect(cardOf('Funguo').getByText('You can undo this for 10 more minutes.')).toBeVisible();
      expect(await screen.findByText('Item marked as retrieved successfully')).toBeInTheDocument();
      expect(screen.queryByText('Your post is closed.')).toBeNull();
    },
  );

  test.each([
    ['presses “It is with the police”', 'closed'],
    ['presses the cross', 'open'],
  ] as const)(
    'after the user %s in the dialog “Close your post”, the post is %s and has no button “Undo”',
    async (_how, state) => {
      const { user, asked } = await openMine([aPost({ ...MINE, title: 'Funguo', posted_by: 'owner' })]);
      await user.click(cardOf('Funguo').getByRole('button', { name: 'Close the post' }));
      const dialog = within(await screen.findByRole('dialog', { name: 'Close your post' }));
      const name = state === 'closed' ? 'It is with the police' : 'Close';
      await user.click(dialog.getByRole('button', { name }));
      expect(screen.queryByRole('dialog')).toBeNull();
      await waitFor(() => expect(asked).toEqual(state === 'closed' ? ['with_police'] : []));
      await waitFor(() => expect(cardOf('Funguo').queryByText('Closed') !== null).toBe(state === 'closed'));
      expect(cardOf('Funguo').queryByRole('button', { name: 'Close the post' }) !== null).toBe(state === 'open');
      expect(cardOf('Funguo').queryByRole('button', { name: 'Undo' })).toBeNull();
    },
  );

  test('a post that the user reopens shows its new state at once, and the app refetches the match counts', async () => {
    const { user } = await openMine([aPost({ ...MINE, title: 'Funguo', state: 'resting' })]);
    const asked: string[] = [];
    const hold = (name: string) => () => {
      asked.push(name);
      return new Promise<never>(() => undefined);
    };
    const open = aPost({ ...MINE, title: 'Funguo' });
    server.use(
      http.get('*/api/posts/by-owner', hold('posts')),
      http.get('*/api/matches/counts', hold('matches')),
      http.post('*/api/posts/:id/wake', ({ params }) => HttpResponse.json({ ...open, id: String(params.id) })),
    );
    await user.click(cardOf('Funguo').getByRole('button', { name: 'Open it again' }));
    await waitFor(() => expect(cardOf('Funguo').queryByText('Resting')).toBeNull());
    await waitFor(() => expect(asked.toSorted()).toEqual(['matches', 'posts']));
  });

  test('if reopening a post fails, one error is shown, and the user can try again', async () => {
    const { user, asked } = await openMine([aPost({ ...MINE, title: 'Funguo', state: 'resting' })]);
    server.use(http.post('*/api/posts/:id/wake', () => refuse(503, 'unavailable'), { once: true }));
    await user.click(cardOf('Funguo').getByRole('button', { name: 'Open it again' }));
    expect(await screen.findByText(/^This could not be saved. Please try again./)).toBeVisible();
    expect(asked).toEqual([]);
    await user.click(cardOf('Funguo').getByRole('button', { name: 'Open it again' }));
    await waitFor(() => expect(asked).toEqual(['wake']));
  });

  test('the page of a resting post says that the post rests, and only its author gets the button to reopen it', async () => {
    let post = aPost({ ...MINE, title: 'Funguo', state: 'resting' });
    server.use(
      http.get('*/api/posts/:id', () => HttpResponse.json(post)),
      http.post('*/api/posts/:id/wake', () => {
        post = { ...post, state: 'open' };
        return HttpResponse.json(post);
      }),
    );
    const { user, unmount } = await renderScreen('/posts/post-x', { isSignedIn: true });
    await user.click(await screen.findByRole('button', { name: 'Open it again' }));
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Open it again' })).toBeNull());
    unmount();
    post = aPost({ title: 'Begi', state: 'resting' });
    await renderScreen('/posts/post-y', { isSignedIn: true });
    await screen.findByRole('heading', { level: 1, name: 'Begi' });
    expect(screen.queryByRole('button', { name: 'Open it again' })).toBeNull();
  });

  test('if closing a post fails, an error is shown and the post stays open', async () => {
    const { user } = await openMine([aPost({ ...MINE, title: 'Funguo' })]);
    server.use(http.put('*/api/posts/:id/outcome', () => refuse(503, 'unavailable')));
    await user.click(cardOf('Funguo').getByRole('button', { name: 'Close the post' }));
    await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Something else' }));
    expect(await screen.findByText(/The post could not be closed/)).toBeVisible();
    expect(cardOf('Funguo').getByRole('button', { name: 'Close the post' })).toBeVisible();
  });

  test('the card of a resting post says that the post rests, and one tap reopens the post', async () => {
    const { user, asked } = await openMine([aPost({ ...MINE, title: 'Funguo', state: 'resting' })], 'sw');
    expect(cardOf('Funguo').getByText('Limepumzika')).toBeVisible();
    expect(cardOf('Funguo').getByText(/siku 60 zimepita/)).toBeVisible();
    await user.click(cardOf('Funguo').getByRole('button', { name: 'Lifungue tena' }));
    await waitFor(() => expect(cardOf('Funguo').queryByText('Limepumzika')).toBeNull());
    expect(asked).toEqual(['wake']);
  });

  test.each([
    [47, false],
    [46, true],
    [1, true],
  ])(
    '%s days before a post rests, its card asks “Are you still looking for it?” (true or false): %s',
    async (days, isAsked) => {
      const rests_at = inDays(days);
      const { user, asked } = await openMine([aPost({ ...MINE, title: 'Funguo', posted_by: 'owner', rests_at })]);
      const question = cardOf('Funguo').queryByText('Are you still looking for it?');
      expect(question !== null).toBe(isAsked);
      if (!isAsked) return;
      expect(
        cardOf('Funguo').getByText(`Without an answer this post rests from ${formatDate(rests_at)}:`, { exact: false }),
      ).toBeVisible();
      await user.click(cardOf('Funguo').getByRole('button', { name: 'Yes, I am still looking for it' }));
      await waitFor(() => expect(cardOf('Funguo').queryByText('Are you still looking for it?')).toBeNull());
      expect(asked).toEqual(['wake']);
      expect(await screen.findByText('Your post stays open.')).toBeInTheDocument();
    },
  );

  test.each([
    [{ posted_by: 'owner', kind: 'document' }, true],
    [{ posted_by: 'owner', kind: 'document', state: 'returned', is_found: true }, false],
    [{ posted_by: 'owner', kind: 'electronics' }, false],
    [{ posted_by: 'finder', kind: 'document' }, false],
  ] as const)(
    'the card of a post with the properties %o links to the police’s website for loss reports (true or false): %s',
    async (overrides, isThere) => {
      await openMine([aPost({ ...MINE, title: 'Kitambulisho', ...overrides })], 'sw');
      const link = cardOf('Kitambulisho').queryByRole('link', { name: /LORMIS/ });
      expect(link?.getAttribute('href') ?? null).toBe(isThere ? 'https://lormis.tpf.go.tz' : null);
    },
  );
});

describe('sending the form again after an earlier attempt has created the post', () => {
  beforeEach(() => {
    serveNothingElse();
    serveList('/posts', []);
  });
  afterEach(() => vi.useRealTimers());

  test.each([
    ['en', 'An earlier attempt succeeded: your post is already published.', 'My Posts', 'Post this one too'],
    ['sw', 'Jaribio la awali lilifanikiwa: tangazo lako limeshawekwa.', 'Matangazo Yangu', 'Tangaza hili pia'],
  ] as const)(
    'shows in the language %s that the post exists, and creates a second post only on request',
    async (language, said, mine, too) => {
      let made = '';
      const sent = serveSubmit(({ key, body }) => {
        made ||= key ?? '';
        return key === made ? refuse(422, 'idempotency_mismatch', 'Another one.') : HttpResponse.json(aPost(body));
      });
      const { user, fill, submit } = await openForm(language);
      await fill();
      holdTime();
      for (const tries of [1, 2]) {
        await submit();
        const banner = within(await screen.findByRole('alert'));
        expect(banner.getByText(said)).toBeVisible();
        expect(banner.getByRole('link', { name: mine })).toHaveAttribute('href', '/my-posts');
        expect(screen.queryByText('Another one.')).toBeNull();
        expect(screen.getAllByRole('alert')).toHaveLength(1);
        await act(() => vi.advanceTimersByTimeAsync(3_100));
        expect(sent).toHaveLength(tries);
      }
      await user.click(screen.getByRole('button', { name: too }));
      await waitFor(() => expect(sent).toHaveLength(3));
      expect(sent.map(({ key }) => key === made)).toEqual([true, true, false]);
      expect(screen.queryByText(said)).toBeNull();
    },
  );

  test('uses the same idempotency key after a reload of the page, and shows that the post already exists', async () => {
    const sent = serveSubmit(() => refuse(422, 'idempotency_mismatch', 'Another one.'));
    const first = await openForm();
    await first.fill();
    await first.submit();
    await screen.findByText('An earlier attempt succeeded: your post is already published.');
    first.unmount();
    const second = await openForm();
    await second.submit();
    await screen.findByText('An earlier attempt succeeded: your post is already published.');
    expect(sent[1]?.key).toBe(sent[0]?.key);
  });
});
