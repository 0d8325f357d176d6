import '#tests/web/support/setup.ts';
import { act, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { createMemoryRouter } from 'react-router';
import { RouterProvider } from 'react-router/dom';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { DAY_MS } from '#contract/durations.ts';
import { atStep } from '#tests/web/support/phone.ts';
import { startUser } from '#tests/web/support/render-screen.tsx';
import { saveFile } from '#web/accounts/settings/own-data.tsx';
import { screens } from '#web/app/screens.ts';
import { useDialogAddress } from '#web/lib/address.ts';
import { formatCountdown, useSecondsLeft } from '#web/lib/countdown.ts';
import { formatDate, formatDateTime, formatDay, isToday } from '#web/lib/format.ts';
import { changeLanguage } from '#web/lib/i18n.ts';
import * as all from '#web/lib/paths.ts';
import { noteServerTime, toPhoneTime } from '#web/lib/server-time.ts';
import { createEvent, createStore, useStore } from '#web/lib/store.ts';
import { useGoBack } from '#web/lib/use-go-back.ts';
import { readFilter, toListQuery, usePostFilter } from '#web/posts/list/post-filter.ts';
import { mayAskForPush, noteAskedForPush } from '#web/push/push-card.tsx';

function Screen() {
  const question = useDialogAddress('ask', 'name');
  const goBack = useGoBack('/home');
  const { typed, setTyped, setParam, clear, filter } = usePostFilter();
  return (
    <>
      <input aria-label="Search" value={typed} onChange={({ target }) => setTyped(target.value)} />
      <p>{filter.search}</p>
      {question.isOpen && <p>The question</p>}
      {[
        ['Open', question.open] as const,
        ['Close', question.close] as const,
        ['Back', goBack] as const,
        ['Keys', () => setParam('kind', 'keys')] as const,
        ['All', () => setParam('kind', '')] as const,
        ['Clear', clear] as const,
      ].map(([name, press]) => (
        <button key={name} type="button" onClick={press}>
          {name}
        </button>
      ))}
    </>
  );
}

describe('URLs', () => {
  afterEach(() => vi.useRealTimers());

  test('every URL that the app builds belongs to a screen and has escaped parameters', () => {
    const addresses = screens.map(({ path }) => path);
    for (const path of Object.values(all.paths)) expect(addresses).toContain(path);
    const id = 'a/b?c#d';
    const made = [
      [all.communityPath, '/communities/a%2Fb%3Fc%23d'],
      [all.runCommunityPath, '/community-details/a%2Fb%3Fc%23d'],
      [all.communityMembersPath, '/community-details/a%2Fb%3Fc%23d?tab=members'],
      [all.deskPath, '/communities/a%2Fb%3Fc%23d/desk'],
      [all.postPath, '/posts/a%2Fb%3Fc%23d'],
      [all.answerPath, '/create-post?answers=a%2Fb%3Fc%23d'],
      [all.contactPath, '/posts/a%2Fb%3Fc%23d/contact'],
      [all.posterPath, '/posts/a%2Fb%3Fc%23d/poster'],
      [all.claimPostPath, '/posts/a%2Fb%3Fc%23d/claim'],
      [all.claimPath, '/claims/a%2Fb%3Fc%23d'],
    ] as const;
    for (const [make, path] of made) expect(make(id)).toBe(path);
  });

  test('a list’s filters are read from the URL, and invalid values are ignored', () => {
    const said = 'search=pochi&community_code=AB&posted_by=owner&kind=document&place=Moshi&days=7&open=1&exact=1';
    expect(readFilter(new URLSearchParams(said))).toEqual({
      search: 'pochi',
      communityCode: 'AB',
      postedBy: 'owner',
      kind: 'document',
      place: 'Moshi',
      days: 7,
      isOpenOnly: true,
      isExact: true,
    });
    const nothing = { search: '', communityCode: null, postedBy: null, kind: null, place: '', days: null };
    for (const wrong of ['', 'posted_by=x&kind=y&days=8&open=yes&exact=0'])
      expect(readFilter(new URLSearchParams(wrong))).toEqual({ ...nothing, isOpenOnly: false, isExact: false });
  });

  function open(...entries: (string | { pathname: string; search?: string; state?: unknown })[]) {
    const router = createMemoryRouter([{ path: '*', Component: Screen }], { initialEntries: entries });
    render(<RouterProvider router={router} />);
    const at = () => router.state.location.pathname + router.state.location.search;
    const press = (name: string) => startUser().click(screen.getByRole('button', { name }));
    return { router, at, press, user: startUser(), back: () => act(() => router.navigate(-1)) };
  }

  const isAsked = () => screen.queryByText('The question') !== null;

  test('going back closes a dialog that has its own URL, and closing the dialog leaves no history entry', async () => {
    const { router, at, press, back } = open('/before', {
      pathname: '/list',
      search: '?kind=keys',
      state: { from: 'x' },
    });
    await press('Open');
    expect([at(), isAsked()]).toEqual(['/list?kind=keys&ask=name', true]);
    expect(router.state.location.state).toEqual({ from: 'x', isDialog: true });
    await press('Open');
    await back();
    expect([at(), isAsked()]).toEqual(['/list?kind=keys', false]);
    await press('Open');
    await press('Close');
    expect([at(), isAsked()]).toEqual(['/list?kind=keys', false]);
    await back();
    expect(at()).toBe('/before');
  });

  test('a dialog that has its own URL opens only once and closes only once if the user presses twice', async () => {
    const { at, back } = open('/before', '/list');
    const button = (name: string) => screen.getByRole('button', { name });
    act(() => {
      fireEvent.click(button('Open'));
      fireEvent.click(button('Open'));
    });
    await waitFor(() => expect(isAsked()).toBe(true));
    act(() => {
      fireEvent.click(button('Close'));
      fireEvent.click(button('Close'));
    });
    await waitFor(() => expect(at()).toBe('/list'));
    await back();
    expect(at()).toBe('/before');
  });

  test('if a visit starts at a URL that opens a dialog, closing the dialog leaves the user on the same page', async () => {
    const { router, at, press, back } = open('/before', {
      pathname: '/list',
      search: '?kind=keys&ask=name',
      state: 's',
    });
    expect(isAsked()).toBe(true);
    await press('Close');
    expect([at(), isAsked(), router.state.location.state]).toEqual(['/list?kind=keys', false, 's']);
    await back();
    expect(at()).toBe('/before');
  });

  test('a URL whose query parameter names an unknown dialog opens no dialog', () => {
    open('/list?ask=age');
    expect(isAsked()).toBe(false);
  });

  test('the Back button leads to the previous screen, or to the home screen if there is none', async () => {
    const { router, at, press } = open('/first');
    await press('Back');
    expect(at()).toBe('/home');
    await act(() => router.navigate('/second'));
    atStep(1);
    await press('Back');
    expect(at()).toBe('/home');
  });

  test('on the first screen of a visit, the app’s Back button opens the home page, even if the screen’s URL was replaced', async () => {
    const { router, at, press } = open('/elsewhere', '/first');
    await act(() => router.navigate('/first?kind=keys', { replace: true }));
    atStep(0);
    await press('Back');
    expect(at()).toBe('/home');
  });

  test('a change of the filter adds a history entry, and clearing all filters keeps the search text', async () => {
    const { at, press, back } = open('/list?search=pochi');
    await press('Keys');
    expect(at()).toBe('/list?search=pochi&kind=keys');
    await press('All');
    expect(at()).toBe('/list?search=pochi');
    await back();
    expect(at()).toBe('/list?search=pochi&kind=keys');
    await press('Clear');
    expect(at()).toBe('/list?search=pochi');
  });

  test('search text typed just before a press on a filter is not lost', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const { at, back } = open('/before', '/list');
    fireEvent.change(screen.getByLabelText('Search'), { target: { value: 'pochi' } });
    await act(async () => {
      fireEvent.pointerDown(screen.getByRole('button', { name: 'Keys' }));
      fireEvent.click(screen.getByRole('button', { name: 'Keys' }));
    });
    expect(at()).toBe('/list?search=pochi&kind=keys');
    expect(screen.getByLabelText('Search')).toHaveValue('pochi');
    await back();
    expect(at()).toBe('/list?search=pochi');
    await back();
    await back();
    await act(async () => void fireEvent.click(screen.getByRole('button', { name: 'Keys' })));
    expect(at()).toBe('/before?kind=keys');
  });

  test.each([
    ['after a pause in typing', () => vi.advanceTimersByTimeAsync(400)],
    ['when the user presses elsewhere', () => fireEvent.pointerDown(document.body)],
    ['when the field loses the focus', () => fireEvent.focusOut(screen.getByLabelText('Search'))],
  ])(
    'the letters typed in a search field are written to the URL together, as one history entry (moment: %s)',
    async (_when, end) => {
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
      const { at, back } = open('/before', '/list?kind=keys');
      const type = (value: string) => fireEvent.change(screen.getByLabelText('Search'), { target: { value } });
      type('po');
      await act(() => vi.advanceTimersByTimeAsync(399));
      expect(at()).toBe('/list?kind=keys');
      type('pochi');
      await act(() => vi.advanceTimersByTimeAsync(399));
      expect(at()).toBe('/list?kind=keys');
      await act(async () => void (await end()));
      expect(at()).toBe('/list?kind=keys&search=pochi');
      type('pochi n');
      await act(() => vi.advanceTimersByTimeAsync(400));
      expect(at()).toBe('/list?kind=keys&search=pochi+n');
      await back();
      expect([at(), screen.getByLabelText('Search')]).toEqual([
        '/list?kind=keys',
        expect.objectContaining({ value: '' }),
      ]);
    },
  );
});

const store = createStore({ name: 'Neema', age: 1 });

let renderCount = 0;

function Name() {
  renderCount++;
  return useStore(store, ({ name }) => name);
}

describe('a store', () => {
  test('still sends an event to a listener that another listener removes during this event', () => {
    const event = createEvent<[string]>();
    const heard: string[] = [];
    event.on((about) => {
      heard.push(`first ${about}`);
      stop();
    });
    const stop = event.on((about) => heard.push(`second ${about}`));
    event.emit('once');
    event.emit('twice');
    expect(heard).toEqual(['first once', 'second once', 'first twice']);
  });

  test('renders a component again only when the value that the component selects changes', () => {
    render(<Name />);
    act(() => store.set({ name: 'Neema', age: 2 }));
    expect(renderCount).toBe(1);
    act(() => store.set({ name: 'Juma', age: 2 }));
    expect(screen.getByText('Juma')).toBeInTheDocument();
    expect(renderCount).toBe(2);
  });
});

function Countdown({ until }: { until: number }) {
  return <p>{formatCountdown(useSecondsLeft(until, 300))}</p>;
}

describe('dates, push permission and downloads', () => {
  const NOW = Date.parse('2026-11-23T08:00:00Z');

  beforeEach(() => void vi.useFakeTimers({ now: NOW }));
  afterEach(() => {
    vi.useRealTimers();
    vi.restoreAllMocks();
  });

  test.each([
    ['en', '23 November 2026', /^Sun,? 22 Nov$/, /^23 Nov 2026, 01:30$/],
    ['sw', '23 Novemba 2026', /22 Nov$/, /^23 Nov 2026, 01:30$/],
  ] as const)(
    'in the language %s, dates and times are shown in Tanzanian time, whatever the phone’s time zone',
    async (language, date, day, dateTime) => {
      vi.useRealTimers();
      await changeLanguage(language);
      const late = '2026-11-22T22:30:00Z';
      expect(formatDate(late)).toBe(date);
      expect(formatDay('2026-11-22')).toMatch(day);
      expect(formatDateTime(late)).toMatch(dateTime);
      expect(formatDateTime(Date.parse(late))).toBe(formatDateTime(late));
      expect(isToday(late, NOW)).toBe(true);
      expect(isToday('2026-11-22T20:59:00Z', NOW)).toBe(false);
    },
  );

  test.each([
    [1, '2026-11-23'],
    [7, '2026-11-17'],
    [30, '2026-10-25'],
    [null, null],
  ] as const)(
    'a filter for the posts of the last %s days sends %s as the first day (null: no filter)',
    (days, since) => {
      const filter = {
        ...{ search: 'a', communityCode: 'b', postedBy: null, kind: null, place: 'c', days },
        ...{ isOpenOnly: true, isExact: true },
      };
      expect(toListQuery(filter, Date.parse('2026-11-22T22:30:00Z'))).toEqual({
        search: 'a',
        community_code: 'b',
        posted_by: null,
        kind: null,
        place: 'c',
        since,
        open: '1',
        exact: '1',
      });
      expect(toListQuery({ ...filter, isOpenOnly: false }).open).toBeNull();
    },
  );

  test('a deadline set by the server’s clock ends at the right moment on a phone with a wrong clock', () => {
    const end = '2026-11-23T08:10:00Z';
    noteServerTime(new Headers({ Date: 'Mon, 23 Nov 2026 08:01:00 GMT' }));
    expect(toPhoneTime(end)).toBe(NOW + 9 * 60_000);
    noteServerTime(new Headers());
    expect(toPhoneTime(end)).toBe(NOW + 9 * 60_000);
    noteServerTime(new Headers({ Date: new Date(NOW).toUTCString() }));
    expect(toPhoneTime(end)).toBe(NOW + 10 * 60_000);
  });

  test('a countdown is still correct when the phone was asleep, and stays between its maximum and zero', () => {
    const { unmount, rerender } = render(<Countdown until={NOW + 65_000} />);
    expect(screen.getByText('01:05')).toBeInTheDocument();
    act(() => void vi.advanceTimersByTime(500));
    expect(screen.getByText('01:05')).toBeInTheDocument();
    act(() => void vi.advanceTimersByTime(500));
    expect(screen.getByText('01:04')).toBeInTheDocument();
    vi.setSystemTime(NOW + 30_000);
    fireEvent(document, new Event('visibilitychange'));
    expect(screen.getByText('00:35')).toBeInTheDocument();
    vi.setSystemTime(NOW + 60_000);
    fireEvent(window, new Event('pageshow'));
    expect(screen.getByText('00:05')).toBeInTheDocument();
    act(() => void vi.advanceTimersByTime(60_000));
    expect(screen.getByText('00:00')).toBeInTheDocument();
    rerender(<Countdown until={Date.now() + DAY_MS} />);
    expect(screen.getByText('05:00')).toBeInTheDocument();
    unmount();
    expect(vi.getTimerCount()).toBe(0);
  });

  test('each person on a phone is asked to allow push notices at most once in thirty days', () => {
    expect(mayAskForPush('asha')).toBe(true);
    noteAskedForPush('asha');
    expect([mayAskForPush('asha'), mayAskForPush('juma')]).toEqual([false, true]);
    vi.setSystemTime(NOW + 30 * DAY_MS - 1);
    expect(mayAskForPush('asha')).toBe(false);
    vi.setSystemTime(NOW + 30 * DAY_MS);
    expect(mayAskForPush('asha')).toBe(true);
  });

  test('a downloaded file is saved under its name, and its temporary URL is released after a minute', () => {
    const [made, gone] = [vi.fn(() => 'blob:a-file'), vi.fn()];
    Object.assign(URL, { createObjectURL: made, revokeObjectURL: gone });
    const saved: string[][] = [];
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function click(this: HTMLAnchorElement) {
      saved.push([this.href, this.download]);
    });
    const content = new Blob(['{}']);
    saveFile('patikana.json', content);
    expect(made).toHaveBeenCalledExactlyOnceWith(content);
    expect(saved).toEqual([['blob:a-file', 'patikana.json']]);
    vi.advanceTimersByTime(59_999);
    expect(gone).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    expect(gone).toHaveBeenCalledExactlyOnceWith('blob:a-file');
  });
});
