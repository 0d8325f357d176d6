import { act, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { create } from 'qrcode';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Post } from '#contract/posts.ts';
import { leaveHttps } from '#tests/web/support/phone.ts';
import { aPost, refuse, serveList, serveNothingElse } from '#tests/web/support/posts.ts';
import { renderScreen } from '#tests/web/support/render-screen.tsx';
import { server } from '#tests/web/support/setup.ts';

describe('sharing a post', () => {
  beforeEach(serveNothingElse);
  afterEach(() => Reflect.deleteProperty(navigator, 'share'));

  /** Serves `post` to the user and `shown` to a visitor; null if visitors may not see the post. */
  function serve(post: Post, shown: Post | null = post): void {
    server.use(
      http.get('*/api/posts/:id', ({ request }) => {
        if (request.headers.has('Authorization')) return HttpResponse.json(post);
        return shown === null ? refuse(404, 'post_not_found', 'This post does not exist.') : HttpResponse.json(shown);
      }),
    );
  }

  /** Opens the share dialog on the post's page. */
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
  ] as const)(
    'writes a message that says what was lost or found, in the language %s',
    async (language, share, post, sentence) => {
      serve(post);
      const { message } = await openDialog({ language }, share);
      if (sentence instanceof RegExp) expect(message).toMatch(sentence);
      else expect(message).toBe(`${sentence} ${linkIn(language)}`);
      expect(message).toContain(linkIn(language));
    },
  );

  test('the message contains only what visitors see, also if the author shares the post', async () => {
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

  test('the message about a community’s post says only that there is a post for its members', async () => {
    serve(aPost({ ...NIDA, community_code: 'ABC', community_name: 'Shule ya Mbezi' }), null);
    const { message } = await openDialog();
    expect(message).toBe(`There is a post for the members of our community: ${linkIn('en')}`);
  });

  test('the message has the link but not the post’s title if the app cannot load the post as visitors see it', async () => {
    server.use(
      http.get('*/api/posts/:id', ({ request }) =>
        request.headers.has('Authorization') ? HttpResponse.json(aPost(NIDA)) : refuse(404, 'post_not_found'),
      ),
    );
    const { message } = await openDialog();
    expect(message).toBe(`Something was found. Do you know the owner? ${linkIn('en')}`);
  });

  test('copying the message closes the dialog and returns the focus to the share button', async () => {
    serve(aPost(NIDA));
    const { user, dialog, message, button } = await openDialog();
    await user.click(within(dialog).getByRole('button', { name: 'Copy the message' }));
    expect(await screen.findByText('Link copied.')).toBeInTheDocument();
    expect(await navigator.clipboard.readText()).toBe(message);
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(button).toHaveFocus();
  });

  test('the phone’s share sheet gets the message and the link, and closing the share sheet shows no error', async () => {
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

  test('a failure of the phone’s share sheet shows an error, and the dialog stays open', async () => {
    serve(aPost(NIDA));
    const share = vi.fn(() => Promise.reject(new DOMException('', 'NotAllowedError')));
    Object.defineProperty(navigator, 'share', { value: share, configurable: true });
    const { user, dialog } = await openDialog();
    await user.click(within(dialog).getByRole('button', { name: 'Share with another app' }));
    expect(await screen.findByText('The post could not be shared. Copy the message instead.')).toBeInTheDocument();
    expect(screen.getByRole('dialog')).toBe(dialog);
  });

  test('an error appears if the browser refuses to copy the message', async () => {
    serve(aPost(NIDA));
    const { user, dialog } = await openDialog();
    const copying = vi
      .spyOn(navigator.clipboard, 'writeText')
      .mockRejectedValue(new DOMException('', 'NotAllowedError'));
    await user.click(within(dialog).getByRole('button', { name: 'Copy the message' }));
    expect(await screen.findByText('The link could not be copied.')).toBeInTheDocument();
    expect(screen.queryByText('Link copied.')).toBeNull();
    copying.mockRestore();
  });

  test('copying the message shows an error if the page has no access to the clipboard', async () => {
    serve(aPost(NIDA));
    const { user, dialog } = await openDialog();
    leaveHttps();
    await user.click(within(dialog).getByRole('button', { name: 'Copy the message' }));
    expect(await screen.findByText('The link could not be copied.')).toBeInTheDocument();
  });

  test('the dialog offers WhatsApp only after the app has loaded the post as visitors see it; closing the dialog focuses “Share”', async () => {
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

  test('the poster is a separate page from which Back leads to the post; a returned post has no poster', async () => {
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

  test('on a phone without a share sheet the dialog offers the other ways of sharing', async () => {
    serve(aPost(NIDA));
    const { dialog } = await openDialog();
    expect(within(dialog).queryByRole('button', { name: 'Share with another app' })).toBeNull();
    expect(within(dialog).getByRole('link', { name: 'Make a poster to print' })).toHaveAttribute(
      'href',
      '/posts/post-x/poster',
    );
  });

  test.each(['closed', 'resting', 'hidden'] as const)('is not offered for a post that is %s', async (state) => {
    serve(aPost({ ...NIDA, is_mine: true, state, is_hidden: state === 'hidden' }));
    await renderScreen('/posts/post-x', { isSignedIn: true });
    expect(await screen.findByRole('heading', { level: 1, name: NIDA.title })).toBeInTheDocument();
    expect(screen.queryByRole('button', { name: 'Share' })).toBeNull();
  });

  test('is offered for the user’s own posts in My Posts', async () => {
    serve(aPost(NIDA));
    serveList('/posts/by-owner', [aPost({ ...NIDA, is_mine: true })]);
    const { user } = await renderScreen('/my-posts', { isSignedIn: true });
    await user.click(await screen.findByRole('button', { name: 'Share' }));
    expect(await screen.findByText(/Do you know the owner/)).toBeInTheDocument();
  });

  test('is offered to the author right after posting', async () => {
    serveList('/posts', []);
    // Visitors do not see this post of a community.
    serve(aPost({ ...NIDA, is_mine: true, community_code: 'ABC' }), null);
    const { user } = await renderScreen({ pathname: '/view-posts', state: { posted: 'post-x' } }, { isSignedIn: true });
    expect(
      await screen.findByRole('heading', { name: 'Your post is published. Tell people about it!' }),
    ).toBeInTheDocument();
    expect(screen.getByRole('link', { name: 'Make a poster to print' })).toHaveAttribute(
      'href',
      '/posts/post-x/poster',
    );
    await user.click(screen.getByRole('button', { name: 'Share' }));
    expect(await screen.findByText(/for the members of our community: http/)).toBeInTheDocument();
  });

  test.each(['closed', 'hidden'] as const)(
    'is not offered right after posting if the new post is already %s',
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
});

describe('the printable poster of a post', () => {
  beforeEach(serveNothingElse);

  const NIDA = {
    id: 'post-x',
    title: 'Kitambulisho cha NIDA',
    location: 'Kariakoo',
    phone_number: '0754111222',
    created_at: '2026-11-17T09:00:00.000Z',
  };

  /** Serves `post` to the user and `shown` to a visitor; null if visitors may not see the post. */
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

  test('says in both languages what was found, where and when, and links to the post’s page', async () => {
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

  test('contains the first photo of the post', async () => {
    const photo = {
      id: 'a',
      url: '/photos/a.webp',
      thumbnail_url: '/photos/a-s.webp',
      width: 4,
      height: 3,
      alt: 'Begi',
    };
    serve(aPost({ ...NIDA, photos: [photo, { ...photo, url: '/photos/b.webp', alt: '' }] }));
    const { sheet } = await openPoster();
    expect(within(sheet).getByRole('img', { name: 'Begi' })).toHaveAttribute('src', '/photos/a.webp');
    expect(sheet.querySelectorAll('img')).toHaveLength(1);
  });

  test('for a lost thing asks who has seen it', async () => {
    serve(aPost({ ...NIDA, posted_by: 'owner' }));
    const { sheet } = await openPoster();
    expect(sheet).toHaveTextContent(/KimepoteaLost/);
    expect(sheet).toHaveTextContent(/Je, umekiona\?.*Have you seen it\?/);
  });

  test('contains the author’s phone number only while the checkbox “Also print my number” is ticked', async () => {
    serve(aPost({ ...NIDA, is_mine: true }));
    const { user, sheet } = await openPoster();
    expect(sheet).not.toHaveTextContent('0754111222');
    const tick = screen.getByRole('checkbox', { name: 'Also print my number 0754111222' });
    await user.click(tick);
    expect(within(sheet).getAllByText('0754111222')).toHaveLength(9);
    await user.click(tick);
    expect(sheet).not.toHaveTextContent('0754111222');
  });

  test('contains no phone number if somebody other than the author makes the poster', async () => {
    serve(aPost(NIDA));
    await openPoster();
    expect(screen.queryByRole('checkbox')).toBeNull();
    expect(document.body).not.toHaveTextContent('0754111222');
  });

  test('contains only what visitors see', async () => {
    serve(aPost({ ...NIDA, title: 'NIDA 19900101-12345', is_mine: true }), aPost({ ...NIDA, title: 'NIDA •••2345' }));
    const { sheet } = await openPoster();
    expect(sheet).toHaveTextContent('NIDA •••2345');
    expect(document.body).not.toHaveTextContent('1990');
  });

  test('hides the post’s content if the post is only for the members of a community', async () => {
    serve(aPost({ ...NIDA, is_mine: true, community_code: 'ABC', community_name: 'Shule ya Mbezi' }), null);
    const { sheet } = await openPoster();
    expect(sheet).toHaveTextContent('A post for the members of our community');
    expect(sheet).toHaveTextContent(/then log in to read the post\./);
    expect(screen.getByText(/^This post is for the members of a community/)).toBeVisible();
    for (const secret of [NIDA.title, 'Kariakoo', 'Found', 'Shule', '0754111222'])
      expect(sheet).not.toHaveTextContent(secret);
    expect(screen.queryByRole('checkbox')).toBeNull();
  });

  test.each(['returned', 'closed', 'resting'] as const)('cannot be made for a post that is %s', async (state) => {
    serve(aPost({ ...NIDA, is_mine: true, state, is_found: state === 'returned' }));
    await renderScreen('/posts/post-x/poster', { isSignedIn: true });
    expect(await screen.findByText(/no longer open/)).toBeInTheDocument();
    expect(screen.queryByRole('button', { name: 'Print' })).toBeNull();
  });

  test('cannot be made by a user who may not see the post', async () => {
    server.use(http.get('*/api/posts/:id', () => refuse(404, 'post_not_found', 'This post does not exist.')));
    await renderScreen('/posts/post-x/poster', { isSignedIn: true });
    expect(await screen.findByText('This post does not exist.')).toBeInTheDocument();
    expect(screen.queryByRole('button', { name: 'Print' })).toBeNull();
  });

  test('has a button that opens the print dialog', async () => {
    serve(aPost(NIDA));
    const print = vi.spyOn(window, 'print').mockImplementation(() => undefined);
    const { user } = await openPoster();
    await user.click(screen.getByRole('button', { name: 'Print' }));
    expect(print).toHaveBeenCalledOnce();
  });

  test('has a Back button that leads to the post', async () => {
    serve(aPost(NIDA));
    const { user, router } = await openPoster();
    await user.click(screen.getByRole('button', { name: 'Back' }));
    expect(router.state.location.pathname).toBe('/posts/post-x');
  });

  test('has a QR code of the link, with an empty margin around the code', async () => {
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
});
