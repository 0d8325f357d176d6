import { act, screen, waitFor } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, test } from 'vitest';
import { HOUR_MS } from '#contract/durations.ts';
import type { Language } from '#contract/language.ts';
import type { Notice } from '#contract/notices.ts';
import { matchMessage } from '#tests/web/support/notices.tsx';
import { aMatch, aPost, openForm, serveList, serveNothingElse, serveSubmit } from '#tests/web/support/posts.ts';
import { renderScreen } from '#tests/web/support/render-screen.tsx';
import { server } from '#tests/web/support/setup.ts';
import { signInAs, signOut } from '#web/api/session.ts';

describe('a visitor’s unsent post', () => {
  const NOTICE = /You need to log in to post\. Fill in the form first: you log in at the end/;
  const WHOSE = 'Somebody started a post on this phone before you logged in. Is it yours?';
  const VISITORS_DRAFT = 'postDraft:visitor:new';

  beforeEach(() => {
    serveNothingElse();
    serveList('/posts', []);
    serveList('/posts/by-owner', []);
  });

  /** The navigation state of the sign-in: the screen to return to, and the state of that screen. */
  type Return = { from: string; fromState: { isDraftMine: boolean } };

  /**
   * As a visitor, submits a post, and presses “Log in” or “Create an account” when the form asks for an account.
   * @returns the path and the navigation state of the screen that opens.
   */
  async function writeAsVisitor(name: 'Log in' | 'Create an account' = 'Log in', title = 'Begi') {
    const view = await openForm('en', { isSignedIn: false });
    await view.fill(title);
    await view.submit();
    const ways = await screen.findByRole('group', { name: 'To create a post make sure you have logged in.' });
    const way = [...ways.querySelectorAll('a')].find(({ textContent }) => textContent === name) as HTMLElement;
    await view.user.click(way);
    const { pathname, state } = view.router.state.location as { pathname: string; state: Return };
    view.unmount();
    return { pathname, ...state };
  }

  /** Signs in and opens the form with the login screen's navigation state. */
  async function comeBack({ fromState }: Return, userId = 'a-user') {
    act(() => signInAs({ token: `token-of-${userId}`, userId }));
    return openForm('en', { isSignedIn: false, state: fromState });
  }

  test.each([
    ['en', 'You need to log in to post. Fill in the form first: you log in at the end, and what you type is saved.'],
    [
      'sw',
      'Unahitaji kuingia kwenye akaunti ili kutangaza. Jaza fomu kwanza: utaingia mwishoni, na unachoandika kinahifadhiwa.',
    ],
  ] as const)(
    'can be sent only after a sign-in, and the form says so before the visitor types, in the language %s',
    async (language, sentence) => {
      await openForm(language, { isSignedIn: false });
      expect(screen.getByText(sentence)).toBeVisible();
    },
  );

  test('can be written completely without an account, and is not sent before the visitor logs in', async () => {
    const sent = serveSubmit();
    const { fill, submit, field } = await openForm('en', { isSignedIn: false });
    await submit();
    expect(screen.getByText('Title is required')).toBeVisible();
    await fill();
    await submit();
    const ways = await screen.findByRole('group', { name: 'To create a post make sure you have logged in.' });
    expect(ways).toContainElement(document.activeElement as HTMLElement);
    expect(document.activeElement).toHaveTextContent('Log in');
    expect(screen.queryByText(NOTICE)).toBeNull();
    expect(field('title')).toHaveValue('Funguo');
    expect(sent).toEqual([]);
  });

  test.each([
    ['Log in', '/login'],
    ['Create an account', '/register'],
  ] as const)(
    'is restored after the visitor has pressed “%s” (link to %s) and signed in, and the button “Send it now” sends the post',
    async (name, path) => {
      const sent = serveSubmit();
      const way = await writeAsVisitor(name);
      expect(way).toMatchObject({ pathname: path, from: '/create-post' });
      const { user, field } = await comeBack(way);
      expect(screen.getByText('You are logged in. Your post is here as you wrote it.')).toBeVisible();
      expect(field('title')).toHaveValue('Begi');
      expect(field('phone')).toHaveValue('0712345678');
      expect(sent).toEqual([]);
      await user.click(screen.getByRole('button', { name: 'Send it now' }));
      await screen.findAllByText('Post created successfully!');
      expect(sent).toMatchObject([{ method: 'POST', body: { title: 'Begi', location: 'Moshi', posted_by: 'finder' } }]);
      expect(localStorage.getItem(VISITORS_DRAFT)).toBeNull();
    },
  );

  test('does not replace a draft that the user saved earlier while signed in', async () => {
    const before = await openForm();
    await before.user.type(before.field('title'), 'Miwani');
    before.unmount();
    act(signOut);
    serveSubmit();
    const { user, field } = await comeBack(await writeAsVisitor());
    expect(field('title')).toHaveValue('Begi');
    await user.click(screen.getByRole('button', { name: 'Send it now' }));
    await screen.findAllByText('Post created successfully!');
    const own = JSON.parse(localStorage.getItem('postDraft:a-user:new') ?? 'null') as { values: { title: string } };
    expect(own.values.title).toBe('Miwani');
  });

  test('is restored after the sign-in, after a reload, and when the user signs in again after the session has ended', async () => {
    const way = await writeAsVisitor();
    const first = await comeBack(way);
    await first.user.type(first.field('title'), ' jeusi');
    first.unmount();
    const reloaded = await comeBack(way);
    expect(reloaded.field('title')).toHaveValue('Begi jeusi');
    reloaded.unmount();
    act(signOut);
    expect((await comeBack(way)).field('title')).toHaveValue('Begi jeusi');
  });

  test('does not fill the form of another person who signs in and answers “No” to the question “Is it yours?”', async () => {
    await writeAsVisitor();
    act(() => signInAs({ token: 'a-token', userId: 'somebody-else' }));
    const { user, field } = await openForm('en', { isSignedIn: false });
    expect(screen.getByRole('group', { name: WHOSE })).toHaveTextContent('Begi');
    expect(field('title')).toHaveValue('');
    expect(field('phone')).toHaveValue('');
    await user.click(screen.getByRole('button', { name: 'No' }));
    expect(screen.queryByText(WHOSE)).toBeNull();
    expect(field('title')).toHaveFocus();
    await user.type(field('title'), 'Kofia');
    expect(JSON.parse(localStorage.getItem(VISITORS_DRAFT) ?? '{}')).toMatchObject({ values: { title: 'Begi' } });
    expect(JSON.parse(localStorage.getItem('postDraft:somebody-else:new') ?? '{}')).toMatchObject({
      values: { title: 'Kofia', location: '' },
    });
  });

  test('is continued by a person who signs in on another screen and confirms that the draft is theirs', async () => {
    await writeAsVisitor();
    act(() => signInAs({ token: 'a-token', userId: 'a-user' }));
    const { user, field } = await openForm('en', { isSignedIn: false });
    await user.click(screen.getByRole('button', { name: 'Yes, continue' }));
    expect(field('title')).toHaveValue('Begi');
    expect(field('title')).toHaveFocus();
    expect(screen.queryByText(WHOSE)).toBeNull();
  });

  test('stays in the open form if the visitor signs in in another tab', async () => {
    const sent = serveSubmit();
    const { fill, submit, field } = await openForm('en', { isSignedIn: false });
    await fill();
    act(() => signInAs({ token: 'a-token', userId: 'a-user' }));
    expect(field('title')).toHaveValue('Funguo');
    expect(screen.queryByText(WHOSE)).toBeNull();
    expect(screen.queryByText(NOTICE)).toBeNull();
    await submit();
    await screen.findAllByText('Post created successfully!');
    expect(sent).toHaveLength(1);
  });

  test('if a second account replaces the signed-in one while the form is open, the form shows the second account’s draft', async () => {
    const numbers: Record<string, string> = { 'Bearer a-token': '+255711111111', 'Bearer b-token': '+255722222222' };
    server.use(
      http.get('*/api/me', ({ request }) =>
        HttpResponse.json({ whatsapp_number: numbers[request.headers.get('Authorization') ?? ''] }),
      ),
    );
    const { user, field } = await openForm();
    await screen.findByDisplayValue('+255711111111');
    await user.type(field('title'), 'Pochi ya Asha');
    act(() => signInAs({ token: 'b-token', userId: 'b-user' }));
    await screen.findByDisplayValue('+255722222222');
    expect(field('title')).toHaveValue('');
    act(() => signInAs({ token: 'a-token', userId: 'a-user' }));
    await screen.findByDisplayValue('+255711111111');
    expect(field('title')).toHaveValue('Pochi ya Asha');
  });

  test('is deleted from the phone when the visitor presses “Start over”, so that the next visitor gets an empty form', async () => {
    await writeAsVisitor();
    const { user, field } = await openForm('en', { isSignedIn: false });
    expect(field('title')).toHaveValue('Begi');
    await user.click(screen.getByRole('button', { name: 'Start over' }));
    expect(field('title')).toHaveValue('');
    expect(localStorage.getItem(VISITORS_DRAFT)).toBeNull();
  });

  test('with changes to an existing post is not sent, and the link “Create an account” passes the post to the registration page', async () => {
    const post = aPost({ title: 'Pochi' });
    server.use(http.get('*/api/posts/:id', () => HttpResponse.json(post)));
    const sent = serveSubmit();
    const { user, router } = await openForm('en', { isSignedIn: false, state: { mode: 'update', post } });
    await user.click(screen.getByRole('button', { name: 'Save changes' }));
    await screen.findByText('To create a post make sure you have logged in.');
    await user.click(screen.getByRole('link', { name: 'Create an account' }));
    expect(router.state.location.state).toMatchObject({ fromState: { mode: 'update', post: { id: post.id } } });
    expect(sent).toEqual([]);
  });
});

describe('the daily limit of phone numbers that a person can see', () => {
  const limitedUntil = (ms: number) => ({
    phone_number: null,
    is_contact_limited: true,
    contact_opens_at: new Date(ms).toISOString(),
  });
  const LIMITED = limitedUntil(Date.parse('2099-11-22T21:00:00Z'));

  beforeEach(serveNothingElse);

  /** The screens that show a phone number, with the responses that they need. */
  const SCREENS = {
    '/view-posts': () => serveList('/posts', [aPost(LIMITED)]),
    '/posts/post-x': () => server.use(http.get('*/api/posts/:id', () => HttpResponse.json(aPost(LIMITED)))),
    '/posts/post-x/contact': () => server.use(http.get('*/api/posts/:id', () => HttpResponse.json(aPost(LIMITED)))),
    '/posts/own-post': () =>
      server.use(
        http.get('*/api/posts/:id', () => HttpResponse.json(aPost({ is_mine: true }))),
        http.get('*/api/posts/:id/matches', () => HttpResponse.json([aMatch({ Post: aPost(LIMITED) })])),
      ),
    '/notices': () => serveNotice(LIMITED),
  };

  function serveNotice(contact: typeof LIMITED) {
    const message = { ...matchMessage, ...contact };
    const notice: Notice = { message, noticed_at: '2026-11-21T05:05:00.000Z', read_at: null, is_open: true };
    server.use(http.get('*/api/notices', () => HttpResponse.json({ unread_count: 0, notices: [notice] })));
  }

  const SENTENCES: Record<Language, [sentence: string, link: string]> = {
    en: [
      'You have seen all the phone numbers that one person can see in a day. You can see more from 23 Nov 2099, 00:00.',
      'Confirm your WhatsApp number to see more.',
    ],
    sw: [
      'Umeshaona namba zote za simu ambazo mtu mmoja anaweza kuona kwa siku. Utaweza kuona nyingine kuanzia 23 Nov 2099, 00:00.',
      'Thibitisha namba yako ya WhatsApp ili uone zaidi.',
    ],
  };

  const CASES = (['en', 'sw'] as const).flatMap((language) =>
    (Object.keys(SCREENS) as (keyof typeof SCREENS)[]).map((path) => [path, language] as const),
  );

  test.each(CASES)(
    'is explained on the screen %s in the language %s, with the limit’s end and a link to prove the user’s phone number',
    async (path, language) => {
      SCREENS[path]();
      await renderScreen(path, { language, isSignedIn: true });
      const [sentence, link] = SENTENCES[language];
      expect(await screen.findByText(sentence)).toBeInTheDocument();
      expect(screen.getByRole('link', { name: link })).toHaveAttribute('href', '/prove-number');
      expect(document.querySelector('a[href^="tel:"], a[href*="wa.me"]')).toBeNull();
    },
  );

  test.each([
    ['/view-posts', 1],
    ['/posts/own-post', 1],
    ['/notices', 1],
    ['/posts/post-x', 0],
    ['/posts/post-x/contact', 0],
  ] as const)(
    'for a person who has reached the limit, the screen %s has %i links “Open the post to see its number”',
    async (path, ways) => {
      SCREENS[path]();
      await renderScreen(path, { isSignedIn: true });
      await screen.findByText(SENTENCES.en[0]);
      expect(
        screen.queryAllByRole('link', {
          name: 'Open the post to see its number. A few more are shown, one at a time.',
        }),
      ).toHaveLength(ways);
    },
  );

  test('a person who has reached the limit is not asked to prove a phone number that is already proven', async () => {
    SCREENS['/view-posts']();
    const me = { id: 'a-user', username: 'Asha', is_platform_admin: false, is_whatsapp_verified: true };
    server.use(http.get('*/api/me', () => HttpResponse.json(me)));
    await renderScreen('/view-posts', { isSignedIn: true });
    await screen.findByText(SENTENCES.en[0]);
    await waitFor(() => expect(screen.queryByRole('link', { name: SENTENCES.en[1] })).toBeNull());
  });

  test('after the end of the limit, a match notice says that phone numbers are visible again, and links to the matching post', async () => {
    serveNotice(limitedUntil(Date.now() - HOUR_MS));
    await renderScreen('/notices', { isSignedIn: true });
    const link = await screen.findByRole('link', { name: 'You can see numbers again. Open the post.' });
    expect(link).toHaveAttribute('href', `/posts/${matchMessage.post_id}`);
    expect(screen.queryByText(/one person can see/)).toBeNull();
  });

  test('a visitor is asked to log in to see the phone number of a post', async () => {
    serveList('/posts', [aPost({ phone_number: null })]);
    await renderScreen('/view-posts');
    expect(await screen.findByRole('link', { name: 'Log in to view contact' })).toBeInTheDocument();
  });

  test('does not change the list of posts, which still requests 20 posts a page', async () => {
    const queries = serveList('/posts', [aPost()]);
    await renderScreen('/view-posts', { isSignedIn: true });
    await screen.findByRole('article');
    expect(queries.map((query) => query.get('limit'))).toEqual(['20']);
  });
});
