import { act, screen, waitFor } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import type { CommunityStats } from '#contract/communities.ts';
import { refuse, SCHOOL, serveSchool } from './support/communities.ts';
import { stubShare } from './support/phone.ts';
import { renderScreen } from './support/render-screen.tsx';
import { server } from './support/setup.ts';

const STATS: CommunityStats = {
  total_members: 2,
  total_posts: 1,
  found_items: 1,
  lost_items: 0,
  resolved_posts: 0,
  active_posts: 1,
  posts_last_7_days: 1,
  most_active_location: null,
  admin_username: 'Neema',
};
const open = (language: 'en' | 'sw' = 'en') =>
  renderScreen('/community-details/school', { isSignedIn: true, language });

beforeEach(() => {
  serveSchool();
  server.use(http.get('*/api/communities/school/stats', () => HttpResponse.json(STATS)));
});

/** The windows that are opened beside the app. */
function watchWindows() {
  const opened = vi.spyOn(window, 'open').mockReturnValue(null);
  onTestFinished(() => opened.mockRestore());
  return opened;
}

test.each([
  [
    'en',
    'Access Settings',
    'Access code',
    /Anyone who has this access code can join/,
    /once the community has been approved/,
  ],
  ['sw', 'Mipangilio ya Kujiunga', 'Msimbo wa kujiunga', /Yeyote mwenye msimbo huu anaweza/, /itakapoidhinishwa/],
] as const)(
  'in %s the code stands with whom it lets in, all of it chosen at a tap',
  async (language, title, label, lets, waits) => {
    const approved = await open(language);
    expect(await screen.findByRole('region', { name: title })).toHaveTextContent(lets);
    const code = screen.getByRole<HTMLInputElement>('textbox', { name: label });
    expect(code).toHaveAttribute('dir', 'ltr');
    await approved.user.click(code);
    expect([code.selectionStart, code.selectionEnd]).toEqual([0, 10]);
    approved.unmount();
    serveSchool({ approval_status: 0 });
    const waiting = await open(language);
    await waitFor(() => expect(screen.getByRole('region', { name: title })).toHaveTextContent(waits));
    expect(screen.getByRole('region', { name: title })).not.toHaveTextContent(lets);
    waiting.unmount();
  },
);

test('that the code is copied is announced for two seconds, after which it can be copied again', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  onTestFinished(() => void vi.useRealTimers());
  const { user } = await open();
  const label = await screen.findByText('Copy');
  expect(label).toHaveAttribute('aria-live', 'polite');
  await user.click(label);
  await waitFor(() => expect(label).toHaveTextContent('Copied'));
  await act(() => vi.advanceTimersByTimeAsync(1_500));
  expect(label).toHaveTextContent('Copied');
  await act(() => vi.advanceTimersByTimeAsync(600));
  expect(label).toHaveTextContent(/^Copy$/);
});

test('a code that may not be copied is to be copied by hand, and is not said to be copied', async () => {
  const { user } = await open();
  vi.spyOn(navigator.clipboard, 'writeText').mockRejectedValue(new DOMException('', 'NotAllowedError'));
  await user.click(await screen.findByRole('button', { name: 'Copy' }));
  expect(await screen.findByText(/The access code could not be copied. Select it/)).toBeInTheDocument();
  expect(screen.getByRole('button', { name: 'Copy' })).toBeInTheDocument();
});

test('where the phone shares nothing by itself the link goes to WhatsApp', async () => {
  stubShare(undefined);
  const opened = watchWindows();
  const { user } = await open();
  await user.click(await screen.findByRole('button', { name: 'Share' }));
  const text = `Join “${SCHOOL.name}” on Patikana: http://localhost:8787/communities?join=ABCDE23456`;
  expect(opened.mock.calls).toEqual([[`https://wa.me/?text=${encodeURIComponent(text)}`, '_blank', 'noopener']]);
});

test('sharing that is left opens nothing else and is no failure', async () => {
  stubShare(() => Promise.reject(new DOMException('', 'AbortError')));
  const opened = watchWindows();
  const { user } = await open();
  await user.click(await screen.findByRole('button', { name: 'Share' }));
  expect(opened).not.toHaveBeenCalled();
  expect(screen.queryByRole('alert')).toBeNull();
});

test('while the QR code is made the button says so and makes no second one', async () => {
  const made = Promise.withResolvers<void>();
  let asked = 0;
  server.use(
    http.get('*/api/communities/school/qrcode/base64', async () => {
      asked++;
      await made.promise;
      return HttpResponse.json({ qr_code: 'iVBORw0KGgo=' });
    }),
  );
  const { user } = await open();
  await user.click(await screen.findByRole('button', { name: 'Generate QR' }));
  const button = await screen.findByRole('button', { name: 'Generating…' });
  expect(button).toHaveAttribute('aria-disabled', 'true');
  await user.click(button);
  made.resolve();
  expect(await screen.findByRole('img', { name: `QR code to join ${SCHOOL.name}` })).toBeInTheDocument();
  expect(asked).toBe(1);
  expect(screen.getByRole('button', { name: 'Generate QR' })).toBeInTheDocument();
});

test('numbers that cannot be read are said to be missing, and the code stands there all the same', async () => {
  server.use(http.get('*/api/communities/school/stats', refuse(404, {})));
  const { user } = await open();
  expect(await screen.findByRole('alert')).toHaveTextContent('The statistics could not be loaded.');
  expect(screen.getByRole('textbox', { name: 'Access code' })).toHaveValue('ABCDE23456');
  server.use(http.get('*/api/communities/school/stats', () => HttpResponse.json(STATS)));
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByText('Recent (7d)')).toBeInTheDocument();
  expect(screen.queryByRole('alert')).toBeNull();
});
