import { act, screen, waitFor } from '@testing-library/react';
import i18next from 'i18next';
import { HttpResponse, http } from 'msw';
import { afterEach, describe, expect, test } from 'vitest';
import { LANGUAGES } from '#contract/language.ts';
import en from '#locales/en/outside/errors.json';
import sw from '#locales/sw/outside/errors.json';
import { refuseWith } from '#tests/web/support/communities.ts';
import { aPost, refuse, serveNothingElse } from '#tests/web/support/posts.ts';
import { renderScreen } from '#tests/web/support/render-screen.tsx';
import { server } from '#tests/web/support/setup.ts';
import { api, withReference } from '#web/api/client.ts';
import { screens } from '#web/app/screens.ts';
import { changeLanguage } from '#web/lib/i18n.ts';
import { paths } from '#web/lib/paths.ts';

describe('screens', () => {
  afterEach(() => changeLanguage('en'));

  /** A visitor without a requested code is redirected to request one. */
  const OWN_ADDRESS = screens.filter(({ path }) => path !== paths.verifyCode);

  test.each(OWN_ADDRESS)('$path is titled by the table of screens, in every language', async ({ path, title }) => {
    server.use(http.all('*/api/*', () => refuse(404, 'not_found', 'Not found')));
    await renderScreen(path.replace('*', '/hakuna').replace(':id', 'x'), { isSignedIn: true });
    for (const language of LANGUAGES) {
      await act(() => changeLanguage(language));
      await waitFor(() => expect(document.title).toBe(`${i18next.t(title)} · Patikana`));
      expect(document.title).not.toContain(title);
    }
  });

  test('a post titles its screen in every language', async () => {
    serveNothingElse();
    server.use(http.get('*/api/posts/:id', ({ params }) => HttpResponse.json(aPost({ title: `Funguo ${params.id}` }))));
    server.use(http.get('*/api/posts', () => HttpResponse.json([])));
    const { router } = await renderScreen('/posts/1', { isSignedIn: true });
    await waitFor(() => expect(document.title).toBe('Funguo 1 · Patikana'));
    await act(() => changeLanguage('sw'));
    expect(document.title).toBe('Funguo 1 · Patikana');
    await act(() => router.navigate('/posts/2'));
    await waitFor(() => expect(document.title).toBe('Funguo 2 · Patikana'));
    await act(() => router.navigate('/posts/2/contact'));
    expect(document.title).toBe('Wasiliana na aliyetangaza · Patikana');
    await act(() => router.navigate('/view-posts'));
    expect(document.title).toBe('Tafuta vitu vilivyopotea · Patikana');
  });

  test('the title of /admin reveals nothing to people who are not admins', async () => {
    await renderScreen('/admin', { isSignedIn: true });
    expect(await screen.findByRole('heading', { level: 1, name: 'Page not found' })).toBeInTheDocument();
    expect(document.title).toBe('Page not found · Patikana');
  });

  test('the request that a page starts early is the one that its screen makes', async () => {
    const asked: string[] = [];
    serveNothingElse();
    server.use(
      http.get('*/api/posts', ({ request }) => {
        const { pathname, search } = new URL(request.url);
        asked.push(pathname + search);
        return HttpResponse.json([]);
      }),
    );
    await renderScreen(paths.viewPosts);
    await waitFor(() => expect(asked).toHaveLength(1));
    const first = screens.flatMap((screen) => ('firstRequest' in screen ? [[screen.path, screen.firstRequest]] : []));
    expect(first.map(([path, request]) => [path, `/api${request}`])).toEqual([[paths.viewPosts, asked[0]]]);
  });

  test('only screens that are equal for all visitors are prerendered', () => {
    const pages = screens.filter(({ prerendered }) => prerendered).map(({ path }) => path);
    const { home, viewPosts, login, register, forgotPassword, communities, privacy, terms } = paths;
    expect(pages).toEqual([home, viewPosts, login, register, forgotPassword, communities, privacy, terms]);
  });
});

describe('reference', () => {
  afterEach(() => changeLanguage('en'));

  /** A response with its request id, like every response of the Worker. */
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
  ] as const)('an unexpected error shows a reference to quote (%s)', async (language, reference) => {
    server.use(http.post('*/api/login', () => answerWith(500, 'internal_error')));
    const { user } = await renderScreen('/login', { language });
    const [email, password] = language === 'en' ? ['Email', 'Password'] : ['Barua pepe', 'Nenosiri'];
    await user.type(screen.getByLabelText(email), 'asha@example.com');
    await user.type(screen.getByLabelText(password), 'tumaini la kesho{Enter}');
    expect(await screen.findByRole('alert')).toHaveTextContent(`Sentensi ya seva. ${reference}`);
  });

  test('our own sentence for an unexpected error has the reference too', async () => {
    expect(withReference('It failed.', await failureOf(500, 'internal_error'))).toBe('It failed. Reference: R-123');
  });

  test.each([
    [503, 'unavailable'],
    [422, 'validation_failed'],
    [404, 'not_found'],
  ])('a %s explains itself without a reference', async (status, code) => {
    const failure = await failureOf(status, code);
    expect(failure).toMatchObject({ detail: 'Sentensi ya seva.', reference: '' });
    expect(withReference('It failed.', failure)).toBe('It failed.');
  });
});

const switchedOff = (detail: string) => refuseWith(503, { code: 'switched_off', detail });

test.each([
  [
    'en',
    en.switched_off,
    'Create account',
    ['Username', 'Email', 'Phone number (WhatsApp)', 'Password', 'Confirm password'],
  ],
  [
    'sw',
    sw.switched_off,
    'Fungua akaunti',
    ['Jina la mtumiaji', 'Barua pepe', 'Namba ya simu (WhatsApp)', 'Nenosiri', 'Rudia nenosiri'],
  ],
] as const)(
  'while registration is off a message appears above the form in %s, and the input stays',
  async (language, sentence, submit, labels) => {
    server.use(http.post('*/api/users', switchedOff(sentence)));
    const { user } = await renderScreen('/register', { language });
    const texts = ['Asha', 'asha@example.com', '0712345678', 'tumaini la kesho', 'tumaini la kesho'];
    for (const [index, label] of labels.entries())
      await user.type(await screen.findByLabelText(label), texts[index] ?? '');
    await user.click(screen.getByRole('button', { name: submit }));
    expect(await screen.findByRole('alert')).toHaveTextContent(sentence);
    expect(screen.getByLabelText(labels[1])).toHaveValue('asha@example.com');
  },
);

test('while claims are off a message appears above the form, and the answer stays', async () => {
  serveNothingElse();
  server.use(
    http.get('*/api/posts/:id', () => HttpResponse.json(aPost({ id: 'post-1', title: 'Pochi' }))),
    http.post('*/api/posts/:id/claims', switchedOff(en.switched_off)),
  );
  const { user } = await renderScreen('/posts/post-1/claim', { isSignedIn: true });
  await user.type(await screen.findByLabelText('Your answer'), 'Picha');
  await user.click(screen.getByRole('button', { name: 'Send to the finder' }));
  expect(await screen.findByRole('alert')).toHaveTextContent(en.switched_off);
  expect(screen.getByLabelText('Your answer')).toHaveValue('Picha');
});
