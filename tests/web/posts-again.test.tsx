import { act, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { loseNetwork } from './support/phone.ts';
import { openForm, serveSubmit } from './support/post-form.tsx';
import { aPost, refuse, serveList, serveNothingElse } from './support/posts.ts';
import { server } from './support/setup.ts';

const AGAIN = {
  en: 'You already posted the same today. Post it again?',
  sw: 'Umetangaza kitu hiki hiki leo. Utangaze tena?',
};

beforeEach(() => {
  serveNothingElse();
  serveList('/posts', []);
});
afterEach(() => vi.useRealTimers());

test.each([
  ['en', 'Yes, post it again'],
  ['sw', 'Ndiyo, tangaza tena'],
] as const)('the same title once more today is asked about in %s, and sent when it is meant', async (language, yes) => {
  serveList('/posts/by-owner', [aPost({ title: '  FUNGUO   za gari', is_mine: true })]);
  const sent = serveSubmit();
  const { user, fill, submit } = await openForm(language);
  await fill('Funguo za Gari');
  await submit();
  expect(await screen.findByRole('group', { name: AGAIN[language] })).toBeVisible();
  expect(screen.getByRole('button', { name: yes })).toHaveFocus();
  expect(sent).toEqual([]);
  await user.click(screen.getByRole('button', { name: yes }));
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(screen.queryByText(AGAIN[language])).toBeNull();
});

test('when it is not meant nothing is sent or lost, and the next press asks again', async () => {
  serveList('/posts/by-owner', [aPost({ title: 'Funguo', is_mine: true })]);
  const sent = serveSubmit();
  const { user, fill, submit, field } = await openForm();
  await fill();
  await submit();
  await user.click(await screen.findByRole('button', { name: 'No, do not post it' }));
  expect(screen.queryByText(AGAIN.en)).toBeNull();
  expect(screen.getByRole('button', { name: 'Post item' })).toHaveFocus();
  expect(field('title')).toHaveValue('Funguo');
  await submit();
  await screen.findByText(AGAIN.en);
  expect(sent).toEqual([]);
});

test('what is changed before the answer is checked, and sent as it is then', async () => {
  serveList('/posts/by-owner', [aPost({ title: 'Funguo', is_mine: true })]);
  const sent = serveSubmit();
  const { user, fill, submit, field } = await openForm();
  await fill();
  await submit();
  await screen.findByText(AGAIN.en);
  await user.clear(field('location'));
  await user.click(screen.getByRole('button', { name: 'Yes, post it again' }));
  expect(field('location')).toHaveFocus();
  await user.type(field('location'), 'Arusha');
  await submit();
  await waitFor(() => expect(sent).toMatchObject([{ body: { title: 'Funguo', location: 'Arusha' } }]));
});

test.each([
  ['another title', { title: 'Funguo za nyumba' }],
  ['another kind', { posted_by: 'owner' }],
  ['another day', { created_at: new Date(Date.now() - 24 * 60 * 60 * 1000).toISOString() }],
] as const)('%s is not the same', async (_case, difference) => {
  serveList('/posts/by-owner', [aPost({ title: 'Funguo', is_mine: true, ...difference })]);
  const sent = serveSubmit();
  const { fill, submit } = await openForm();
  await fill();
  await submit();
  await waitFor(() => expect(sent).toHaveLength(1));
});

test('a day is one in Tanzania, wherever the phone is', async () => {
  // Two minutes after midnight in Dar es Salaam; in UTC the day before has three hours left.
  vi.useFakeTimers({ now: new Date('2026-11-20T21:02:00Z'), toFake: ['Date'] });
  serveList('/posts/by-owner', [
    aPost({ title: 'Funguo', created_at: '2026-11-20T20:59:00Z' }),
    aPost({ title: 'Begi', created_at: '2026-11-20T21:01:00Z' }),
  ]);
  const sent = serveSubmit();
  const first = await openForm();
  await first.fill('Begi');
  await first.submit();
  await screen.findByText(AGAIN.en);
  await first.user.clear(first.field('title'));
  await first.user.type(first.field('title'), 'Funguo');
  await first.submit();
  await waitFor(() => expect(sent).toHaveLength(1));
});

test.each([
  ['a refusal', () => refuse(500, 'internal_error')],
  ['no answer', () => HttpResponse.error()],
])('%s to what one has posted is no reason to ask, nor to wait', async (_case, answer) => {
  server.use(http.get('*/api/posts/by-owner', answer));
  const sent = serveSubmit();
  const { fill, submit } = await openForm();
  await fill();
  await submit();
  await waitFor(() => expect(sent).toHaveLength(1));
});

test('without a network it is not asked', async () => {
  const asked = serveList('/posts/by-owner', [aPost({ title: 'Funguo', is_mine: true })]);
  serveSubmit(() => HttpResponse.error());
  const { fill, submit } = await openForm();
  await fill();
  loseNetwork();
  await submit();
  await waitFor(() => expect(screen.getAllByText(/^Saved on this phone\./)).not.toEqual([]));
  expect(asked).toEqual([]);
});

test('a try that failed may have made the post, and is sent again without a question', async () => {
  serveList('/posts/by-owner', []);
  let failures = 0;
  const sent = serveSubmit(({ body }) => {
    serveList('/posts/by-owner', [aPost({ title: 'Funguo', is_mine: true })]);
    return failures++ === 0 ? refuse(503, 'unavailable') : HttpResponse.json(aPost(body));
  });
  const { fill, submit } = await openForm();
  await fill();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true });
  await submit();
  await screen.findAllByRole('alert');
  await act(() => vi.advanceTimersByTimeAsync(3_100));
  await submit();
  await screen.findAllByText('Post created successfully!');
  expect(sent).toHaveLength(2);
  expect(sent[1]?.key).toBe(sent[0]?.key);
});

test.each([
  ['en', 'An earlier attempt succeeded: your post is already published.', 'My Posts', 'Post this one too'],
  ['sw', 'Jaribio la awali lilifanikiwa: tangazo lako limeshawekwa.', 'Matangazo Yangu', 'Tangaza hili pia'],
] as const)(
  'when an earlier try of another text came through that is said in %s, and a second post made only where it is meant',
  async (language, said, mine, too) => {
    serveList('/posts/by-owner', []);
    let made = '';
    const sent = serveSubmit(({ key, body }) => {
      made ||= key ?? '';
      return key === made ? refuse(422, 'idempotency_mismatch', 'Another one.') : HttpResponse.json(aPost(body));
    });
    const { user, fill, submit } = await openForm(language);
    await fill();
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true });
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

test('that an earlier try came through is said after a reload too', async () => {
  serveList('/posts/by-owner', []);
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

test('a double click asks once, and sends once', async () => {
  const asked = serveList('/posts/by-owner', []);
  const sent = serveSubmit();
  const { user, fill } = await openForm();
  await fill();
  await user.dblClick(screen.getByRole('button', { name: 'Post item' }));
  await screen.findAllByText('Post created successfully!');
  expect(asked).toHaveLength(1);
  expect(sent).toHaveLength(1);
});

test('an update is no post of the day', async () => {
  const post = aPost({ title: 'Funguo', is_mine: true });
  const asked = serveList('/posts/by-owner', [post]);
  server.use(http.get('*/api/posts/:id', () => HttpResponse.json(post)));
  const sent = serveSubmit();
  const { user } = await openForm('en', { state: { mode: 'update', post } });
  await user.click(screen.getByRole('button', { name: 'Save changes' }));
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(asked).toEqual([]);
});
