import { act, screen, waitFor } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { queryKeys } from '#web/lib/query-keys.ts';
import { holdTime, loseNetwork } from './support/phone.ts';
import { openForm, serveSubmit } from './support/post-form.tsx';
import { aPost, refuse, serveList, serveNothingElse } from './support/posts.ts';
import { server } from './support/setup.ts';
import { keepAnswers } from './support/stale.ts';

beforeEach(() => {
  serveNothingElse();
  serveList('/posts', []);
  serveList('/posts/by-owner', []);
});
afterEach(() => vi.useRealTimers());

const drafts = () => Object.keys(localStorage).filter((key) => key.startsWith('postDraft'));

test('once it is posted the form stays locked, keeps nothing more, and is no step to go back to', async () => {
  const sent = serveSubmit(({ body }) => HttpResponse.json(aPost({ ...body, id: 'just-posted' })));
  const { user, fill, submit, field, router } = await openForm();
  await fill();
  const known = [queryKeys.posts.own('a-user'), queryKeys.matches.counts];
  const stale = keepAnswers(...known);
  holdTime();
  await submit();
  await screen.findAllByText('Post created successfully!');
  expect(stale()).toEqual(known);
  await user.type(field('title'), ' za gari{Enter}');
  expect(drafts()).toEqual([]);
  expect(screen.getByRole('button', { name: 'Please wait…' })).toHaveAttribute('aria-busy', 'true');
  expect(sent).toHaveLength(1);
  await act(() => vi.advanceTimersByTimeAsync(3_100));
  expect(router.state.location).toMatchObject({ pathname: '/view-posts', state: { posted: 'just-posted' } });
  expect(router.state.historyAction).toBe('REPLACE');
});

test('the form that is left before it goes on by itself stays left', async () => {
  serveSubmit();
  const { fill, submit, router } = await openForm();
  await fill();
  holdTime();
  await submit();
  await screen.findAllByText('Post created successfully!');
  await act(() => router.navigate('/claims'));
  await act(() => vi.advanceTimersByTimeAsync(5_000));
  expect(router.state.location.pathname).toBe('/claims');
});

test('a busy service is said, and the post is among one’s own, to be sent by itself', async () => {
  server.use(
    http.post('*/api/posts', () =>
      HttpResponse.json({ code: 'unavailable' }, { status: 503, headers: { 'Retry-After': '60' } }),
    ),
  );
  const { fill, submit, router } = await openForm();
  await fill();
  holdTime();
  await submit();
  const sentence = 'The service is busy. Your post is saved on this phone and sent again automatically.';
  // In the toast, and in the form.
  await waitFor(() => expect(screen.getAllByText(sentence)).toHaveLength(2));
  expect(drafts()).toEqual([]);
  expect(localStorage.getItem('outbox:a-user')).toContain('Funguo');
  await act(() => vi.advanceTimersByTimeAsync(3_100));
  expect(router.state.location).toMatchObject({ pathname: '/my-posts', state: {} });
});

test('an update that finds no network is not kept for later, and says that nothing is lost', async () => {
  const post = aPost({ title: 'Funguo', is_mine: true });
  server.use(http.get('*/api/posts/:id', () => HttpResponse.json(post)));
  serveSubmit(() => HttpResponse.error());
  const { user, field, router } = await openForm('en', { state: { mode: 'update', post } });
  await user.type(field('title'), ' za gari');
  loseNetwork();
  await user.click(screen.getByRole('button', { name: 'Save changes' }));
  expect(
    await screen.findByText('There was no answer. Check your connection; what you have typed is saved.'),
  ).toBeVisible();
  expect(screen.queryByText(/^Saved on this phone/)).toBeNull();
  expect(field('title')).toHaveValue('Funguo za gari');
  expect(drafts()).toHaveLength(1);
  expect(router.state.location.pathname).toBe('/create-post');
});

test('of a session that ended nothing more is said than to log in', async () => {
  serveSubmit(() => refuse(401, 'unauthorized', 'You need to log in to do this.'));
  const { fill, submit } = await openForm();
  await fill();
  await submit();
  await screen.findAllByText('To create a post make sure you have logged in.');
  expect(screen.queryByText('You need to log in to do this.')).toBeNull();
  expect(screen.queryByText(/^There was no answer/)).toBeNull();
});

test('while it is looked whether the same was posted today, a second press sends nothing more', async () => {
  const looked = Promise.withResolvers<Response>();
  server.use(http.get('*/api/posts/by-owner', () => looked.promise as never));
  const sent = serveSubmit();
  const { user, fill, submit } = await openForm();
  await fill();
  await submit();
  const button = screen.getByRole('button', { name: 'Please wait…' });
  expect(button).toHaveAttribute('aria-disabled', 'true');
  await user.click(button);
  looked.resolve(HttpResponse.json([]));
  await screen.findAllByText('Post created successfully!');
  expect(sent).toHaveLength(1);
});

test('a list of one’s own that takes too long holds up no post', async () => {
  const timeout = vi.spyOn(AbortSignal, 'timeout');
  onTestFinished(() => timeout.mockRestore());
  const end = new AbortController();
  timeout.mockReturnValueOnce(end.signal);
  server.use(http.get('*/api/posts/by-owner', () => new Promise<never>(() => undefined)));
  const sent = serveSubmit();
  const { fill, submit } = await openForm();
  await fill();
  await submit();
  await waitFor(() => expect(timeout).toHaveBeenCalledWith(3_000));
  expect(sent).toEqual([]);
  end.abort();
  await waitFor(() => expect(sent).toHaveLength(1));
});
