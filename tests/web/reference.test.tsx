import { screen } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { afterEach, expect, test } from 'vitest';
import { api, withReference } from '#web/lib/api-client.ts';
import { changeLanguage } from '#web/lib/i18n.ts';
import { renderScreen } from './support/render-screen.tsx';
import { server } from './support/setup.ts';

afterEach(() => changeLanguage('en'));

/** An answer with the name of its request, which every answer of the Worker has. */
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
] as const)('an error that nobody expected is shown with what to quote of it (%s)', async (language, reference) => {
  server.use(http.post('*/api/login', () => answerWith(500, 'internal_error')));
  const { user } = await renderScreen('/login', { language });
  const [email, password] = language === 'en' ? ['Email', 'Password'] : ['Barua pepe', 'Nenosiri'];
  await user.type(screen.getByLabelText(email), 'asha@example.com');
  await user.type(screen.getByLabelText(password), 'tumaini la kesho{Enter}');
  expect(await screen.findByRole('alert')).toHaveTextContent(`Sentensi ya seva. ${reference}`);
});

test('our own sentence for it has the reference, too', async () => {
  expect(withReference('It failed.', await failureOf(500, 'internal_error'))).toBe('It failed. Reference: R-123');
});

test.each([
  [503, 'unavailable'],
  [422, 'validation_failed'],
  [404, 'not_found'],
])('a %s says what it is, and needs no reference', async (status, code) => {
  const failure = await failureOf(status, code);
  expect(failure).toMatchObject({ detail: 'Sentensi ya seva.', reference: '' });
  expect(withReference('It failed.', failure)).toBe('It failed.');
});
