import { act, render, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { MatchingPostMessage } from '#contract/live-messages.ts';
import type { Notice } from '#contract/notices.ts';
import { matchMessage, rejectionMessage, renderLive, serveLive } from '#tests/web/support/notices.tsx';
import { confetti } from '#tests/web/support/packages.ts';
import { aPost } from '#tests/web/support/posts.ts';
import { renderScreen } from '#tests/web/support/render-screen.tsx';
import { server } from '#tests/web/support/setup.ts';
import { Confetti } from '#web/ui/confetti.tsx';

describe('a match notice', () => {
  async function showMatch(message: Partial<MatchingPostMessage> = {}, language: 'en' | 'sw' = 'en') {
    const live = serveLive();
    const view = await renderLive({ language });
    await waitFor(() => expect(live.heard.connections).toHaveLength(1));
    live.push({ ...matchMessage, ...message });
    return { ...view, ...live, modal: within(await screen.findByRole('dialog')) };
  }

  async function listMatch(message: Partial<MatchingPostMessage>, notice: Partial<Notice> = {}) {
    const listed: Notice = {
      message: { ...matchMessage, ...message },
      noticed_at: matchMessage.created_at,
      read_at: matchMessage.created_at,
      is_open: true,
      ...notice,
    };
    server.use(http.get('*/api/notices', () => HttpResponse.json({ unread_count: 0, notices: [listed] })));
    await renderScreen('/notices', { isSignedIn: true });
    const title = await screen.findByRole('heading', { level: 2, name: 'Found a NIDA card' });
    return { title, card: within(title.closest('li') as HTMLElement) };
  }

  test.each([
    [
      'en',
      'Posted on 21 Nov 2026, 08:05',
      'It is now at: Kituo cha polisi',
      "Owner's name: Neema Mwakyusa",
      'Why we think so',
    ],
    [
      'sw',
      'Lilitangazwa 21 Nov 2026, 08:05',
      'Sasa kiko: Kituo cha polisi',
      'Jina la mwenyewe: Neema Mwakyusa',
      'Kwa nini tunadhani hivyo',
    ],
  ] as const)(
    'shows in the language %s the place of the find, the current place of the thing, the post’s time and the owner’s name',
    async (language, posted, now, owner, why) => {
      const { modal } = await showMatch({ kept_at: 'Kituo cha polisi' }, language);
      const facts = modal.getAllByRole('listitem').map(({ textContent }) => textContent);
      expect(facts.slice(0, 4)).toEqual(['Kariakoo', now, posted, owner]);
      expect(modal.getByRole('heading', { level: 3, name: why })).toBeInTheDocument();
      for (const typed of ['Found a NIDA card', 'Kariakoo', now, owner])
        expect(modal.getByText(typed)).toHaveAttribute('dir', 'auto');
    },
  );

  test('has no lines for facts that the matching post lacks', async () => {
    const { modal } = await showMatch({
      kept_at: null,
      owner_first_name: '',
      owner_last_name: '',
      reasons: [],
      phone_number: null,
    });
    expect(modal.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
      'Kariakoo',
      'Posted on 21 Nov 2026, 08:05',
    ]);
    expect(modal.queryByRole('heading', { level: 3 })).toBeNull();
    expect(modal.queryByText(/^Phone number/)).toBeNull();
    expect(modal.queryByRole('link', { name: 'Call' })).toBeNull();
    expect(modal.getAllByRole('link').map(({ textContent }) => textContent)).toEqual(['View post']);
    expect(modal.queryByText(/thinks that it is the same item/)).toBeNull();
  });

  test.each([
    ['en', 'Phone number: 0754321987'],
    ['sw', 'Namba ya simu: 0754321987'],
  ] as const)(
    'shows the phone number of the matching post, with a label in the language %s',
    async (language, text) => {
      const { modal } = await showMatch({}, language);
      expect(modal.getByText(text)).toBeVisible();
    },
  );

  test('shows an owner’s name of one word without an extra space', async () => {
    const { modal } = await showMatch({ owner_first_name: '', owner_last_name: 'Mwakyusa' });
    expect(modal.getByText("Owner's name: Mwakyusa").textContent).toBe("Owner's name: Mwakyusa");
  });

  test.each([
    ['en', /^The author of this post thinks/],
    ['sw', /^Aliyetangaza anadhani/],
  ] as const)('says in the language %s who suggested the match', async (language, text) => {
    const { modal } = await showMatch({ confidence: 'possible' }, language);
    expect(modal.getByText(text)).toBeInTheDocument();
  });

  test('says when phone numbers can be seen again, if the user has reached the daily limit of phone numbers', async () => {
    const { modal } = await showMatch({
      phone_number: null,
      is_contact_limited: true,
      contact_opens_at: '2099-11-22T21:00:00Z',
    });
    expect(modal.getByText(/You can see more from 23 Nov 2099, 00:00/)).toBeInTheDocument();
    expect(modal.getByRole('link', { name: /^Open the post/ })).toHaveAttribute('href', '/posts/found-post');
  });

  test('closes and is marked as read when the user opens the post', async () => {
    const { user, heard, modal } = await showMatch();
    await user.click(modal.getByRole('link', { name: 'View post' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    await waitFor(() => expect(heard.read).toEqual([{ ids: ['notice-1'] }]));
  });

  test('closes and is marked as read when the user presses “This is mine”', async () => {
    const live = serveLive();
    server.use(
      http.get('*/api/posts/:id', ({ params }) =>
        HttpResponse.json(aPost({ id: String(params.id), posted_by: 'owner', is_mine: true })),
      ),
    );
    const { user } = await renderLive();
    await waitFor(() => expect(live.heard.connections).toHaveLength(1));
    live.push(matchMessage);
    await user.click(await screen.findByRole('link', { name: 'This is mine' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    await waitFor(() => expect(live.heard.read).toEqual([{ ids: ['notice-1'] }]));
  });

  test('is marked as read, and the next notice appears, when the user presses “Next”', async () => {
    const { user, heard, push, modal } = await showMatch();
    push(rejectionMessage);
    await user.click(await modal.findByRole('button', { name: 'Next' }));
    expect(await screen.findByRole('dialog', { name: 'Your community was not approved' })).toBeInTheDocument();
    await waitFor(() => expect(heard.read).toEqual([{ ids: ['notice-1'] }]));
  });

  test('sends one request if the user presses “Not this one” twice, and is not marked as read', async () => {
    const { user, heard, push, modal } = await showMatch();
    push(rejectionMessage);
    const button = modal.getByRole('button', { name: 'Not this one' });
    await user.dblClick(button);
    expect(await screen.findByRole('dialog', { name: 'Your community was not approved' })).toBeInTheDocument();
    expect([heard.dismissed, heard.read]).toEqual([['notice-1'], []]);
  });

  test('makes the app refetch the list of notices when the user presses “Not this one”', async () => {
    const { user, modal } = await showMatch();
    let asked = 0;
    server.use(
      http.get('*/api/notices', () => {
        asked++;
        return HttpResponse.json({ unread_count: 4, notices: [] });
      }),
    );
    await user.click(modal.getByRole('button', { name: 'Not this one' }));
    expect(await screen.findByRole('link', { name: 'Notices: 4 unread' })).toBeInTheDocument();
    expect(asked).toBeGreaterThan(0);
  });

  test('appears in the list of notices with the match reasons, a call link, a WhatsApp link and a link to the user’s own post', async () => {
    const { title, card } = await listMatch({ kept_at: 'Kituo cha polisi' });
    expect(title).toHaveAttribute('dir', 'auto');
    expect(card.getByText('It is now at: Kituo cha polisi')).toBeInTheDocument();
    expect(card.queryByText('New')).toBeNull();
    const reasons = within(card.getByRole('list', { name: 'Why we think it is the same item' }));
    expect(reasons.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
      'It is the same kind of item: NIDA card.',
      'The name is the same: Neema Mwakyusa.',
    ]);
    expect(card.getByRole('link', { name: 'Call' })).toHaveAttribute('href', 'tel:0754321987');
    expect(card.getByRole('link', { name: 'WhatsApp' })).toHaveAttribute('target', '_blank');
    expect(card.getByRole('link', { name: 'See your post' })).toHaveAttribute('href', '/posts/my-post');
    expect(card.queryByText(/thinks that it is the same item/)).toBeNull();
  });

  test('appears in the list of notices with neither match reasons nor a call link if one of the two posts is no longer open', async () => {
    const { card } = await listMatch(
      {},
      { is_open: false, noticed_at: new Date(Date.now() - 2 * 3_600_000).toISOString() },
    );
    expect(card.getByText('No longer open')).toBeInTheDocument();
    expect(card.getByText('2 hours ago')).toBeInTheDocument();
    expect(card.queryByRole('list', { name: 'Why we think it is the same item' })).toBeNull();
    expect(card.queryByRole('link', { name: 'Call' })).toBeNull();
    expect(card.getByRole('link', { name: 'See your post' })).toBeInTheDocument();
  });
});

describe('confetti', () => {
  type Shower = { particleCount: number; angle: number; colors: string[]; origin: { x: number; y: number } };

  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
  });
  afterEach(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
    vi.restoreAllMocks();
  });

  const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));
  const counts = () => confetti.showers.map((shower) => (shower as Shower).particleCount);

  async function open() {
    const view = render(<Confetti />);
    await vi.dynamicImportSettled();
    return view;
  }

  test('starts with a burst, continues slowly, and falls from above the page across the page’s full width', async () => {
    await open();
    expect(counts()).toEqual([48]);
    await pass(699);
    expect(counts()).toEqual([48]);
    await pass(1);
    expect(counts()).toEqual([48, 12]);
    await pass(1_400);
    expect(counts()).toEqual([48, 12, 12, 12]);
    expect(confetti.options).toEqual([{ resize: true, useWorker: false, disableForReducedMotion: true }]);
    const showers = confetti.showers as Shower[];
    for (const { angle, colors, origin } of showers) {
      expect([angle, colors.length, origin.y]).toEqual([270, 4, -0.1]);
      for (const colour of colors) expect(colour).toMatch(/^#[0-9a-f]{6}$/);
    }
    expect(new Set(showers.map(({ origin }) => origin.x)).size).toBe(showers.length);
  });

  test('stops on a hidden page, and continues when the page is visible', async () => {
    const state = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden');
    await open();
    await pass(2_100);
    expect(counts()).toEqual([]);
    state.mockReturnValue('visible');
    await pass(700);
    expect(counts()).toEqual([12]);
  });

  test('is removed after a minute', async () => {
    const { unmount } = await open();
    await pass(59_999);
    expect(confetti.resets).toBe(0);
    await pass(1);
    expect(confetti.resets).toBe(1);
    const fallen = counts().length;
    await pass(10_000);
    expect(counts()).toHaveLength(fallen);
    unmount();
  });

  test('does not start if its dialog is closed before the code of the confetti has loaded', async () => {
    const { unmount } = render(<Confetti />);
    unmount();
    await vi.dynamicImportSettled();
    await pass(2_000);
    expect([confetti.options, confetti.showers]).toEqual([[], []]);
  });

  test('is hidden from screen readers, and does not start under reduced motion', async () => {
    const { container, unmount } = await open();
    expect(container.querySelector('canvas')).toHaveAttribute('aria-hidden', 'true');
    unmount();
    vi.stubGlobal('matchMedia', (query: string) => ({ matches: query === '(prefers-reduced-motion: reduce)' }));
    const still = await open();
    expect(still.container).toBeEmptyDOMElement();
  });
});
