import { screen, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { create } from 'qrcode';
import { beforeEach, expect, test, vi } from 'vitest';
import type { Post } from '#contract/posts.ts';
import { aPost, refuse, serveNothingElse } from './support/posts.ts';
import { renderScreen } from './support/render-screen.tsx';
import { server } from './support/setup.ts';

beforeEach(serveNothingElse);

const NIDA = {
  id: 'post-x',
  title: 'Kitambulisho cha NIDA',
  location: 'Kariakoo',
  phone_number: '0754111222',
  created_at: '2026-11-17T09:00:00.000Z',
};

/** Serves a post to its reader as `post`, and to a visitor as `shown`, which is null where they may not see it. */
function serve(post: Post, shown: Post | null = { ...post, is_mine: false, phone_number: null }): void {
  server.use(
    http.get('*/api/posts/:id', ({ request }) => {
      if (request.headers.has('Authorization')) return HttpResponse.json(post);
      return shown === null ? refuse(404, 'post_not_found', 'This post does not exist.') : HttpResponse.json(shown);
    }),
  );
}

async function openPoster(isSignedIn = true) {
  const view = await renderScreen('/posts/post-x/poster', { isSignedIn });
  return { ...view, sheet: await screen.findByRole('region', { name: 'Preview of the poster' }) };
}

test('the poster says in both languages what was found, where and when, and leads to its page', async () => {
  serve(aPost(NIDA));
  const { sheet } = await openPoster(false);
  for (const words of ['Kimeokotwa', 'Found', 'Je, ni chako?', 'Is it yours?']) {
    expect(within(sheet).getByText(words)).toBeInTheDocument();
  }
  expect(within(sheet).getByRole('heading', { level: 2 })).toHaveTextContent(NIDA.title);
  for (const words of within(sheet).getAllByText(NIDA.title)) expect(words).toHaveAttribute('dir', 'auto');
  expect(within(sheet).getByText('Kariakoo')).toHaveAttribute('dir', 'auto');
  expect(screen.queryByText(/for the members of a community/)).toBeNull();
  expect(sheet).toHaveTextContent('Mahali / PlaceKariakoo');
  expect(sheet).toHaveTextContent('Tarehe / Date17 Novemba 2026 / 17 November 2026');
  expect(within(sheet).getByRole('img', { name: `${location.origin}/p/post-x` })).toBeInTheDocument();
  expect(within(sheet).getAllByText(`${location.host}/p/post-x`)).toHaveLength(8);
});

test('the first photo hangs with it', async () => {
  const photo = { id: 'a', url: '/photos/a.webp', thumbnail_url: '/photos/a-s.webp', width: 4, height: 3, alt: 'Begi' };
  serve(aPost({ ...NIDA, photos: [photo, { ...photo, url: '/photos/b.webp', alt: '' }] }));
  const { sheet } = await openPoster();
  expect(within(sheet).getByRole('img', { name: 'Begi' })).toHaveAttribute('src', '/photos/a.webp');
  expect(sheet.querySelectorAll('img')).toHaveLength(1);
});

test('a lost thing’s poster asks who has seen it', async () => {
  serve(aPost({ ...NIDA, posted_by: 'owner' }));
  const { sheet } = await openPoster();
  expect(sheet).toHaveTextContent(/KimepoteaLost/);
  expect(sheet).toHaveTextContent(/Je, umekiona\?.*Have you seen it\?/);
});

test('a number is printed only where its author says so, each time anew', async () => {
  serve(aPost({ ...NIDA, is_mine: true }));
  const { user, sheet } = await openPoster();
  expect(sheet).not.toHaveTextContent('0754111222');
  const tick = screen.getByRole('checkbox', { name: 'Also print my number 0754111222' });
  await user.click(tick);
  expect(within(sheet).getAllByText('0754111222')).toHaveLength(9);
  await user.click(tick);
  expect(sheet).not.toHaveTextContent('0754111222');
});

test('nobody else is offered to print a number, though they see it', async () => {
  serve(aPost(NIDA));
  await openPoster();
  expect(screen.queryByRole('checkbox')).toBeNull();
  expect(document.body).not.toHaveTextContent('0754111222');
});

test('what visitors are not shown does not hang on a wall', async () => {
  serve(aPost({ ...NIDA, title: 'NIDA 19900101-12345', is_mine: true }), aPost({ ...NIDA, title: 'NIDA •••2345' }));
  const { sheet } = await openPoster();
  expect(sheet).toHaveTextContent('NIDA •••2345');
  expect(document.body).not.toHaveTextContent('1990');
});

test('a community’s poster, for its members, names nothing of the post', async () => {
  serve(aPost({ ...NIDA, is_mine: true, community_code: 'ABC', community_name: 'Shule ya Mbezi' }), null);
  const { sheet } = await openPoster();
  expect(sheet).toHaveTextContent('A post for the members of our community');
  expect(sheet).toHaveTextContent(/then log in to read the post\./);
  expect(screen.getByText(/^This post is for the members of a community/)).toBeVisible();
  for (const secret of [NIDA.title, 'Kariakoo', 'Found', 'Shule', '0754111222'])
    expect(sheet).not.toHaveTextContent(secret);
  expect(screen.queryByRole('checkbox')).toBeNull();
});

test.each(['returned', 'closed', 'resting'] as const)(
  'of a post that is %s there is nothing to print',
  async (state) => {
    serve(aPost({ ...NIDA, is_mine: true, state, is_found: state === 'returned' }));
    await renderScreen('/posts/post-x/poster', { isSignedIn: true });
    expect(await screen.findByText(/no longer open/)).toBeInTheDocument();
    expect(screen.queryByRole('button', { name: 'Print' })).toBeNull();
  },
);

test('whoever may not see the post cannot print it', async () => {
  server.use(http.get('*/api/posts/:id', () => refuse(404, 'post_not_found', 'This post does not exist.')));
  await renderScreen('/posts/post-x/poster', { isSignedIn: true });
  expect(await screen.findByText('This post does not exist.')).toBeInTheDocument();
  expect(screen.queryByRole('button', { name: 'Print' })).toBeNull();
});

test('the button opens the print dialog', async () => {
  serve(aPost(NIDA));
  const print = vi.spyOn(window, 'print').mockImplementation(() => undefined);
  const { user } = await openPoster();
  await user.click(screen.getByRole('button', { name: 'Print' }));
  expect(print).toHaveBeenCalledOnce();
});

test('back leads to the post', async () => {
  serve(aPost(NIDA));
  const { user, router } = await openPoster();
  await user.click(screen.getByRole('button', { name: 'Back' }));
  expect(router.state.location.pathname).toBe('/posts/post-x');
});

test('the code holds the link, with the white around it that scanners need', async () => {
  serve(aPost(NIDA));
  const { sheet } = await openPoster();
  const link = `${location.origin}/p/post-x`;
  const { modules } = create(link, { errorCorrectionLevel: 'M' });
  const code = within(sheet).getByRole('img', { name: link });
  const side = modules.size + 8;
  expect(code).toHaveAttribute('viewBox', `0 0 ${side} ${side}`);
  const [background, squares] = code.children;
  expect([background?.getAttribute('width'), background?.getAttribute('height')]).toEqual([`${side}`, `${side}`]);
  const drawn = [...(squares?.getAttribute('d') ?? '').matchAll(/M(\d+) (\d+)h1v1h-1z/g)].map(
    ([, x, y]) => `${x},${y}`,
  );
  const dark: string[] = [];
  for (let y = 0; y < modules.size; y++)
    for (let x = 0; x < modules.size; x++) if (modules.get(y, x)) dark.push(`${x + 4},${y + 4}`);
  expect(drawn).toEqual(dark);
});
