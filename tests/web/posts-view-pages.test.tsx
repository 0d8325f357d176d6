import { act, screen, waitFor } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { expect, onTestFinished, test, vi } from 'vitest';
import { aPost, refuse, serveList } from './support/posts.ts';
import { renderScreen } from './support/render-screen.tsx';
import { server } from './support/setup.ts';

/** A browser in which the end of a list is near as soon as somebody looks for it, or never. */
function stubEnd(isNear: boolean) {
  const seen = { margins: [] as unknown[], watched: 0 };
  vi.stubGlobal(
    'IntersectionObserver',
    class {
      readonly #tell: (entries: { isIntersecting: boolean }[]) => void;
      constructor(tell: (entries: { isIntersecting: boolean }[]) => void, options?: IntersectionObserverInit) {
        this.#tell = tell;
        seen.margins.push(options?.rootMargin);
      }
      observe() {
        seen.watched++;
        queueMicrotask(() => act(() => this.#tell([{ isIntersecting: isNear }])));
      }
      disconnect() {
        seen.watched--;
      }
    },
  );
  onTestFinished(() => void vi.unstubAllGlobals());
  return seen;
}

test('pages without anything that fits are passed over by themselves, five of them; then the reader says whether to go on', async () => {
  stubEnd(true);
  const queries = serveList('/posts', [], [], [], [], [], [], [aPost({ title: 'Ya zamani' })]);
  const { user } = await renderScreen('/view-posts?search=zz');
  await waitFor(() => expect(queries).toHaveLength(5));
  expect(await screen.findByText(/^Nothing/)).toBeVisible();
  const more = await screen.findByRole('button', { name: 'Show older posts' });
  await user.click(more);
  await waitFor(() => expect(queries).toHaveLength(6));
  expect(screen.queryByText('Ya zamani')).toBeNull();
  await user.click(await screen.findByRole('button', { name: 'Show older posts' }));
  expect(await screen.findByText('Ya zamani')).toBeVisible();
});

test('as long as there is something to read the pages come before their end is reached, one at a time', async () => {
  const seen = stubEnd(true);
  const queries = serveList('/posts', [aPost()], [aPost()], [aPost({ title: 'Wa mwisho' })]);
  await renderScreen('/view-posts');
  expect(await screen.findByText('Wa mwisho')).toBeVisible();
  expect(queries.map((query) => query.get('cursor'))).toEqual([null, '1', '2']);
  expect(new Set(seen.margins)).toEqual(new Set(['600px']));
  expect(seen.watched).toBe(0);
  expect(screen.queryByRole('button', { name: 'Show older posts' })).toBeNull();
});

test('an end that is far away asks for nothing', async () => {
  const seen = stubEnd(false);
  const queries = serveList('/posts', [aPost()], [aPost()]);
  await renderScreen('/view-posts');
  await screen.findByRole('button', { name: 'Show older posts' });
  await waitFor(() => expect(seen.watched).toBe(1));
  expect(queries).toHaveLength(1);
});

test('a next page that cannot be had is told of, not asked for again by itself, and comes with the button', async () => {
  const seen = stubEnd(false);
  serveList('/posts', [aPost({ title: 'Mpya' })], [aPost({ title: 'Ya zamani' })]);
  const { user } = await renderScreen('/view-posts');
  const button = await screen.findByRole('button', { name: 'Show older posts' });
  server.use(http.get('*/api/posts', () => refuse(403, 'forbidden', 'Not now.'), { once: true }));
  await user.click(button);
  expect(await screen.findByText('Error loading posts: Not now.')).toBeInTheDocument();
  expect(screen.getByText('Mpya')).toBeVisible();
  expect(seen.watched).toBe(0);
  await user.click(screen.getByRole('button', { name: 'Show older posts' }));
  expect(await screen.findByText('Ya zamani')).toBeVisible();
});

test('while a page is on its way its button says so and takes no other press', async () => {
  const queries = serveList('/posts', [aPost()], [aPost()]);
  const { user } = await renderScreen('/view-posts');
  const button = await screen.findByRole('button', { name: 'Show older posts' });
  const answer = Promise.withResolvers<Response>();
  let asked = 0;
  server.use(
    http.get('*/api/posts', () => {
      asked++;
      return answer.promise as never;
    }),
  );
  await user.click(button);
  await waitFor(() => expect(button).toHaveAttribute('aria-busy', 'true'));
  expect(button).not.toHaveTextContent('Show older posts');
  await user.click(button);
  answer.resolve(HttpResponse.json([{ Post: aPost({ title: 'Ya zamani' }) }]));
  expect(await screen.findByText('Ya zamani')).toBeVisible();
  expect([queries.length, asked]).toEqual([1, 1]);
});

test('a list that is searched anew is said to be busy until the answer is there', async () => {
  serveList('/posts', [aPost({ title: 'Funguo za gari' })]);
  const { user } = await renderScreen('/view-posts');
  const results = await screen.findByRole('region', { name: 'Posts' });
  expect(results).toHaveAttribute('aria-busy', 'false');
  const answer = Promise.withResolvers<Response>();
  server.use(http.get('*/api/posts', () => answer.promise as never));
  await user.type(screen.getByLabelText('Search posts'), 'gari');
  await waitFor(() => expect(screen.getByRole('region', { name: 'Posts' })).toHaveAttribute('aria-busy', 'true'));
  answer.resolve(HttpResponse.json([{ Post: aPost({ title: 'Gari' }) }]));
  await waitFor(() => expect(screen.getByRole('region', { name: 'Posts' })).toHaveAttribute('aria-busy', 'false'));
});

test('while the first posts are on their way, that is said', async () => {
  server.use(http.get('*/api/posts', () => new Promise<never>(() => undefined)));
  await renderScreen('/view-posts');
  expect((await screen.findByText(/^Loading/)).closest('[role=status]')).not.toBeNull();
  expect(screen.queryByText('0 posts shown')).toBeNull();
});
