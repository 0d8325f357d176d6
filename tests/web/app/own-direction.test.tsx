import { act, screen, waitFor, within } from '@testing-library/react';
import i18next from 'i18next';
import { HttpResponse, http } from 'msw';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { toPseudo } from '#tests/support/pseudo-locale.ts';
import { serveAccount } from '#tests/web/support/account.ts';
import { aClaim, aClaimMessage, serveClaim, step } from '#tests/web/support/claims.ts';
import { MEMBERS, REQUEST, SCHOOL, serveOwn, serveSchool } from '#tests/web/support/communities.ts';
import { matchMessage } from '#tests/web/support/notices.tsx';
import { aPost, serveList, serveNothingElse } from '#tests/web/support/posts.ts';
import { renderScreen } from '#tests/web/support/render-screen.tsx';
import { server } from '#tests/web/support/setup.ts';
import { testimonials } from '#web/home/carousel.tsx';

const ARABIC = /[\u0600-\u06ff]/;
/** As one of our sentences contains a user's words (`isolate` of web/lib/i18n.ts). */
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

describe('own direction', () => {
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

  test('names of communities have their own text direction in every list', async () => {
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

  test('a community’s pages isolate the direction of all user texts', async () => {
    const request = { ...REQUEST, username: PERSON, message: OTHER };
    serveSchool(ARABIC_SCHOOL, [request], [{ ...MEMBERS[0], username: NAME } as (typeof MEMBERS)[0]]);
    const page = await open('/communities/school', NAME, TEXT, PERSON);
    expect(findTurnedAround()).toEqual([]);
    page.unmount();
    await open('/community-details/school?tab=members', NAME, PERSON, OTHER);
    await waitFor(() => expect(screen.getAllByText(NAME)).toHaveLength(2));
    expect(findTurnedAround()).toEqual([]);
  });

  test('numbers and codes of a community have their own direction, on the screen and on paper', async () => {
    serveDashboard();
    const { user } = await open('/community-details/school', OTHER, PERSON);
    await user.click(screen.getByRole('button', { name: 'Generate QR' }));
    const dialog = within(await screen.findByRole('dialog'));
    expect(dialog.getByText(NAME)).toBeInTheDocument();
    expect(findTurnedAround()).toEqual([]);
    const poster = document.querySelector<HTMLElement>('body > .qr-poster');
    expect(within(poster as HTMLElement).getByText('ABCDE23456')).toHaveAttribute('dir', 'ltr');
  });

  test('the printed desk list isolates the direction of user texts', async () => {
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

  test('all texts of a claim have their own direction, from the list to the receipt', async () => {
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

  test('the question to claimants has its own direction, and their number stays left to right', async () => {
    server.use(http.get('*/api/posts/:id', () => HttpResponse.json(aPost({ title: NAME, claim_question: TEXT }))));
    await open('/posts/post-1/claim', NAME, TEXT);
    expect(findTurnedAround()).toEqual([]);
    expect(screen.getByLabelText(/^Another phone number/)).toHaveAttribute('dir', 'ltr');
  });

  test('the posts of a list have their own direction', async () => {
    serveList('/posts', [aPost({ title: NAME, description: TEXT, location: OTHER, owner_first_name: PERSON })]);
    await open('/view-posts', NAME, TEXT, OTHER);
    expect(findTurnedAround()).toEqual([]);
  });

  test('notices and names in the account have their own direction', async () => {
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
  /** Words that stay the same in every language: names, numbers, addresses, and the languages' own names. */
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

  test.each(SCREENS)('every text of %s is translated (signed in: %s)', async (path, isSignedIn) => {
    server.use(http.all('*/api/*', () => HttpResponse.json([])));
    await renderScreen(path, { isSignedIn });
    await screen.findByRole('heading', { level: 1 });
    for (const [namespace, texts] of Object.entries(english)) {
      i18next.addResourceBundle('en', namespace, toPseudo(texts));
    }
    // Changing the language again renders every text again.
    await act(() => i18next.changeLanguage('en'));
    expect(findUntranslated(document.body)).toEqual([]);
  });

  /** Returns the texts and labels that contain a word without an accent. */
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
