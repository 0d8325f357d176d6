import { render, screen, waitFor, within } from '@testing-library/react';
import type { ReactNode } from 'react';
import { MemoryRouter } from 'react-router';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { somePost } from '#tests/support/some-post.ts';
import { changeLanguage } from '#web/lib/i18n.ts';
import type { PendingPost } from '#web/lib/outbox.ts';
import { writeOutbox } from '#web/lib/outbox.ts';
import { signInAs } from '#web/lib/session.ts';
import { ContactLinks } from '#web/ui/contact-links.tsx';
import { PendingPosts } from '#web/ui/pending-posts.tsx';
import { PostBadges } from '#web/ui/post-badges.tsx';
import { PostFacts } from '#web/ui/post-facts.tsx';
import { PostLink } from '#web/ui/post-link.tsx';
import { SafeMeeting } from '#web/ui/safe-meeting.tsx';
import { SeenBefore } from '#web/ui/seen-before.tsx';
import { ThisIsMine } from '#web/ui/this-is-mine.tsx';
import { Thumbnail } from '#web/ui/thumbnail.tsx';
import { loseNetwork } from './support/phone.ts';
import { aPhoto } from './support/photos.ts';
import { aPost } from './support/posts.ts';
import { startUser } from './support/user.ts';

beforeEach(async () => {
  await changeLanguage('en');
});

function show(part: ReactNode) {
  const view = render(<MemoryRouter>{part}</MemoryRouter>);
  return { ...view, user: startUser() };
}

const HOUR_AGO = () => new Date(Date.now() - 3_600_000).toISOString();

test.each([
  [{ posted_by: 'owner' }, ['Lost']],
  [{ posted_by: 'finder' }, ['Found']],
  [{ posted_by: 'owner', is_found: true }, ['Found and returned']],
  [{ posted_by: 'owner', state: 'closed' }, ['Lost', 'Closed']],
  [{ posted_by: 'owner', state: 'resting' }, ['Lost', 'Resting']],
  [{ posted_by: 'finder', is_hidden: true }, ['Found', 'Hidden']],
  [{ posted_by: 'finder', community_name: 'Shule ya Mbezi' }, ['Found', 'Shule ya Mbezi']],
] as const)('a post says in words how it stands: %j', (overrides, words) => {
  const { container } = show(<PostBadges post={aPost(overrides)} />);
  const badges = Array.from(container.firstElementChild?.children ?? [], ({ textContent }) => textContent);
  expect(badges).toEqual(words);
  expect(container.querySelectorAll('svg')).toHaveLength(words.length);
});

test('the facts of a post are those that it has', () => {
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

test('a title leads to its post', () => {
  show(<PostLink post={{ id: 'post-x', title: 'Funguo' }} />);
  expect(screen.getByRole('link', { name: 'Funguo' })).toHaveAttribute('href', '/posts/post-x');
  expect(screen.getByRole('link')).toHaveAttribute('dir', 'auto');
});

test('a photo says what it shows, or of which post it is, and comes when it is in sight', () => {
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

test('where data is to be saved a photo comes when it is asked for, and takes the focus', async () => {
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
])('%s can be called, and written to where it can have WhatsApp', (phone, chat) => {
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

test('a message to whoever reads a claim is another than to whoever reads a post', () => {
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
])('whoever is logged in (%s) claims at %s', async (isSignedIn, address) => {
  if (isSignedIn) signInAs({ token: 'a-token', userId: 'a-user' });
  const onClick = vi.fn();
  const { user } = show(<ThisIsMine postId="post-x" onClick={onClick} />);
  const link = screen.getByRole('link', { name: 'This is mine' });
  expect(link).toHaveAttribute('href', address);
  await user.click(link);
  expect(onClick).toHaveBeenCalledOnce();
});

test('what strangers should know before they meet stands under its name', () => {
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
])('online: %s, outdated: %s, kept: %i: what is read is said to be kept: %s', (isOnline, isOutdated, kept, isSaid) => {
  if (!isOnline) loseNetwork();
  show(<SeenBefore updatedAt={kept * (Date.now() - 3_600_000)} isOutdated={isOutdated} />);
  if (isSaid) expect(screen.getByRole('status')).toHaveTextContent('Saved on this phone, last updated 1 hour ago.');
  else expect(screen.queryByRole('status')).toBeNull();
});

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
  ['is on its way', true, {}, 'Sending…'],
  ['waits for a busy service', true, { sendAfter: 1 }, /^Saved on this phone. The service could not accept it/],
  ['waits for a network', false, {}, /^Saved on this phone. It is posted once, automatically/],
  ['was refused', true, { refusal: 'Title is required.' }, 'This post was not accepted. Title is required.'],
] as const)('a post that %s says so', async (_state, isOnline, pending, text) => {
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
});

test('a post that waits is taken back, and no other with it', async () => {
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
