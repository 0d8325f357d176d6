import { fireEvent, screen, within } from '@testing-library/react';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import type { QueuedCase } from '#web/admin/api.ts';
import { serveWrite } from './support/account.ts';
import { ASHA, aCase, JUMA, minutesAgo, openAdmin, REPORT, serveAdmin, servePages } from './support/admin.ts';
import { aPost } from './support/posts.ts';

// Loaded once asked for, which on a busy machine takes longer than a test waits.
beforeAll(() => import('#web/admin/admin-screen.tsx'));
beforeEach(serveAdmin);

async function openCase(overrides: Partial<QueuedCase> = {}, search = '?tab=reports') {
  servePages('reports', [aCase(overrides)]);
  const view = await openAdmin(search);
  const card = await screen.findByRole('listitem', { name: 'Simu kwa bei nafuu' });
  return { ...view, card, inside: within(card) };
}

test('a case shows the post as it stands, since when it waits, and which keys decide', async () => {
  const post = aPost({ id: 'simu', title: 'Simu kwa bei nafuu', location: 'Mbezi Mwisho', community_name: 'Shule' });
  const { inside } = await openCase({ post, since: minutesAgo(180) });
  expect(screen.getByRole('region', { name: 'Reports' })).toBeInTheDocument();
  expect(screen.getByText(/With the focus on a post: K keeps it/)).toBeInTheDocument();
  expect(inside.getByText('First reported 3 hours ago')).toBeInTheDocument();
  expect(inside.getByRole('link', { name: post.title })).toHaveAttribute('href', '/admin?post=simu');
  for (const text of [post.title, 'Mbezi Mwisho', 'Ina kava la bluu'])
    expect(inside.getByText(text)).toHaveAttribute('dir', 'auto');
  for (const text of ['Neema Mushi', '0712345678', 'Shule']) expect(inside.getByText(text)).toBeInTheDocument();
  for (const text of ['Its author has changed it', /^Hidden/]) expect(inside.queryByText(text)).toBeNull();
  for (const [name, letter] of [
    ['Keep', 'k'],
    ['Hide', 'h'],
    ['Suspend author', 's'],
  ])
    expect(inside.getByRole('button', { name })).toHaveAttribute('aria-keyshortcuts', letter);
  expect(inside.queryByRole('button', { name: 'Undo' })).toBeNull();
});

test('a post that is hidden already says by what, and is shown again instead of kept', async () => {
  const post = aPost({ title: 'Simu kwa bei nafuu', is_hidden: true, hidden_by: ['reports'] });
  const { inside } = await openCase({ post, is_edited: true, author: { ...JUMA, is_suspended: true } });
  for (const text of ['Hidden by reports', 'Its author has changed it', 'Suspended'])
    expect(inside.getByText(text)).toBeInTheDocument();
  expect(inside.getByRole('button', { name: 'Show again' })).toBeInTheDocument();
  for (const name of ['Keep', 'Suspend author']) expect(inside.queryByRole('button', { name })).toBeNull();
});

test('what the post does not say takes no place, and where nothing is said against it either', async () => {
  const post = aPost({ title: 'Simu kwa bei nafuu', phone_number: null, description: '' });
  const { inside } = await openCase({ post, reports: [], reporters: [] });
  expect(inside.getAllByRole('paragraph').map(({ textContent }) => textContent)).toEqual(['First reported now']);
  expect(inside.queryByRole('heading', { name: /report/ })).toBeNull();
  expect(inside.queryByText(/What is known of/)).toBeNull();
});

test('each report says why and by whom; a reporter whose account is gone is nobody', async () => {
  const reports = [
    { ...REPORT, created_at: minutesAgo(120) },
    { ...REPORT, reason: 'other' as const, text: null, reporter_id: null },
  ];
  const { inside } = await openCase({ reports, reporters: [ASHA, { ...JUMA, id: 'rehema', username: 'Rehema' }] });
  const list = within(inside.getByRole('heading', { level: 3, name: '2 reports' }).parentElement as HTMLElement);
  expect(list.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
    'ScamAnadai pesaBy Asha, 2 hours ago',
    'Something elseBy somebody who deleted their account, now',
  ]);
  expect(list.getByText('Anadai pesa')).toHaveAttribute('dir', 'auto');
  expect(inside.getByText('What is known of the 2 reporters')).toBeInTheDocument();
});

test('what is known of the author and of who reports stands under their names', async () => {
  const { inside } = await openCase({
    author: { ...JUMA, is_number_proven: true, post_count: 1, reports_against: 1, reports_made: 4 },
    reporters: [{ ...ASHA, created_at: '2026-10-05T09:00:00.000Z', is_suspended: true }],
  });
  // The reporters are folded away.
  const factsOf = (name: string) => {
    const heading = inside.getByRole('heading', { level: 3, name, hidden: true });
    return Array.from(heading.parentElement?.querySelectorAll('li') ?? [], ({ textContent }) => textContent);
  };
  const ofAuthor = ['Number confirmed', '1 post', 'Reported 1 time', 'Has reported 4 posts'];
  expect(factsOf('Posted by: Juma')).toEqual(['On Patikana since 1 November 2026', ...ofAuthor]);
  const ofReporter = ['Number not confirmed', '3 posts', 'Reported 0 times', 'Has reported 1 post', 'Suspended'];
  expect(factsOf('Reported by: Asha')).toEqual(['On Patikana since 5 October 2026', ...ofReporter]);
  expect(inside.getByText('What is known of the reporter')).toBeInTheDocument();
  for (const name of ['Juma', 'Asha'])
    expect(inside.getByRole('link', { name, hidden: true })).toHaveAttribute(
      'href',
      `/admin?person=${name.toLowerCase()}`,
    );
});

test.each([
  ['hidden', 9, 'It is hidden.', 'Undo', 'u'],
  ['hidden', 11, 'It is hidden.', 'Show again', 'k'],
  ['restored', 9, 'You kept it.', 'Undo', 'u'],
  ['restored', 11, 'You kept it.', 'Hide', 'h'],
] as const)('what was decided (%s, %i minutes ago) says so, and what can be done now', async (...given) => {
  const [decision, minutes, sentence, name, letter] = given;
  const decided_at = minutesAgo(minutes);
  const decided = { status: 'decided', decision, decided_at, since: decided_at } as const;
  const { inside } = await openCase(decided, '?tab=decidedReports');
  expect(screen.getByRole('region', { name: 'Decided' })).toBeInTheDocument();
  expect(screen.queryByText(/With the focus on a post/)).toBeNull();
  expect(inside.getByText(`Decided ${minutes} minutes ago`)).toBeInTheDocument();
  expect(inside.getByText(sentence)).toBeInTheDocument();
  expect(inside.getAllByRole('button').map((button) => button.getAttribute('aria-keyshortcuts'))).toEqual([letter]);
  expect(inside.getByRole('button', { name })).toBeInTheDocument();
});

test('keys with another one held, held down or of no button decide nothing; capitals do', async () => {
  const kept = serveWrite('post', '/admin/posts/:id/restore');
  const { card, inside, user } = await openCase();
  inside.getByRole('link', { name: 'Simu kwa bei nafuu' }).focus();
  for (const held of ['ctrlKey', 'metaKey', 'altKey', 'repeat'])
    expect(fireEvent.keyDown(card, { key: 'k', [held]: true })).toBe(true);
  for (const key of ['u', 'x', 'Tab']) expect(fireEvent.keyDown(card, { key })).toBe(true);
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(kept).toEqual([]);
  // A letter that decides is not also what browsers make of it, such as a search in the page.
  expect(fireEvent.keyDown(card, { key: 'H' })).toBe(false);
  const dialog = within(screen.getByRole('dialog'));
  await user.click(dialog.getByRole('button', { name: 'Cancel' }));
  fireEvent.keyDown(card, { key: 'K' });
  expect(await inside.findByText('You kept it.')).toBeInTheDocument();
  expect(kept).toEqual([{ reason: null }]);
});

test.each(['"', '\\', "'"])(
  'a key that means something in a selector, such as %s, is one of no button',
  async (key) => {
    const { card } = await openCase();
    expect(fireEvent.keyDown(card, { key })).toBe(true);
  },
);
