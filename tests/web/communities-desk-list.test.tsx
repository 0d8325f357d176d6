import { screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, expect, test, vi } from 'vitest';
import type { Post } from '#contract/posts.ts';
import { thingNumber } from '#web/lib/thing-number.ts';
import { refuse, SCHOOL, serveSchool } from './support/communities.ts';
import { loseNetwork } from './support/phone.ts';
import { aPost, serveList } from './support/posts.ts';
import { renderScreen } from './support/render-screen.tsx';
import { server } from './support/setup.ts';

const CODE = SCHOOL.community_code;
const YESTERDAY = new Date(Date.now() - 24 * 60 * 60 * 1000).toISOString();
const own = (overrides: Partial<Post> = {}) => aPost({ is_mine: true, community_code: CODE, ...overrides });

/** Answers what the reader has posted, page by page. @returns the cursors that were asked for. */
function serveOwnPosts(...pages: Post[][]) {
  const cursors: string[] = [];
  server.use(
    http.get('*/api/posts/by-owner', ({ request }) => {
      const cursor = new URL(request.url).searchParams.get('cursor') ?? '';
      cursors.push(cursor);
      const index = Number(cursor);
      const headers = new Headers();
      if (index + 1 < pages.length) headers.set('Link', `</api/posts/by-owner?cursor=${index + 1}>; rel="next"`);
      return HttpResponse.json(
        (pages[index] ?? []).map((post) => ({ Post: post })),
        { headers },
      );
    }),
  );
  return cursors;
}

const open = (language: 'en' | 'sw' = 'en') => renderScreen('/communities/school/desk', { isSignedIn: true, language });
const sheet = () => document.querySelector<HTMLElement>('body > .desk-sheet');

beforeEach(() => {
  serveSchool();
  serveOwnPosts([]);
  window.print = vi.fn();
});

test('today counts what was posted here today, on as many pages as it takes, and no further', async () => {
  const cursors = serveOwnPosts(
    [own(), own({ community_code: null })],
    [own(), own({ created_at: YESTERDAY })],
    [own()],
  );
  await open();
  expect(await screen.findByText('2 posted today')).toBeInTheDocument();
  expect(cursors).toEqual(['', '1']);
  expect(screen.getByRole('heading', { level: 2, name: 'The desk' })).toBeInTheDocument();
});

test('a count that is not known is not said, and the desk is there all the same', async () => {
  server.use(http.get('*/api/posts/by-owner', refuse(403, {})));
  await open();
  expect(await screen.findByRole('textbox', { name: 'Title' })).toBeInTheDocument();
  expect(screen.queryByText(/posted today/)).toBeNull();
});

test('the list has everything that is open, the oldest first, with whose it may be and where it lies', async () => {
  const queries = serveList(
    '/posts',
    [
      aPost({ id: 'new', title: 'Kofia', location: 'Darasani', owner_first_name: 'Juma', owner_last_name: 'Hassan' }),
      aPost({ title: 'Imefichwa', is_hidden: true }),
    ],
    [
      aPost({
        id: 'old',
        title: 'Begi',
        kept_at: 'Rafu ya 2',
        location: 'Uwanjani',
        created_at: '2026-11-02T09:00:00Z',
      }),
    ],
  );
  const { user } = await open();
  await user.click(await screen.findByRole('button', { name: 'Print the list' }));
  const said = await screen.findByText('2 items are on the list.');
  expect(said).toHaveAttribute('role', 'status');
  await waitFor(() => expect(window.print).toHaveBeenCalledOnce());
  expect(sheet()).toHaveAttribute('aria-hidden', 'true');
  const [head, old, recent, ...more] = within(sheet() as HTMLElement).getAllByRole('row', { hidden: true });
  expect(head).toHaveTextContent(/^NumberItemWhere it isSinceReturned$/);
  expect(old).toHaveTextContent(`${thingNumber('old')}BegiNeema MushiRafu ya 22 November 2026`);
  expect(recent).toHaveTextContent(`${thingNumber('new')}KofiaJuma HassanDarasani`);
  expect(more).toEqual([]);
  expect(sheet()).toHaveTextContent(/Items that wait for their owners on \d+ \w+ \d{4}/);
  expect(queries.map((query) => query.get('cursor') ?? '')).toEqual(['', '1']);
});

test.each([
  ['en', 'Print the list', 'No item is waiting for its owner at the moment.'],
  ['sw', 'Chapisha orodha', /^Kwa sasa hakuna/],
] as const)('in %s nothing is printed where nothing waits, and that is said', async (language, button, sentence) => {
  serveList('/posts', []);
  const { user } = await open(language);
  await user.click(await screen.findByRole('button', { name: button }));
  expect(await screen.findByText(sentence)).toBeInTheDocument();
  expect(window.print).not.toHaveBeenCalled();
  expect(sheet()).toBeNull();
});

test('a list that cannot be read says why, prints nothing, and is asked for once at a time', async () => {
  const answered = Promise.withResolvers<void>();
  let count = 0;
  server.use(
    http.get('*/api/posts', async () => {
      count++;
      await answered.promise;
      return HttpResponse.error();
    }),
  );
  const { user } = await open();
  const list = within(await screen.findByRole('region', { name: 'List of stored items' }));
  await user.dblClick(list.getByRole('button', { name: 'Print the list' }));
  answered.resolve();
  expect(await list.findByRole('alert')).toHaveTextContent('There was no answer.');
  expect(count).toBe(1);
  expect(window.print).not.toHaveBeenCalled();
  serveList('/posts', [aPost()]);
  await user.click(list.getByRole('button', { name: 'Print the list' }));
  await waitFor(() => expect(window.print).toHaveBeenCalledOnce());
  expect(list.queryByRole('alert')).toBeNull();
});

test('a thing that waits on the phone stands at the desk', async () => {
  server.use(http.post('*/api/posts', () => HttpResponse.error()));
  loseNetwork();
  const { user } = await open();
  await user.type(await screen.findByRole('textbox', { name: 'Title' }), 'Begi jekundu');
  await user.type(screen.getByRole('textbox', { name: 'Location' }), 'Uwanjani');
  await user.type(screen.getByRole('textbox', { name: 'Phone number' }), '0712345678{Enter}');
  await screen.findByText(/is saved on this phone/);
  expect(await screen.findByRole('heading', { name: 'Begi jekundu' })).toBeInTheDocument();
});

test('whoever may not use the desk is led to the page of the community', async () => {
  serveSchool({ approval_status: 0 });
  await open();
  expect(await screen.findByRole('link', { name: 'Open the community' })).toHaveAttribute(
    'href',
    '/communities/school',
  );
  expect(screen.queryByRole('textbox', { name: 'Title' })).toBeNull();
});
