import { act, render, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import type { ReactNode } from 'react';
import { MemoryRouter } from 'react-router';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { somePost } from '#tests/support/posts.ts';
import { loseNetwork } from '#tests/web/support/phone.ts';
import { aPhoto } from '#tests/web/support/photos.ts';
import { aPost, refuse, serveList, serveNothingElse } from '#tests/web/support/posts.ts';
import { renderScreen, startUser } from '#tests/web/support/render-screen.tsx';
import { server } from '#tests/web/support/setup.ts';
import { signInAs } from '#web/api/session.ts';
import { changeLanguage } from '#web/lib/i18n.ts';
import type { PendingPost } from '#web/offline/outbox.ts';
import { writeOutbox } from '#web/offline/outbox-changes.ts';
import { PendingPosts } from '#web/offline/pending-posts.tsx';
import { ContactLinks } from '#web/posts/post/contact-links.tsx';
import { PostBadges, PostFacts, PostLink, Thumbnail } from '#web/posts/post/post-parts.tsx';
import { SafeMeeting } from '#web/posts/post/safe-meeting.tsx';
import { ThisIsMine } from '#web/posts/post/this-is-mine.tsx';
import { SeenBefore } from '#web/ui/query-state.tsx';

const HOUR_AGO = () => new Date(Date.now() - 3_600_000).toISOString();

describe('parts of a post', () => {
  beforeEach(async () => {
    await changeLanguage('en');
  });

  function show(part: ReactNode) {
    const view = render(<MemoryRouter>{part}</MemoryRouter>);
    return { ...view, user: startUser() };
  }

  test.each([
    [{ posted_by: 'owner' }, ['Lost']],
    [{ posted_by: 'finder' }, ['Found']],
    [{ posted_by: 'owner', is_found: true }, ['Found and returned']],
    [{ posted_by: 'owner', state: 'closed' }, ['Lost', 'Closed']],
    [{ posted_by: 'owner', state: 'resting' }, ['Lost', 'Resting']],
    [{ posted_by: 'finder', is_hidden: true }, ['Found', 'Hidden']],
    [{ posted_by: 'finder', community_name: 'Shule ya Mbezi' }, ['Found', 'Shule ya Mbezi']],
  ] as const)(
    'a post with the fields %j shows its side, state and community as badges with a text and an icon',
    (overrides, words) => {
      const { container } = show(<PostBadges post={aPost(overrides)} />);
      const badges = Array.from(container.firstElementChild?.children ?? [], ({ textContent }) => textContent);
      expect(badges).toEqual(words);
      expect(container.querySelectorAll('svg')).toHaveLength(words.length);
    },
  );

  test('the list of a post’s facts omits the fields that are empty', () => {
    const created_at = HOUR_AGO();
    const bare = { owner_first_name: '', owner_last_name: '', kept_at: null, on_behalf: false, created_at };
    const full = { kept_at: 'Kituo cha polisi', on_behalf: true, created_at };
    show(
      <>
        <PostFacts post={aPost(bare)} />
        <PostFacts post={aPost(full)} />
      </>,
    );
    const [little, much] = screen.getAllByRole('list').map((list) => within(list).getAllByRole('listitem'));
    expect(little?.map(({ textContent }) => textContent)).toEqual(['LocationKariakoo', 'Posted1 hour ago']);
    expect(much).toHaveLength(5);
    expect(much?.[0]).toHaveTextContent('OwnerNeema Mushi');
    expect(much?.[4]).toHaveTextContent('Posted for somebody else');
    for (const text of ['Neema Mushi', 'Kituo cha polisi'])
      expect(screen.getByText(new RegExp(text))).toHaveAttribute('dir', 'auto');
    for (const place of screen.getAllByText('Kariakoo')) expect(place).toHaveAttribute('dir', 'auto');
    for (const time of screen.getAllByText('1 hour ago')) {
      expect(time).toHaveAttribute('datetime', created_at);
      expect(time).toHaveAttribute('title');
    }
  });

  test('the title of a post is a link to the post’s page', () => {
    show(<PostLink post={{ id: 'post-x', title: 'Funguo' }} />);
    expect(screen.getByRole('link', { name: 'Funguo' })).toHaveAttribute('href', '/posts/post-x');
    expect(screen.getByRole('link')).toHaveAttribute('dir', 'auto');
  });

  test('a photo of a post has an alternative text and loads when it becomes visible', () => {
    show(
      <>
        <Thumbnail
          post={aPost({ title: 'Funguo', photos: [aPhoto({ alt: 'Funguo tatu' }), aPhoto({ alt: 'Nyuma' })] })}
        />
        <Thumbnail post={aPost({ title: 'Pochi', photos: [aPhoto()] })} />
        <Thumbnail post={aPost({ title: 'Simu', photos: [] })} />
      </>,
    );
    const [described, other, ...rest] = screen.getAllByRole('img');
    expect(described).toHaveAccessibleName('Funguo tatu');
    expect(described).toHaveAttribute('loading', 'lazy');
    expect(described).toHaveAttribute('src', expect.stringMatching(/-small$/));
    expect(other).toHaveAccessibleName(expect.stringContaining('Pochi'));
    expect(rest).toEqual([]);
    expect(document.body).toHaveFocus();
  });

  test('in data-saving mode, pressing the button in place of a photo loads and focuses the photo', async () => {
    Object.defineProperty(navigator, 'connection', { configurable: true, value: { saveData: true } });
    onTestFinished(() => void Reflect.deleteProperty(navigator, 'connection'));
    const { user } = show(<Thumbnail post={aPost({ photos: [aPhoto({ alt: 'Funguo tatu' })] })} />);
    expect(screen.queryByRole('img')).toBeNull();
    const button = screen.getByRole('button');
    expect(button).toHaveAccessibleName();
    expect(button).toHaveAttribute('type', 'button');
    await user.click(button);
    expect(screen.getByRole('img', { name: 'Funguo tatu' })).toHaveFocus();
  });

  test.each([
    ['0712345678', 'https://wa.me/255712345678?text='],
    ['15040', null],
  ])('the phone number %s can be called, and has a WhatsApp link if it is long enough', (phone, chat) => {
    show(<ContactLinks phone={phone} title="Nimeokota pochi" />);
    expect(screen.getByRole('link', { name: 'Call' })).toHaveAttribute('href', `tel:${phone}`);
    const link = screen.queryByRole('link', { name: 'WhatsApp' });
    if (chat === null) {
      expect(link).toBeNull();
    } else {
      expect(link).toHaveAttribute('href', expect.stringContaining(chat));
      expect(link).toHaveAttribute('href', expect.stringContaining(encodeURIComponent('Nimeokota pochi')));
      expect(link).toHaveAttribute('target', '_blank');
      expect(link).toHaveAttribute('rel', 'noreferrer');
    }
  });

  test('the suggested WhatsApp message depends on the occasion (post or claim) and on the post’s language', () => {
    show(
      <>
        <ContactLinks phone="0712345678" title="Pochi" written="Nimeokota pochi sokoni" />
        <ContactLinks phone="0712345678" title="Pochi" written="Nimeokota pochi sokoni" occasion="claim" />
        <ContactLinks phone="0712345678" title="Pochi" written="I have found a purse at the market" />
      </>,
    );
    const texts = screen.getAllByRole('link', { name: 'WhatsApp' }).map((link) => link.getAttribute('href'));
    expect(new Set(texts).size).toBe(3);
  });

  test.each([
    [true, '/posts/post-x/claim'],
    [false, '/login'],
  ])('if “signed in” is %s, the link “This is mine” leads to %s', async (isSignedIn, address) => {
    if (isSignedIn) signInAs({ token: 'a-token', userId: 'a-user' });
    const onClick = vi.fn();
    const { user } = show(<ThisIsMine postId="post-x" onClick={onClick} />);
    const link = screen.getByRole('link', { name: 'This is mine' });
    expect(link).toHaveAttribute('href', address);
    await user.click(link);
    expect(onClick).toHaveBeenCalledOnce();
  });

  test('the safety advice has a heading', () => {
    show(<SafeMeeting />);
    const section = screen.getByRole('region', { name: screen.getByRole('heading', { level: 2 }).textContent ?? '' });
    const advice = within(section)
      .getAllByRole('listitem')
      .map(({ textContent }) => textContent);
    expect(new Set(advice).size).toBe(4);
  });

  test.each([
    [true, false, 0, false],
    [true, false, 1, false],
    [true, true, 1, true],
    [false, false, 1, true],
    [false, true, 0, false],
  ])(
    'while offline or after a failed refresh, stored data has a note with its age (online: %s, failed: %s, stored: %i, note: %s)',
    (isOnline, isOutdated, kept, isSaid) => {
      if (!isOnline) loseNetwork();
      show(<SeenBefore updatedAt={kept * (Date.now() - 3_600_000)} isOutdated={isOutdated} />);
      if (isSaid) expect(screen.getByRole('status')).toHaveTextContent('Saved on this phone, last updated 1 hour ago.');
      else expect(screen.queryByRole('status')).toBeNull();
    },
  );

  function aPending(overrides: Partial<PendingPost> = {}): PendingPost {
    const key = overrides.idempotencyKey ?? 'a-key';
    return {
      idempotencyKey: key,
      input: { ...somePost, title: 'Funguo' },
      writtenAt: HOUR_AGO(),
      refusal: null,
      sendAfter: null,
      ...overrides,
    };
  }

  test.each([
    ['is being sent', true, {}, 'Sending…'],
    ['waits for a busy service', true, { sendAfter: 1 }, /^Saved on this phone. The service could not accept it/],
    ['waits for a network', false, {}, /^Saved on this phone. It is posted once, automatically/],
    ['was refused', true, { refusal: 'Title is required.' }, 'This post was not accepted. Title is required.'],
  ] as const)(
    'the card of a post in the outbox shows the state of the post: the post %s',
    async (_state, isOnline, pending, text) => {
      if (!isOnline) loseNetwork();
      signInAs({ token: 'a-token', userId: 'a-user' });
      writeOutbox([aPending(pending)]);
      const onEdit = vi.fn();
      const { user } = show(<PendingPosts onEdit={onEdit} />);
      const region = screen.getByRole('region', { name: 'Posts waiting for the network' });
      expect(region).toHaveAttribute('aria-live', 'polite');
      const card = within(screen.getByRole('article'));
      expect(card.getByRole('heading', { level: 2, name: 'Funguo' })).toHaveAttribute('dir', 'auto');
      expect(card.getByText(text)).toBeInTheDocument();
      expect(card.getByText('Written 1 hour ago')).toBeInTheDocument();
      const edit = card.queryByRole('button', { name: 'Edit the post' });
      expect(edit !== null).toBe('refusal' in pending);
      if (edit) await user.click(edit);
      expect(onEdit).toHaveBeenCalledTimes(edit ? 1 : 0);
    },
  );

  test('discarding one waiting post leaves the other waiting posts in the outbox', async () => {
    signInAs({ token: 'a-token', userId: 'a-user' });
    writeOutbox([
      aPending({ refusal: 'Title is required.' }),
      aPending({ idempotencyKey: 'b-key', input: { ...somePost, title: 'Pochi' } }),
    ]);
    const { user } = show(<PendingPosts />);
    expect(screen.queryByRole('button', { name: 'Edit the post' })).toBeNull();
    await user.click(screen.getAllByRole('button', { name: 'Do not post it' })[0] as HTMLElement);
    await waitFor(() => expect(screen.getAllByRole('article')).toHaveLength(1));
    expect(screen.getByRole('heading', { name: 'Pochi' })).toBeInTheDocument();
  });
});

describe('the page of a post', () => {
  beforeEach(serveNothingElse);
  afterEach(() => vi.useRealTimers());

  function servePost(post: ReturnType<typeof aPost>) {
    server.use(http.get('*/api/posts/:id', () => HttpResponse.json(post)));
  }

  test('shows the whole post, and the browser tab’s title begins with the post’s title', async () => {
    servePost(aPost({ title: 'Funguo', description: 'Mstari\nwa pili' }));
    await renderScreen('/posts/post-x', { isSignedIn: true });
    expect(await screen.findByRole('heading', { level: 1, name: 'Funguo' })).toBeInTheDocument();
    expect(document.title).toBe('Funguo · Patikana');
    expect(screen.getByText(/Mstari/)).toHaveClass('whitespace-pre-wrap');
    expect(screen.getByText(/Mstari/)).toHaveAttribute('dir', 'auto');
    expect(screen.getByRole('heading', { level: 1 })).toHaveAttribute('dir', 'auto');
    expect(screen.getByRole('link', { name: 'All posts' })).toHaveAttribute('href', '/view-posts');
    expect(screen.getByRole('link', { name: 'Contact poster' })).toBeInTheDocument();
  });

  test('asks a visitor to log in, and then returns the visitor to the post', async () => {
    servePost(aPost({ phone_number: null }));
    const { user, router } = await renderScreen('/posts/post-x');
    await user.click(await screen.findByRole('link', { name: 'Log in to view contact' }));
    expect(router.state.location.state).toMatchObject({ from: '/posts/post-x' });
  });

  test('shows its author a link to their own posts instead of the contact', async () => {
    servePost(aPost({ is_mine: true }));
    await renderScreen('/posts/post-x', { isSignedIn: true });
    expect(await screen.findByRole('link', { name: 'Manage in My Posts' })).toHaveAttribute('href', '/my-posts');
    expect(screen.queryByRole('link', { name: 'Contact poster' })).toBeNull();
  });

  test.each([
    [{ is_mine: true }, true],
    [{ is_mine: true, state: 'returned', is_found: true }, false],
    [{ is_mine: false }, false],
  ] as const)(
    'if a post about a lost document has the values %o, a link to the police’s loss report is shown: %s (true or false)',
    async (post, isThere) => {
      servePost(aPost({ title: 'Kitambulisho', posted_by: 'owner', kind: 'document', ...post }));
      await renderScreen('/posts/post-x', { isSignedIn: true });
      await screen.findByRole('heading', { name: 'Kitambulisho' });
      expect(screen.queryAllByRole('link', { name: /LORMIS/ })).toHaveLength(isThere ? 1 : 0);
    },
  );

  test('shows the server’s error message if the post was deleted', async () => {
    server.use(http.get('*/api/posts/:id', () => refuse(404, 'post_not_found', 'This post does not exist.')));
    await renderScreen('/posts/post-x');
    expect(await screen.findByRole('heading', { level: 1, name: 'This post does not exist.' })).toBeInTheDocument();
  });

  test.each([
    [403, true],
    [404, true],
    [409, false],
  ])(
    'if the refetch of a cached post fails with status %d, the server’s error message replaces the post: %s (true or false)',
    async (status, isGone) => {
      const answer = Promise.withResolvers<void>();
      serveList('/posts', [aPost({ id: 'post-x', title: 'Funguo' })]);
      // The app loads the list with a clock an hour behind. The list is then too old, so the app refetches the post.
      vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 3_600_000 });
      const { user } = await renderScreen('/view-posts', { isSignedIn: true });
      const link = await screen.findByRole('link', { name: 'Funguo' });
      vi.useRealTimers();
      server.use(
        http.get('*/api/posts/post-x', async () => {
          await answer.promise;
          return refuse(status, 'post_not_found', 'This post does not exist.');
        }),
      );
      await user.click(link);
      expect(await screen.findByRole('heading', { level: 1, name: 'Funguo' })).toBeInTheDocument();
      answer.resolve();
      if (isGone) {
        expect(await screen.findByRole('heading', { level: 1, name: 'This post does not exist.' })).toBeInTheDocument();
        expect(screen.queryByText('Funguo')).toBeNull();
      } else {
        expect(await screen.findByText(/^Saved on this phone, last updated/)).toBeInTheDocument();
        expect(screen.getByRole('heading', { level: 1, name: 'Funguo' })).toBeInTheDocument();
      }
    },
  );

  test('never shows a post that was cached for another user', async () => {
    serveList('/posts', [aPost({ id: 'post-x', title: 'Funguo', phone_number: '0754000111' })]);
    const { router } = await renderScreen('/view-posts', { isSignedIn: true });
    await screen.findByText('0754000111');
    act(() => signInAs({ token: 'another-token', userId: 'another-user' }));
    server.use(http.get('*/api/posts/post-x', () => new Promise<never>(() => undefined)));
    await act(() => router.navigate('/posts/post-x'));
    expect(await screen.findByRole('link', { name: 'All posts' })).toBeInTheDocument();
    expect(screen.queryByText('0754000111')).toBeNull();
  });
});
