import { act, render, screen } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { MemoryRouter } from 'react-router';
import { expect, test } from 'vitest';
import type { Language } from '#contract/language.ts';
import { NumberBar } from '#web/accounts/number-bar.tsx';
import { api } from '#web/lib/api-client.ts';
import { changeLanguage } from '#web/lib/i18n.ts';
import { queryClient } from '#web/lib/query-client.ts';
import { signInAs } from '#web/lib/session.ts';
import { refuse } from './support/posts.ts';
import { server } from './support/setup.ts';
import { startUser } from './support/user.ts';

const NUMBER = '+255712345678';

async function open(me: object, { path = '/', language = 'en' as Language } = {}) {
  server.use(http.get('*/api/me', () => HttpResponse.json({ id: 'a-user', username: 'Asha', ...me })));
  await changeLanguage(language);
  signInAs({ token: 'a-token', userId: 'a-user' });
  const view = render(
    <MemoryRouter initialEntries={[path]}>
      <main id="content" tabIndex={-1} />
      <NumberBar />
    </MemoryRouter>,
  );
  await act(() => queryClient.refetchQueries());
  return view;
}

const UNPROVEN = { whatsapp_number: NUMBER, is_whatsapp_verified: false };

test.each([
  ['en', `Is ${NUMBER} really your number? Confirm it, free of charge.`, 'Confirm my number', 'Later'],
  ['sw', `Je, ${NUMBER} ni namba yako kweli? Ithibitishe, ni bure.`, 'Thibitisha namba yangu', 'Baadaye'],
] as const)(
  'in %s somebody with an unproven number is asked, at most once a week',
  async (language, text, go, later) => {
    const first = await open(UNPROVEN, { language, path: '/communities?join=X' });
    expect(await screen.findByText(text)).toBeInTheDocument();
    expect(screen.getByRole('link', { name: go })).toHaveAttribute('href', '/prove-number');
    await startUser().click(screen.getByRole('button', { name: later }));
    expect(screen.queryByText(text)).toBeNull();
    expect(screen.getByRole('main')).toHaveFocus();
    first.unmount();
    (await open(UNPROVEN, { language })).unmount();
    expect(screen.queryByText(text)).toBeNull();
    localStorage.setItem('numberAskedAt', String(Date.now() - 7 * 24 * 60 * 60 * 1000));
    await open(UNPROVEN, { language });
    expect(await screen.findByText(text)).toBeInTheDocument();
  },
);

test('somebody who has proven their number, or is doing so, is not asked', async () => {
  (await open({ whatsapp_number: NUMBER, is_whatsapp_verified: true })).unmount();
  await open(UNPROVEN, { path: '/prove-number' });
  expect(screen.queryByText(/really your number/)).toBeNull();
  expect(localStorage.getItem('numberAskedAt')).toBeNull();
});

test('somebody without a number is asked each time, and again when a write is refused for it', async () => {
  localStorage.setItem('numberAskedAt', String(Date.now()));
  await open({ whatsapp_number: null, is_whatsapp_verified: false });
  const text = 'Your account has no WhatsApp number. Add yours to post again.';
  expect(await screen.findByText(text)).toBeInTheDocument();
  await startUser().click(screen.getByRole('button', { name: 'Later' }));
  expect(screen.queryByText(text)).toBeNull();
  server.use(http.post('*/api/communities/join', () => refuse(403, 'number_needed', 'Please add a number.') as never));
  await act(async () => {
    await api('POST /communities/join', { body: { access_code: 'X' } }).catch(() => undefined);
  });
  expect(await screen.findByText(text)).toBeInTheDocument();
});
