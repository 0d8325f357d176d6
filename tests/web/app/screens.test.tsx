import { act, screen, waitFor, within } from '@testing-library/react';
import i18next from 'i18next';
import { HttpResponse, http } from 'msw';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { LANGUAGES } from '#contract/language.ts';
import en from '#locales/en/outside/errors.json';
import sw from '#locales/sw/outside/errors.json';
import { toPseudo } from '#tests/support/pseudo-locale.ts';
import { serveAccount } from '#tests/web/support/account.ts';
import { aClaim, aClaimMessage, serveClaim, step } from '#tests/web/support/claims.ts';
import { MEMBERS, REQUEST, refuseWith, SCHOOL, serveOwn, serveSchool } from '#tests/web/support/communities.ts';
import { matchMessage } from '#tests/web/support/notices.tsx';
import { aPost, refuse, serveList, serveNothingElse } from '#tests/web/support/posts.ts';
import { renderScreen } from '#tests/web/support/render-screen.tsx';
import { server } from '#tests/web/support/setup.ts';
import { api, withReference } from '#web/api/client.ts';
import { screens } from '#web/app/screens.ts';
import { testimonials } from '#web/home/carousel.tsx';
import { changeLanguage } from '#web/lib/i18n.ts';
import { paths } from '#web/lib/paths.ts';

describe('screens', () => {
  afterEach(() => changeLanguage('en'));

  /** All screens except /verify-code, which redirects anyone who has not requested a verification code. */
  const OWN_ADDRESS = screens.filter(({ path }) => path !== paths.verifyCode);

  test.each(OWN_ADDRESS)(
    '$path has its title from the table of screens, in every language',
    async ({ path, title }) => {
      server.use(http.all('*/api/*', () => refuse(404, 'not_found', 'Not found')));
      await renderScreen(path.replace('*', '/hakuna').replace(':id', 'x'), { isSignedIn: true });
      for (const language of LANGUAGES) {
        await act(() => changeLanguage(language));
        await waitFor(() => expect(document.title).toBe(`${i18next.t(title)} · Patikana`));
        expect(document.title).not.toContain(title);
      }
    },
  );

  test('the browser tab of a post’s page still shows the post’s title after a change of the app’s language', async () => {
    serveNothingElse();
    server.use(http.get('*/api/posts/:id', ({ params }) => HttpResponse.json(aPost({ title: `Funguo ${params.id}` }))));
    server.use(http.get('*/api/posts', () => HttpResponse.json([])));
    const { router } = await renderScreen('/posts/1', { isSignedIn: true });
    await waitFor(() => expect(document.title).toBe('Funguo 1 · Patikana'));
    await act(() => changeLanguage('sw'));
    expect(document.title).toBe('Funguo 1 · Patikana');
    await act(() => router.navigate('/posts/2'));
    await waitFor(() => expect(document.title).toBe('Funguo 2 · Patikana'));
    await act(() => router.navigate('/posts/2/contact'));
    expect(document.title).toBe('Wasiliana na aliyetangaza · Patikana');
    await act(() => router.navigate('/view-posts'));
    expect(document.title).toBe('Tafuta vitu vilivyopotea · Patikana');
  });

  test('the title of /admin reveals nothing to people who are not admins', async () => {
    await renderScreen('/admin', { isSignedIn: true });
    expect(await screen.findByRole('heading', { level: 1, name: 'Page not found' })).toBeInTheDocument();
    expect(document.title).toBe('Page not found · Patikana');
  });

  test('the request for posts that the page sends before the app loads has the same URL as the view posts screen’s request', async () => {
    const asked: string[] = [];
    serveNothingElse();
    server.use(
      http.get('*/api/posts', ({ request }) => {
        const { pathname, search } = new URL(request.url);
        asked.push(pathname + search);
        return HttpResponse.json([]);
      }),
    );
    await renderScreen(paths.viewPosts);
    await waitFor(() => expect(asked).toHaveLength(1));
    const first = screens.flatMap((screen) => ('firstRequest' in screen ? [[screen.path, screen.firstRequest]] : []));
    expect(first.map(([path, request]) => [path, `/api${request}`])).toEqual([[paths.viewPosts, asked[0]]]);
  });

  test('only screens that are the same for all visitors are prerendered', () => {
    const pages = screens.filter(({ prerendered }) => prerendered).map(({ path }) => path);
    const { home, viewPosts, login, register, forgotPassword, communities, privacy, terms } = paths;
    expect(pages).toEqual([home, viewPosts, login, register, forgotPassword, communities, privacy, terms]);
  });
});

describe('the reference number of an error', () => {
  afterEach(() => changeLanguage('en'));

  /** A response with its request id, like every response of the Worker. */
  function answerWith(status: number, code: string) {
    return HttpResponse.json({ code, detail: 'Sentensi ya seva.' }, { status, headers: { 'X-Request-Id': 'R-123' } });
  }

  async function failureOf(status: number, code: string): Promise<unknown> {
    server.use(http.get('*/api/me', () => answerWith(status, code)));
    return api('GET /me').then(
      () => null,
      (error: unknown) => error,
    );
  }

  test.each([
    ['en', 'Reference: R-123'],
    ['sw', 'Namba ya kumbukumbu: R-123'],
  ] as const)(
    'is shown for an unexpected error, so that the user can quote the number (language: %s)',
    async (language, reference) => {
      server.use(http.post('*/api/login', () => answerWith(500, 'internal_error')));
      const { user } = await renderScreen('/login', { language });
      const [email, password] = language === 'en' ? ['Email', 'Password'] : ['Barua pepe', 'Nenosiri'];
      await user.type(screen.getByLabelText(email), 'asha@example.com');
      await user.type(screen.getByLabelText(password), 'tumaini la kesho{Enter}');
      expect(await screen.findByRole('alert')).toHaveTextContent(`Sentensi ya seva. ${reference}`);
    },
  );

  test('is also appended to the app’s own sentence about an unexpected error', async () => {
    expect(withReference('It failed.', await failureOf(500, 'internal_error'))).toBe('It failed. Reference: R-123');
  });

  test.each([
    [503, 'unavailable'],
    [422, 'validation_failed'],
    [404, 'not_found'],
  ])('is not shown for the expected error with status %s and code %s', async (status, code) => {
    const failure = await failureOf(status, code);
    expect(failure).toMatchObject({ detail: 'Sentensi ya seva.', reference: '' });
    expect(withReference('It failed.', failure)).toBe('It failed.');
  });
});

const switchedOff = (detail: string) => refuseWith(503, { code: 'switched_off', detail });

test.each([
  [
    'en',
    en.switched_off,
    'Create account',
    ['Username', 'Email', 'Phone number (WhatsApp)', 'Password', 'Confirm password'],
  ],
  [
    'sw',
    sw.switched_off,
    'Fungua akaunti',
    ['Jina la mtumiaji', 'Barua pepe', 'Namba ya simu (WhatsApp)', 'Nenosiri', 'Rudia nenosiri'],
  ],
] as const)(
  'if registration is switched off, the registration form shows a message in the language %s and keeps the input',
  async (language, sentence, submit, labels) => {
    server.use(http.post('*/api/users', switchedOff(sentence)));
    const { user } = await renderScreen('/register', { language });
    const texts = ['Asha', 'asha@example.com', '0712345678', 'tumaini la kesho', 'tumaini la kesho'];
    for (const [index, label] of labels.entries())
      await user.type(await screen.findByLabelText(label), texts[index] ?? '');
    await user.click(screen.getByRole('button', { name: submit }));
    expect(await screen.findByRole('alert')).toHaveTextContent(sentence);
    expect(screen.getByLabelText(labels[1])).toHaveValue('asha@example.com');
  },
);

test('if claims are switched off, the claim form shows a message after a press on “Send to the finder”, and keeps the typed answer', async () => {
  serveNothingElse();
  server.use(
    http.get('*/api/posts/:id', () => HttpResponse.json(aPost({ id: 'post-1', title: 'Pochi' }))),
    http.post('*/api/posts/:id/claims', switchedOff(en.switched_off)),
  );
  const { user } = await renderScreen('/posts/post-1/claim', { isSignedIn: true });
  await user.type(await screen.findByLabelText('Your answer'), 'Picha');
  await user.click(screen.getByRole('button', { name: 'Send to the finder' }));
  expect(await screen.findByRole('alert')).toHaveTextContent(en.switched_off);
  expect(screen.getByLabelText('Your answer')).toHaveValue('Picha');
});

const ARABIC = /[\u0600-\u06ff]/;
/** A user's words inside one of our sentences, as `isolate` of web/lib/i18n.ts writes them. */
const ISOLATED = /\u2068[^\u2069]*\u2069/g;
const OWN_DIRECTION = 'bdi, [dir]';

/** @returns the right-to-left texts without a direction of their own. */
function findTurnedAround(): string[] {
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const found: string[] = [];
  while (texts.nextNode()) {
    const { data, parentElement } = texts.currentNode as Text;
    const around = parentElement?.closest(OWN_DIRECTION);
    if (ARABIC.test(data.replace(ISOLATED, '')) && !around?.matches('bdi, [dir=auto]')) found.push(data);
  }
  return found;
}

describe('text direction', () => {
  const [NAME, PERSON, TEXT, OTHER] = ['مدرسة', 'سلمى', 'محفظة سوداء', 'عند الباب'] as const;
  const AT = '2026-11-22T05:00:00.000Z';

  const ARABIC_SCHOOL = { name: NAME, description: TEXT, admins: [PERSON] };
  const ARABIC_CLAIM = aClaim({
    post_title: NAME,
    other_name: PERSON,
    question: TEXT,
    answer: OTHER,
    private_marks: 'مفتاح',
    messages: [aClaimMessage({ from: 'claimant', text: 'أحمر', is_about_money: false, created_at: AT })],
  });

  beforeEach(() => {
    serveNothingElse();
    serveList('/posts', []);
  });

  async function open(path: string, ...texts: string[]) {
    const view = await renderScreen(path, { isSignedIn: true });
    for (const text of texts) expect((await screen.findAllByText(text)).length).toBeGreaterThan(0);
    return view;
  }

  function serveDashboard() {
    const stats = { total_members: 1, total_posts: 0, found_items: 0, lost_items: 0, resolved_posts: 0 };
    const rest = { active_posts: 0, posts_last_7_days: 0, most_active_location: OTHER, admin_username: PERSON };
    serveSchool(ARABIC_SCHOOL);
    server.use(
      http.get('*/api/communities/school/stats', () => HttpResponse.json({ ...stats, ...rest })),
      http.get('*/api/communities/school/qrcode/base64', () => HttpResponse.json({ qr_code: 'iVBORw0KGgo=' })),
    );
  }

  test('the lists of communities isolate the direction of names and descriptions', async () => {
    serveOwn([{ ...SCHOOL, ...ARABIC_SCHOOL }]);
    const own = await open('/communities', NAME, TEXT);
    expect(findTurnedAround()).toEqual([]);
    own.unmount();
    const listed = { id: 'school', name: NAME, description: TEXT, member_count: 1 };
    server.use(
      http.get('*/api/communities/approved', () =>
        HttpResponse.json([{ ...listed, is_member: false, has_requested: false }]),
      ),
    );
    await open('/communities/find', NAME, TEXT);
    expect(findTurnedAround()).toEqual([]);
  });

  test('on a community’s pages every text by a user has its own text direction', async () => {
    const request = { ...REQUEST, username: PERSON, message: OTHER };
    serveSchool(ARABIC_SCHOOL, [request], [{ ...MEMBERS[0], username: NAME } as (typeof MEMBERS)[0]]);
    const page = await open('/communities/school', NAME, TEXT, PERSON);
    expect(findTurnedAround()).toEqual([]);
    page.unmount();
    await open('/community-details/school?tab=members', NAME, PERSON, OTHER);
    await waitFor(() => expect(screen.getAllByText(NAME)).toHaveLength(2));
    expect(findTurnedAround()).toEqual([]);
  });

  test('a community’s dashboard isolates the direction of user texts, and the access code on the poster is left to right', async () => {
    serveDashboard();
    const { user } = await open('/community-details/school', OTHER, PERSON);
    await user.click(screen.getByRole('button', { name: 'Generate QR' }));
    const dialog = within(await screen.findByRole('dialog'));
    expect(dialog.getByText(NAME)).toBeInTheDocument();
    expect(findTurnedAround()).toEqual([]);
    const poster = document.querySelector<HTMLElement>('body > .qr-poster');
    expect(within(poster as HTMLElement).getByText('ABCDE23456')).toHaveAttribute('dir', 'ltr');
  });

  test('a community’s printed list of found things isolates the direction of user texts', async () => {
    vi.stubGlobal('print', vi.fn());
    serveSchool();
    serveList('/posts/by-owner', []);
    const thing = aPost({ title: TEXT, owner_first_name: PERSON, owner_last_name: '', kept_at: OTHER });
    serveList('/posts', [{ ...thing, community_name: NAME }]);
    const { user } = await open('/communities/school/desk', 'Print the list');
    await user.click(screen.getByRole('button', { name: 'Print the list' }));
    await waitFor(() => expect(window.print).toHaveBeenCalledOnce());
    for (const text of [TEXT, PERSON, OTHER, NAME])
      expect(document.querySelector('body > .desk-sheet')).toHaveTextContent(text);
    expect(findTurnedAround()).toEqual([]);
  });

  test('the list of claims, a claim’s page and the receipt isolate the direction of all user texts', async () => {
    server.use(http.get('*/api/claims', () => HttpResponse.json([ARABIC_CLAIM])));
    const list = await open('/claims', NAME, PERSON);
    expect(findTurnedAround()).toEqual([]);
    list.unmount();
    serveClaim(ARABIC_CLAIM);
    const claim = await open('/claims/claim-1', NAME, PERSON, TEXT, OTHER, 'مفتاح', 'أحمر');
    expect(findTurnedAround()).toEqual([]);
    claim.unmount();
    serveClaim({ ...ARABIC_CLAIM, id: 'claim-2', status: 'handed_over', history: [step('hand-over', 'finder')] });
    await open('/claims/claim-2', 'Handed over', 'Mbezi Mwisho');
    expect(screen.getAllByRole('definition').map(({ textContent }) => textContent)).toContain(PERSON);
    expect(findTurnedAround()).toEqual([]);
  });

  test('the claim form isolates the direction of user texts, and its field for a phone number is left to right', async () => {
    server.use(http.get('*/api/posts/:id', () => HttpResponse.json(aPost({ title: NAME, claim_question: TEXT }))));
    await open('/posts/post-1/claim', NAME, TEXT);
    expect(findTurnedAround()).toEqual([]);
    expect(screen.getByLabelText(/^Another phone number/)).toHaveAttribute('dir', 'ltr');
  });

  test('a list of posts isolates the direction of each post’s texts', async () => {
    serveList('/posts', [aPost({ title: NAME, description: TEXT, location: OTHER, owner_first_name: PERSON })]);
    await open('/view-posts', NAME, TEXT, OTHER);
    expect(findTurnedAround()).toEqual([]);
  });

  test('the list of notices and the account screen isolate the direction of user texts', async () => {
    const message = { ...matchMessage, title: NAME, location: OTHER, owner_first_name: PERSON, owner_last_name: '' };
    const notice = { message, noticed_at: AT, read_at: AT, is_open: true };
    server.use(http.get('*/api/notices', () => HttpResponse.json({ unread_count: 0, notices: [notice] })));
    const notices = await open('/notices', NAME, OTHER);
    expect(findTurnedAround()).toEqual([]);
    notices.unmount();
    serveAccount({ username: PERSON }, { blocks: [{ id: 'b', name: TEXT, created_at: AT }] });
    await open('/account', PERSON);
    expect(await screen.findByText(TEXT, { selector: 'p' })).toHaveAttribute('dir', 'auto');
    expect(screen.getByText(PERSON)).toHaveAttribute('dir', 'auto');
  });
});

describe('pseudo locale', () => {
  /** Texts that are the same in every language: names, including the languages' own names. */
  const AS_THEY_ARE = new Set([
    'Patikana',
    'English',
    'Kiswahili',
    'WhatsApp',
    ...testimonials.map(({ name }) => name),
  ]);

  const SCREENS = [
    ['/', false],
    ['/login', false],
    ['/register', false],
    ['/forgot-password', false],
    ['/view-posts', false],
    ['/view-posts', true],
    ['/my-posts', true],
    ['/create-post', true],
    ['/communities', true],
    ['/communities', false],
    ['/hakuna', false],
  ] as const;

  const english = structuredClone(i18next.getDataByLanguage('en') ?? {}) as Record<string, object>;

  afterEach(() => {
    for (const [namespace, texts] of Object.entries(english)) i18next.addResourceBundle('en', namespace, texts);
  });

  test.each(SCREENS)(
    'every text on the screen %s comes from the translations (signed in: %s)',
    async (path, isSignedIn) => {
      server.use(http.all('*/api/*', () => HttpResponse.json([])));
      await renderScreen(path, { isSignedIn });
      await screen.findByRole('heading', { level: 1 });
      for (const [namespace, texts] of Object.entries(english)) {
        i18next.addResourceBundle('en', namespace, toPseudo(texts));
      }
      // Changing the language again renders every text again.
      await act(() => i18next.changeLanguage('en'));
      expect(findUntranslated(document.body)).toEqual([]);
    },
  );

  /** Returns the texts and labels outside brackets ⟦⟧, in which `toPseudo` puts each translated text. */
  function findUntranslated(root: HTMLElement): string[] {
    const texts: string[] = [];
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      if (!node.parentElement?.closest('svg')) texts.push(node.textContent ?? '');
    }
    for (const element of root.querySelectorAll('[aria-label], [placeholder], [alt], [title]')) {
      for (const name of ['aria-label', 'placeholder', 'alt', 'title']) texts.push(element.getAttribute(name) ?? '');
    }
    return texts
      .map((text) => text.trim())
      .filter((text) => /\p{L}{2}/u.test(text) && !AS_THEY_ARE.has(text) && !/^⟦.*⟧$/su.test(text));
  }
});
