import { act, screen, waitFor } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { DEFAULT_NOTICE_SETTINGS } from '#contract/channels.ts';
import { DAY_MS } from '#contract/durations.ts';
import type { Language } from '#contract/language.ts';
import { serveList, serveNothingElse } from '#tests/web/support/posts.ts';
import { servePush, stubPushBrowser } from '#tests/web/support/push.ts';
import { renderScreen } from '#tests/web/support/render-screen.tsx';
import { server } from '#tests/web/support/setup.ts';
import { queryClient } from '#web/api/queries.ts';

const TEXTS = {
  en: {
    title: 'Shall we notify you when your item is found?',
    yes: 'Yes, notify me',
    later: 'Not now',
    done: /From now on this phone gets notices/,
    seldom: /We never send advertising/,
  },
  sw: {
    title: 'Tukujulishe kitu chako kikipatikana?',
    yes: 'Ndiyo, nijulishe',
    later: 'Si sasa',
    done: /Kuanzia sasa simu hii itapokea arifa/,
    seldom: /Hatutumi matangazo ya biashara/,
  },
} satisfies Record<Language, Record<string, string | RegExp>>;
const { title, yes, later } = TEXTS.en;

beforeEach(serveNothingElse);
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

async function openNotices(language: Language = 'en') {
  const view = await renderScreen('/notices', { language, isSignedIn: true });
  await screen.findByText(/No notices yet|Bado hakuna arifa/);
  return view;
}

/** By then all code and responses that the card needs have arrived. */
async function settle(): Promise<void> {
  await act(() => import('#web/push/push-card.tsx'));
  await waitFor(() => expect(queryClient.isFetching()).toBe(0));
}

test.each(['en', 'sw'] as const)(
  'in %s the card explains the pushes and their number, and a yes subscribes the phone',
  async (language) => {
    const { seen } = stubPushBrowser();
    const { heard } = servePush();
    const { user } = await openNotices(language);
    const texts = TEXTS[language];
    expect(await screen.findByRole('heading', { name: texts.title })).toBeInTheDocument();
    expect(screen.getByText(texts.seldom)).toBeInTheDocument();
    expect(seen.asked).toBe(0);
    await user.dblClick(screen.getByRole('button', { name: texts.yes }));
    expect(await screen.findByText(texts.done)).toBeInTheDocument();
    expect(screen.getByRole('region', { name: texts.title })).toHaveFocus();
    expect(seen.asked).toBe(1);
    expect(heard.put).toEqual([['https://push.example/1', 'Bearer a-token']]);
    expect(heard.saved).toEqual([]);
  },
);

test('a yes switches pushes on again for a user who had switched them off on all phones', async () => {
  stubPushBrowser();
  const { heard } = servePush({ settings: { ...DEFAULT_NOTICE_SETTINGS, push: false } });
  const { user } = await openNotices();
  await user.click(await screen.findByRole('button', { name: yes }));
  await screen.findByText(TEXTS.en.done);
  expect(heard.saved).toEqual([DEFAULT_NOTICE_SETTINGS]);
});

test('a user is asked at most once in thirty days, whatever the answer', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-11-01T08:00:00Z') });
  stubPushBrowser();
  servePush();
  const asked: number[] = [];
  for (let day = 0; day <= 60; day++) {
    vi.setSystemTime(Date.parse('2026-11-01T08:00:00Z') + day * DAY_MS);
    const { unmount } = await openNotices();
    await settle();
    if (screen.queryByRole('button', { name: later })) asked.push(day);
    unmount();
  }
  expect(asked).toEqual([0, 30, 60]);
}, 30_000);

test('"Not now" closes the card without the browser’s question', async () => {
  const { seen } = stubPushBrowser();
  servePush();
  const { user } = await openNotices();
  await user.click(await screen.findByRole('button', { name: later }));
  expect(screen.queryByText(title)).toBeNull();
  expect(screen.getByRole('main')).toHaveFocus();
  expect(seen.asked).toBe(0);
});

test.each([
  ['en', 'Notices are blocked on this phone'],
  ['sw', 'Arifa zimezuiwa kwenye simu hii'],
] as const)(
  'in %s a refusal in the browser is explained, and no further question follows',
  async (language, blocked) => {
    stubPushBrowser({ answer: 'denied' });
    const { heard } = servePush();
    const { user, unmount } = await openNotices(language);
    await user.click(await screen.findByRole('button', { name: TEXTS[language].yes }));
    expect(await screen.findByText(blocked)).toBeInTheDocument();
    expect(heard.put).toEqual([]);
    unmount();
    localStorage.removeItem('pushAskedAt:a-user');
    await openNotices(language);
    await settle();
    expect(screen.queryByText(TEXTS[language].title)).toBeNull();
  },
);

test("closing the browser's own question leaves the card as it is", async () => {
  stubPushBrowser({ answer: 'default' });
  servePush();
  const { user } = await openNotices();
  await user.click(await screen.findByRole('button', { name: yes }));
  await waitFor(() => expect(screen.getByRole('button', { name: yes })).not.toHaveAttribute('aria-busy'));
  expect(screen.getByRole('heading', { name: title })).toBeInTheDocument();
});

test('a failure on the server shows an error, and a second press retries', async () => {
  const { endpoint } = stubPushBrowser();
  const { heard } = servePush();
  server.use(http.put('*/api/push/subscriptions', () => HttpResponse.error(), { once: true }));
  const { user } = await openNotices();
  await user.click(await screen.findByRole('button', { name: yes }));
  expect(await screen.findByText(/This could not be changed/)).toBeInTheDocument();
  await user.click(screen.getByRole('button', { name: yes }));
  expect(await screen.findByText(TEXTS.en.done)).toBeInTheDocument();
  expect(heard.put).toEqual([[endpoint(), 'Bearer a-token']]);
});

test('without pushes on the server or in the browser nobody is asked', async () => {
  stubPushBrowser();
  servePush({ key: null });
  await openNotices();
  await settle();
  expect(screen.queryByText(title)).toBeNull();
  expect(localStorage.getItem('pushAskedAt:a-user')).toBeNull();
});

test('a browser without pushes gets no question', async () => {
  servePush();
  await openNotices();
  await settle();
  expect(screen.queryByText(title)).toBeNull();
});

test.each([
  ['en', /first add Patikana to the home screen/, 'All right'],
  ['sw', /kwanza weka Patikana kwenye skrini ya mwanzo/, 'Sawa'],
] as const)(
  'in %s an iPhone is asked to add the app to the home screen first, with a picture',
  async (language, text, understood) => {
    vi.spyOn(navigator, 'userAgent', 'get').mockReturnValue('Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X)');
    servePush();
    const { user } = await openNotices(language);
    expect(await screen.findByRole('heading', { name: text })).toBeInTheDocument();
    expect(await screen.findByRole('img', { name: /Safari/ })).toBeInTheDocument();
    await user.click(screen.getByRole('button', { name: understood }));
    expect(screen.queryByRole('heading', { name: text })).toBeNull();
    expect(screen.getByRole('main')).toHaveFocus();
  },
);

test('a user who has just posted is asked, and one who only browses is not', async () => {
  stubPushBrowser();
  servePush();
  serveList('/posts', []);
  const { router, unmount } = await renderScreen('/view-posts', { isSignedIn: true });
  await screen.findByText('No items found. Try adjusting your search criteria.');
  await settle();
  expect(screen.queryByText(title)).toBeNull();
  expect(router.state.location.pathname).toBe('/view-posts');
  unmount();
  await renderScreen({ pathname: '/view-posts', state: { posted: 'my-post' } }, { isSignedIn: true });
  expect(await screen.findByRole('heading', { name: title })).toBeInTheDocument();
});
