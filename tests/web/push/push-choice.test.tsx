import { act, screen, waitFor } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Me } from '#contract/accounts.ts';
import { DEFAULT_NOTICE_SETTINGS } from '#contract/channels.ts';
import { DAY_MS } from '#contract/durations.ts';
import type { Language } from '#contract/language.ts';
import { serveAccount } from '#tests/web/support/account.ts';
import { aPost, refuse, serveList, serveNothingElse } from '#tests/web/support/posts.ts';
import { servePush, stubPushBrowser } from '#tests/web/support/push.ts';
import { renderScreen } from '#tests/web/support/render-screen.tsx';
import { server } from '#tests/web/support/setup.ts';
import { queryClient } from '#web/api/queries.ts';

describe('the notice settings', () => {
  const TEXTS = {
    en: {
      heading: 'How we notify you',
      ways: ['Notices on your phone', 'WhatsApp messages', 'Emails', 'Quiet hours'],
      save: 'Save',
      saved: 'Saved.',
    },
    sw: {
      heading: 'Jinsi tunavyokujulisha',
      ways: ['Arifa kwenye simu yako', 'Ujumbe wa WhatsApp', 'Barua pepe', 'Saa za utulivu'],
      save: 'Hifadhi',
      saved: 'Imehifadhiwa.',
    },
  } satisfies Record<Language, object>;

  async function open({ language = 'en' as Language, me = {} as Partial<Me> } = {}) {
    const { push } = serveAccount(me);
    const view = await renderScreen('/account', { language, isSignedIn: true });
    await screen.findByRole('checkbox', { name: TEXTS[language].ways[3] ?? '' });
    return { ...view, ...push };
  }

  test.each(['en', 'sw'] as const)(
    'in the language %s each channel is explained with an example, and one save button sends all choices in one request',
    async (language) => {
      const { user, heard } = await open({ language });
      const { ways, save, saved } = TEXTS[language];
      const boxes = ways.map((name) => screen.getByRole('checkbox', { name }));
      expect(boxes.map((box) => (box as HTMLInputElement).checked)).toEqual([true, false, true, true]);
      for (const box of boxes) expect(box).toHaveAccessibleDescription(/For example|Kwa mfano/);
      await user.click(boxes[1] as HTMLElement);
      await user.click(boxes[2] as HTMLElement);
      await user.click(boxes[3] as HTMLElement);
      await user.dblClick(screen.getByRole('button', { name: save }));
      expect(await screen.findByText(saved)).toBeInTheDocument();
      expect(heard.saved).toEqual([{ push: true, whatsapp: true, email: false, quiet_from: null, quiet_to: null }]);
    },
  );

  test('quiet hours are saved only if they begin and end at different times', async () => {
    const { user, heard } = await open();
    const from = screen.getByLabelText('From');
    await user.clear(from);
    await user.type(from, '06:00');
    await user.click(screen.getByRole('button', { name: 'Save' }));
    expect(await screen.findByText('The two times must not be the same.')).toBeInTheDocument();
    expect(heard.saved).toEqual([]);
    await user.clear(from);
    await user.type(from, '22:30');
    await user.click(screen.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(heard.saved).toEqual([{ ...DEFAULT_NOTICE_SETTINGS, quiet_from: '22:30' }]));
  });

  test('WhatsApp cannot be chosen before the phone number is proven, and a note says that e-mails need a confirmed address', async () => {
    const { user, router } = await open({ me: { is_whatsapp_verified: false } });
    expect(screen.getByRole('checkbox', { name: 'WhatsApp messages' })).toBeDisabled();
    expect(screen.getByText('They come once your email is confirmed.')).toBeInTheDocument();
    await user.click(screen.getByRole('link', { name: 'Confirm first that the number is yours.' }));
    expect(router.state.location).toMatchObject({ pathname: '/prove-number', state: { from: '/account' } });
  });

  test('a proven phone number or e-mail needs no further proof; with an unproven number WhatsApp can be switched off, but not on', async () => {
    const proven = await open({ me: { is_email_proven: true } });
    expect(screen.queryByText('They come once your email is confirmed.')).toBeNull();
    expect(screen.queryByRole('link', { name: 'Confirm first that the number is yours.' })).toBeNull();
    proven.unmount();
    serveAccount({ is_whatsapp_verified: false });
    servePush({ settings: { ...DEFAULT_NOTICE_SETTINGS, whatsapp: true } });
    const { user } = await renderScreen('/account', { isSignedIn: true });
    const box = await screen.findByRole('checkbox', { name: 'WhatsApp messages' });
    expect(box).toBeChecked();
    await user.click(box);
    expect(box).not.toBeChecked();
    expect(box).toBeDisabled();
  });

  test('the save button is active only after a change, and the message “Saved” stays until the next change', async () => {
    const { user } = await open();
    const save = screen.getByRole('button', { name: 'Save' });
    expect(save).toHaveAttribute('aria-disabled', 'true');
    await user.click(screen.getByRole('checkbox', { name: 'Quiet hours' }));
    expect(screen.queryByLabelText('From')).toBeNull();
    expect(save).not.toHaveAttribute('aria-disabled');
    await user.click(save);
    expect(await screen.findByText('Saved.')).toBeInTheDocument();
    expect(save).toHaveAttribute('aria-disabled', 'true');
    await user.click(screen.getByRole('checkbox', { name: 'Quiet hours' }));
    expect(screen.queryByText('Saved.')).toBeNull();
    const { quiet_from, quiet_to } = DEFAULT_NOTICE_SETTINGS;
    for (const [name, time] of [
      ['From', quiet_from],
      ['To', quiet_to],
    ] as const) {
      expect(screen.getByLabelText(name)).toHaveValue(time);
      expect(screen.getByLabelText(name)).toHaveAttribute('type', 'time');
      expect(screen.getByLabelText(name)).toBeRequired();
    }
  });

  test('a channel over which the server cannot send is not shown', async () => {
    serveAccount({ is_email_available: false });
    servePush({ key: null });
    stubPushBrowser();
    await renderScreen('/account', { isSignedIn: true });
    await screen.findByRole('checkbox', { name: 'Quiet hours' });
    expect(screen.queryByRole('checkbox', { name: 'Emails' })).toBeNull();
    expect(screen.queryByRole('checkbox', { name: 'Notices on your phone' })).toBeNull();
    expect(screen.queryByRole('button', { name: 'Switch on for this phone' })).toBeNull();
  });

  test('“Try again” reloads settings that failed to load; if the server refuses to save settings, its reason is shown', async () => {
    serveAccount();
    server.use(http.get('*/api/me/notice-settings', () => refuse(400, 'malformed_request'), { once: true }));
    const { user } = await renderScreen('/account', { isSignedIn: true });
    expect(await screen.findByText('Your notice settings could not be loaded.')).toBeInTheDocument();
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    await screen.findByRole('checkbox', { name: 'Quiet hours' });
    await user.click(screen.getByRole('checkbox', { name: 'WhatsApp messages' }));
    server.use(
      http.put('*/api/me/notice-settings', () => refuse(409, 'number_not_proven', 'Prove it first.'), { once: true }),
    );
    await user.click(screen.getByRole('button', { name: 'Save' }));
    expect(await screen.findByText('Prove it first.')).toBeInTheDocument();
    server.use(http.put('*/api/me/notice-settings', () => HttpResponse.error(), { once: true }));
    await user.click(screen.getByRole('button', { name: 'Save' }));
    expect(await screen.findByText('This could not be done. Check your network and try again.')).toBeInTheDocument();
  });

  test.each([
    [
      'en',
      'Switch on for this phone',
      'This phone gets notices.',
      'Switch off for this phone',
      'This phone gets no more notices.',
    ],
    [
      'sw',
      'Washa kwenye simu hii',
      'Simu hii inapokea arifa.',
      'Zima kwenye simu hii',
      'Simu hii haitapokea arifa tena.',
    ],
  ] as const)(
    'in the language %s pushes to this phone can be switched on and off',
    async (language, begin, on, end, off) => {
      const { seen, endpoint } = stubPushBrowser();
      const { user, heard } = await open({ language });
      await user.dblClick(screen.getByRole('button', { name: begin }));
      const status = await screen.findByText(on);
      // The pressed button has been removed, so the focus moves to the element around the message.
      expect(status.parentElement).toHaveFocus();
      expect(seen.subscribed).toHaveLength(1);
      await user.dblClick(screen.getByRole('button', { name: end }));
      expect(await screen.findByText(off)).toBe(status);
      expect(status.parentElement).toHaveFocus();
      expect(endpoint()).toBeNull();
      expect(heard.deleted).toEqual([['https://push.example/1', 'Bearer a-token']]);
    },
  );

  test('switching on pushes for this phone also ticks pushes in the account’s settings, and later saves keep the tick', async () => {
    stubPushBrowser();
    serveAccount();
    const { heard } = servePush({ settings: { ...DEFAULT_NOTICE_SETTINGS, push: false } });
    const { user } = await renderScreen('/account', { isSignedIn: true });
    const box = await screen.findByRole('checkbox', { name: 'Notices on your phone' });
    expect(box).not.toBeChecked();
    await user.click(screen.getByRole('button', { name: 'Switch on for this phone' }));
    await waitFor(() => expect(box).toBeChecked());
    expect(screen.getByRole('button', { name: 'Save' })).toHaveAttribute('aria-disabled', 'true');
    await user.click(screen.getByRole('checkbox', { name: 'WhatsApp messages' }));
    await user.click(screen.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(heard.saved.at(-1)).toEqual({ ...DEFAULT_NOTICE_SETTINGS, push: true, whatsapp: true }));
  });

  test('if the browser blocks notifications, an explanation is shown instead of the button that switches pushes on', async () => {
    stubPushBrowser({ permission: 'denied' });
    await open();
    expect(screen.getByText('Notices are blocked on this phone')).toBeInTheDocument();
    expect(screen.queryByRole('button', { name: 'Switch on for this phone' })).toBeNull();
  });

  test('if the user denies the permission for pushes, an explanation appears and gets the focus', async () => {
    stubPushBrowser({ answer: 'denied' });
    const { user } = await open();
    await user.click(screen.getByRole('button', { name: 'Switch on for this phone' }));
    const explained = await screen.findByText('Notices are blocked on this phone');
    expect(document.activeElement).toContainElement(explained);
    expect(document.body).not.toHaveFocus();
  });

  test('an iPhone user is asked to add the app to the home screen before turning pushes on', async () => {
    const agent = vi.spyOn(navigator, 'userAgent', 'get').mockReturnValue('Mozilla/5.0 (iPhone; CPU iPhone OS 18_0)');
    await open({ language: 'sw' });
    expect(screen.getByRole('heading', { name: /kwanza weka Patikana kwenye skrini ya mwanzo/ })).toBeInTheDocument();
    await act(() => import('#web/push/home-screen-picture.tsx'));
    agent.mockRestore();
  });
});

describe('the card that asks about pushes', () => {
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

  /** Waits until all modules and responses that the card needs have arrived. */
  async function settle(): Promise<void> {
    await act(() => import('#web/push/push-card.tsx'));
    await waitFor(() => expect(queryClient.isFetching()).toBe(0));
  }

  test.each(['en', 'sw'] as const)(
    'promises in the language %s to send no advertising, and subscribes the phone after the answer “yes”',
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

  test('also turns pushes on in the account’s settings, for a user who had turned them off', async () => {
    stubPushBrowser();
    const { heard } = servePush({ settings: { ...DEFAULT_NOTICE_SETTINGS, push: false } });
    const { user } = await openNotices();
    await user.click(await screen.findByRole('button', { name: yes }));
    await screen.findByText(TEXTS.en.done);
    expect(heard.saved).toEqual([DEFAULT_NOTICE_SETTINGS]);
  });

  test('is shown at most once in thirty days, whatever the user answers', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-11-01T08:00:00Z') });
    stubPushBrowser();
    servePush();
    const asked: number[] = [];
    for (const day of [0, 1, 29, 30, 31, 59, 60]) {
      vi.setSystemTime(Date.parse('2026-11-01T08:00:00Z') + day * DAY_MS);
      const { unmount } = await openNotices();
      await settle();
      if (screen.queryByRole('button', { name: later })) asked.push(day);
      unmount();
    }
    expect(asked).toEqual([0, 30, 60]);
  });

  test('closes on “Not now”, and the browser does not ask for permission', async () => {
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
    'explains in the language %s that the browser blocks pushes, and does not appear on the next visit',
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

  test('stays open if the user closes the browser’s permission prompt without an answer', async () => {
    stubPushBrowser({ answer: 'default' });
    servePush();
    const { user } = await openNotices();
    await user.click(await screen.findByRole('button', { name: yes }));
    await waitFor(() => expect(screen.getByRole('button', { name: yes })).not.toHaveAttribute('aria-busy'));
    expect(screen.getByRole('heading', { name: title })).toBeInTheDocument();
  });

  test('shows an error if the server fails, and a second press tries again', async () => {
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

  test('is not shown if the server cannot send pushes', async () => {
    stubPushBrowser();
    servePush({ key: null });
    await openNotices();
    await settle();
    expect(screen.queryByText(title)).toBeNull();
    expect(localStorage.getItem('pushAskedAt:a-user')).toBeNull();
  });

  test('is not shown if the browser does not support pushes', async () => {
    servePush();
    await openNotices();
    await settle();
    expect(screen.queryByText(title)).toBeNull();
  });

  test.each([
    ['en', /first add Patikana to the home screen/, 'All right'],
    ['sw', /kwanza weka Patikana kwenye skrini ya mwanzo/, 'Sawa'],
  ] as const)(
    'asks an iPhone user in the language %s to add the app to the home screen first, with a picture',
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

  test('is shown to a user who has just posted; a user who only browses does not see it', async () => {
    stubPushBrowser();
    servePush();
    serveList('/posts', []);
    const { router, unmount } = await renderScreen('/view-posts', { isSignedIn: true });
    await screen.findByText('No items found. Try adjusting your search criteria.');
    await settle();
    expect(screen.queryByText(title)).toBeNull();
    expect(router.state.location.pathname).toBe('/view-posts');
    unmount();
    server.use(http.get('*/api/posts/my-post', () => HttpResponse.json({ Post: aPost() })));
    await renderScreen({ pathname: '/view-posts', state: { posted: 'my-post' } }, { isSignedIn: true });
    expect(await screen.findByRole('heading', { name: title })).toBeInTheDocument();
  });
});
