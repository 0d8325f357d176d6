import { act, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Post } from '#contract/posts.ts';
import { leaveHttps } from './support/phone.ts';
import { aPost, refuse, serveList, serveNothingElse } from './support/posts.ts';
import { renderScreen } from './support/render-screen.tsx';
import { server } from './support/setup.ts';

beforeEach(serveNothingElse);
afterEach(() => Reflect.deleteProperty(navigator, 'share'));

/** Serves a post to its reader as `post`, and to a visitor as `shown`, which is null where they may not see it. */
function serve(post: Post, shown: Post | null = post): void {
  server.use(
    http.get('*/api/posts/:id', ({ request }) => {
      if (request.headers.has('Authorization')) return HttpResponse.json(post);
      return shown === null ? refuse(404, 'post_not_found', 'This post does not exist.') : HttpResponse.json(shown);
    }),
  );
}

/** Opens the dialog of the post's own page. */
async function openDialog(options: Parameters<typeof renderScreen>[1] = { isSignedIn: true }, name = 'Share') {
  const view = await renderScreen('/posts/post-x', options);
  const button = await screen.findByRole('button', { name });
  await view.user.click(button);
  const dialog = await screen.findByRole('dialog');
  const whatsapp = await within(dialog).findByRole('link', { name: 'WhatsApp' });
  return { ...view, button, dialog, message: new URL((whatsapp as HTMLAnchorElement).href).searchParams.get('text') };
}

const linkIn = (language: string) => `${location.origin}/p/post-x?lang=${language}`;
const NIDA = { id: 'post-x', title: 'Kitambulisho cha NIDA', location: 'Kariakoo' };

test.each([
  ['sw', 'Sambaza', aPost(NIDA), 'Kimeokotwa: Kitambulisho cha NIDA, Kariakoo. Je, unamjua mwenyewe?'],
  ['en', 'Share', aPost(NIDA), 'Found: Kitambulisho cha NIDA, Kariakoo. Do you know the owner?'],
  [
    'sw',
    'Sambaza',
    aPost({ ...NIDA, posted_by: 'owner' }),
    'Kimepotea: Kitambulisho cha NIDA, Kariakoo. Je, umekiona?',
  ],
  ['en', 'Share', aPost({ ...NIDA, posted_by: 'owner' }), 'Lost: Kitambulisho cha NIDA, Kariakoo. Have you seen it?'],
  ['en', 'Share', aPost({ ...NIDA, is_found: true }), /^Found and returned: Kitambulisho cha NIDA, Kariakoo\./],
] as const)('what goes into a chat says what was lost or found, in %s', async (language, share, post, sentence) => {
  serve(post);
  const { message } = await openDialog({ language }, share);
  if (sentence instanceof RegExp) expect(message).toMatch(sentence);
  else expect(message).toBe(`${sentence} ${linkIn(language)}`);
  expect(message).toContain(linkIn(language));
});

test('what visitors are not shown is not passed on, not by the author either', async () => {
  const title = 'NIDA 19900101-12345';
  serve(
    aPost({ ...NIDA, title, is_mine: true, phone_number: '0754111222' }),
    aPost({ ...NIDA, title: 'NIDA •••2345' }),
  );
  const { message, dialog } = await openDialog();
  expect(message).toContain('NIDA •••2345');
  expect(within(dialog).getByText(message as string)).toHaveAttribute('dir', 'auto');
  expect(dialog).not.toHaveTextContent(/1990|0754/);
});

test('of a community’s post nothing is said but that it is for members', async () => {
  serve(aPost({ ...NIDA, community_code: 'ABC', community_name: 'Shule ya Mbezi' }), null);
  const { message } = await openDialog();
  expect(message).toBe(`There is a post for the members of our community: ${linkIn('en')}`);
});

test('without an answer the link goes on all the same, and names nothing', async () => {
  server.use(
    http.get('*/api/posts/:id', ({ request }) =>
      request.headers.has('Authorization') ? HttpResponse.json(aPost(NIDA)) : refuse(404, 'post_not_found'),
    ),
  );
  const { message } = await openDialog();
  expect(message).toBe(`Something was found. Do you know the owner? ${linkIn('en')}`);
});

test('the message is copied, and the focus is back on the button', async () => {
  serve(aPost(NIDA));
  const { user, dialog, message, button } = await openDialog();
  await user.click(within(dialog).getByRole('button', { name: 'Copy the message' }));
  expect(await screen.findByText('Link copied.')).toBeInTheDocument();
  expect(await navigator.clipboard.readText()).toBe(message);
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(button).toHaveFocus();
});

test('the phone’s own sheet gets the sentence and the link; closing it is no failure', async () => {
  serve(aPost(NIDA));
  const share = vi.fn(async () => undefined);
  Object.defineProperty(navigator, 'share', { value: share, configurable: true });
  const { user, dialog } = await openDialog();
  share.mockRejectedValueOnce(new DOMException('', 'AbortError'));
  await user.click(within(dialog).getByRole('button', { name: 'Share with another app' }));
  expect(dialog).toBeInTheDocument();
  expect(screen.queryByText(/could not be shared/)).toBeNull();
  await user.click(within(dialog).getByRole('button', { name: 'Share with another app' }));
  const text = 'Found: Kitambulisho cha NIDA, Kariakoo. Do you know the owner?';
  await waitFor(() => expect(share).toHaveBeenLastCalledWith({ text, url: linkIn('en') }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

test('a sheet that fails says so, and the dialog stays for the other ways', async () => {
  serve(aPost(NIDA));
  const share = vi.fn(() => Promise.reject(new DOMException('', 'NotAllowedError')));
  Object.defineProperty(navigator, 'share', { value: share, configurable: true });
  const { user, dialog } = await openDialog();
  await user.click(within(dialog).getByRole('button', { name: 'Share with another app' }));
  expect(await screen.findByText('The post could not be shared. Copy the message instead.')).toBeInTheDocument();
  expect(screen.getByRole('dialog')).toBe(dialog);
});

test('a message that cannot be copied says so', async () => {
  serve(aPost(NIDA));
  const { user, dialog } = await openDialog();
  const copying = vi.spyOn(navigator.clipboard, 'writeText').mockRejectedValue(new DOMException('', 'NotAllowedError'));
  await user.click(within(dialog).getByRole('button', { name: 'Copy the message' }));
  expect(await screen.findByText('The link could not be copied.')).toBeInTheDocument();
  expect(screen.queryByText('Link copied.')).toBeNull();
  copying.mockRestore();
});

test('a page without a clipboard says so too', async () => {
  serve(aPost(NIDA));
  const { user, dialog } = await openDialog();
  leaveHttps();
  await user.click(within(dialog).getByRole('button', { name: 'Copy the message' }));
  expect(await screen.findByText('The link could not be copied.')).toBeInTheDocument();
});

test('until it is known what visitors see nothing can be passed on, and the dialog closes as ever', async () => {
  const shown = Promise.withResolvers<Response>();
  server.use(
    http.get('*/api/posts/:id', ({ request }) =>
      request.headers.has('Authorization') ? HttpResponse.json(aPost(NIDA)) : (shown.promise as never),
    ),
  );
  const { user, router } = await renderScreen('/posts/post-x', { isSignedIn: true });
  const button = await screen.findByRole('button', { name: 'Share' });
  await user.click(button);
  const dialog = within(await screen.findByRole('dialog', { name: 'Share this post' }));
  expect(dialog.getByRole('link', { name: 'Make a poster to print' })).toBeInTheDocument();
  expect(dialog.queryByRole('link', { name: 'WhatsApp' })).toBeNull();
  shown.resolve(HttpResponse.json(aPost(NIDA)));
  expect(await dialog.findByRole('link', { name: 'WhatsApp' })).toBeInTheDocument();
  await user.click(dialog.getByRole('button', { name: 'Close' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(button).toHaveFocus();
  expect(router.state.location).toMatchObject({ pathname: '/posts/post-x', search: '' });
});

test('from the dialog to the poster and back one is at the post, and what is back has none', async () => {
  serve(aPost(NIDA));
  const { user, dialog, router, unmount } = await openDialog();
  await user.click(within(dialog).getByRole('link', { name: 'Make a poster to print' }));
  expect(router.state.location.pathname).toBe('/posts/post-x/poster');
  await act(() => router.navigate(-1));
  expect(router.state.location).toMatchObject({ pathname: '/posts/post-x', search: '' });
  unmount();
  serve(aPost({ ...NIDA, is_found: true }));
  const again = await openDialog();
  expect(within(again.dialog).queryByRole('link', { name: 'Make a poster to print' })).toBeNull();
});

test('a phone without a sheet is offered the other ways alone', async () => {
  serve(aPost(NIDA));
  const { dialog } = await openDialog();
  expect(within(dialog).queryByRole('button', { name: 'Share with another app' })).toBeNull();
  expect(within(dialog).getByRole('link', { name: 'Make a poster to print' })).toHaveAttribute(
    'href',
    '/posts/post-x/poster',
  );
});

test.each(['closed', 'resting', 'hidden'] as const)('a post that is %s cannot be shared', async (state) => {
  serve(aPost({ ...NIDA, is_mine: true, state, is_hidden: state === 'hidden' }));
  await renderScreen('/posts/post-x', { isSignedIn: true });
  expect(await screen.findByRole('heading', { level: 1, name: NIDA.title })).toBeInTheDocument();
  expect(screen.queryByRole('button', { name: 'Share' })).toBeNull();
});

test('one’s own posts can be shared from their list', async () => {
  serve(aPost(NIDA));
  serveList('/posts/by-owner', [aPost({ ...NIDA, is_mine: true })]);
  const { user } = await renderScreen('/my-posts', { isSignedIn: true });
  await user.click(await screen.findByRole('button', { name: 'Share' }));
  expect(await screen.findByText(/Do you know the owner/)).toBeInTheDocument();
});

test('right after posting the author is asked to tell people', async () => {
  serveList('/posts', []);
  // Its author sees what a visitor does not.
  serve(aPost({ ...NIDA, is_mine: true, community_code: 'ABC' }), null);
  const { user } = await renderScreen({ pathname: '/view-posts', state: { posted: 'post-x' } }, { isSignedIn: true });
  expect(
    await screen.findByRole('heading', { name: 'Your post is published. Tell people about it!' }),
  ).toBeInTheDocument();
  expect(screen.getByRole('link', { name: 'Make a poster to print' })).toHaveAttribute('href', '/posts/post-x/poster');
  await user.click(screen.getByRole('button', { name: 'Share' }));
  expect(await screen.findByText(/for the members of our community: http/)).toBeInTheDocument();
});

test.each(['closed', 'hidden'] as const)(
  'of a post that is %s by now nobody is asked to tell people',
  async (state) => {
    serveList('/posts', [aPost({ title: 'Pochi' })]);
    const post = aPost({ ...NIDA, is_mine: true, state });
    const asked: string[] = [];
    server.use(
      http.get('*/api/posts/post-x', () => {
        asked.push('post');
        return HttpResponse.json(post);
      }),
    );
    await renderScreen({ pathname: '/view-posts', state: { posted: 'post-x' } }, { isSignedIn: true });
    await screen.findByText('Pochi');
    await waitFor(() => expect(asked).not.toEqual([]));
    expect(screen.queryByRole('heading', { name: 'Your post is published. Tell people about it!' })).toBeNull();
  },
);
