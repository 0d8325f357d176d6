import '#tests/web/support/setup.ts';
import { act, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { DAY_MS } from '#contract/durations.ts';
import { saveFile } from '#web/accounts/settings/own-data.tsx';
import { formatCountdown, useSecondsLeft } from '#web/lib/countdown.ts';
import { formatDate, formatDateTime, formatDay, isToday } from '#web/lib/format.ts';
import { changeLanguage } from '#web/lib/i18n.ts';
import { noteServerTime, toPhoneTime } from '#web/lib/server-time.ts';
import { toListQuery } from '#web/posts/list/post-filter.ts';
import { mayAskForPush, noteAskedForPush } from '#web/push/push-card.tsx';

const NOW = Date.parse('2026-11-23T08:00:00Z');

beforeEach(() => void vi.useFakeTimers({ now: NOW }));
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

test.each([
  ['en', '23 November 2026', /^Sun,? 22 Nov$/, /^23 Nov 2026, 01:30$/],
  ['sw', '23 Novemba 2026', /22 Nov$/, /^23 Nov 2026, 01:30$/],
] as const)('days are Tanzania’s, whatever the phone’s time zone, in %s', async (language, date, day, dateTime) => {
  vi.useRealTimers();
  await changeLanguage(language);
  const late = '2026-11-22T22:30:00Z';
  expect(formatDate(late)).toBe(date);
  expect(formatDay('2026-11-22')).toMatch(day);
  expect(formatDateTime(late)).toMatch(dateTime);
  expect(formatDateTime(Date.parse(late))).toBe(formatDateTime(late));
  expect(isToday(late, NOW)).toBe(true);
  expect(isToday('2026-11-22T20:59:00Z', NOW)).toBe(false);
});

test.each([
  [1, '2026-11-23'],
  [7, '2026-11-17'],
  [30, '2026-10-25'],
  [null, null],
] as const)('the posts of %s days, including today, are those since %s', (days, since) => {
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
});

test('a deadline by the server’s clock ends on time on a phone with a wrong clock', () => {
  const end = '2026-11-23T08:10:00Z';
  noteServerTime(new Headers({ Date: 'Mon, 23 Nov 2026 08:01:00 GMT' }));
  expect(toPhoneTime(end)).toBe(NOW + 9 * 60_000);
  noteServerTime(new Headers());
  expect(toPhoneTime(end)).toBe(NOW + 9 * 60_000);
  noteServerTime(new Headers({ Date: new Date(NOW).toUTCString() }));
  expect(toPhoneTime(end)).toBe(NOW + 10 * 60_000);
});

function Countdown({ until }: { until: number }) {
  return <p>{formatCountdown(useSecondsLeft(until, 300))}</p>;
}

test('a countdown follows the clock after a phone has slept, from its maximum to zero', () => {
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

test('a person is asked about pushes again after thirty days, on each phone separately', () => {
  expect(mayAskForPush('asha')).toBe(true);
  noteAskedForPush('asha');
  expect([mayAskForPush('asha'), mayAskForPush('juma')]).toEqual([false, true]);
  vi.setSystemTime(NOW + 30 * DAY_MS - 1);
  expect(mayAskForPush('asha')).toBe(false);
  vi.setSystemTime(NOW + 30 * DAY_MS);
  expect(mayAskForPush('asha')).toBe(true);
});

test('a file is saved under its name, and its URL is released later', () => {
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
