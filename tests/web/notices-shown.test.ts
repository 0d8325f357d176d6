import { expect, test, vi } from 'vitest';
import { claimNotice, wasShown } from '#web/notices/shown-notices.ts';
import { stubLocks } from './support/locks.ts';

test.each(['locks', 'no locks'])(
  'with %s a notice is shown once, and remembered for its reader alone',
  async (have) => {
    if (have === 'locks') stubLocks();
    expect(wasShown('asha', 'notice-1')).toBe(false);
    expect(await claimNotice('asha', 'notice-1')).toBe(true);
    expect(await claimNotice('asha', 'notice-1')).toBe(false);
    expect([wasShown('asha', 'notice-1'), wasShown('juma', 'notice-1')]).toEqual([true, false]);
    expect(await claimNotice('juma', 'notice-1')).toBe(true);
    expect(await claimNotice('asha', 'notice-2')).toBe(true);
    expect([wasShown('asha', 'notice-1'), wasShown('asha', 'notice-2')]).toEqual([true, true]);
  },
);

test('of two tabs that claim a notice at once one has it', async () => {
  stubLocks();
  expect(await Promise.all([claimNotice('asha', 'notice-1'), claimNotice('asha', 'notice-1')])).toEqual([true, false]);
});

test('a notice stays with its tab even where the storage has not caught up', async () => {
  stubLocks();
  await claimNotice('asha', 'notice-1');
  localStorage.clear();
  expect(await claimNotice('asha', 'notice-1')).toBe(false);
  expect(await claimNotice('juma', 'notice-1')).toBe(true);
});

test('two that are claimed at once are both remembered', async () => {
  stubLocks();
  await Promise.all([claimNotice('asha', 'notice-1'), claimNotice('asha', 'notice-2')]);
  expect([wasShown('asha', 'notice-1'), wasShown('asha', 'notice-2')]).toEqual([true, true]);
});

test('300 are remembered, the latest', async () => {
  for (let number = 0; number <= 300; number++) await claimNotice('asha', `notice-${number}`);
  expect([0, 1, 300].map((number) => wasShown('asha', `notice-${number}`))).toEqual([false, true, true]);
});

test.each(['{', '7', '{"length":1}', 'null'])('what is stored and is no list counts as nothing: %s', async (stored) => {
  localStorage.setItem('shownNotices:asha', stored);
  expect(wasShown('asha', 'notice-1')).toBe(false);
  expect(await claimNotice('asha', 'notice-1')).toBe(true);
  expect(wasShown('asha', 'notice-1')).toBe(true);
});

test('where the storage takes nothing a notice is shown all the same', async () => {
  const full = vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
    throw new DOMException('', 'QuotaExceededError');
  });
  expect(await claimNotice('asha', 'notice-1')).toBe(true);
  full.mockRestore();
});
