import { act, screen, waitFor } from '@testing-library/react';
import i18next from 'i18next';
import { HttpResponse, http } from 'msw';
import { afterEach, expect, test } from 'vitest';
import { LANGUAGES } from '#contract/language.ts';
import { screens } from '#web/app/screens.ts';
import { changeLanguage } from '#web/lib/i18n.ts';
import { paths } from '#web/lib/paths.ts';
import { aPost, refuse, serveNothingElse } from './support/posts.ts';
import { renderScreen } from './support/render-screen.tsx';
import { server } from './support/setup.ts';

afterEach(() => changeLanguage('en'));

/** Whoever asked for no code is led from there to asking for one. */
const OWN_ADDRESS = screens.filter(({ path }) => path !== paths.verifyCode);

test.each(OWN_ADDRESS)('$path is named by the table of screens, in every language', async ({ path, title }) => {
  server.use(http.all('*/api/*', () => refuse(404, 'not_found', 'Not found')));
  await renderScreen(path.replace('*', '/hakuna').replace(':id', 'x'), { isSignedIn: true });
  for (const language of LANGUAGES) {
    await act(() => changeLanguage(language));
    await waitFor(() => expect(document.title).toBe(`${i18next.t(title)} · Patikana`));
    expect(document.title).not.toContain(title);
  }
});

test('a post names its screen as long as it is shown, in whatever language', async () => {
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

test('to whoever is no admin the name of /admin tells nothing either', async () => {
  await renderScreen('/admin', { isSignedIn: true });
  expect(await screen.findByRole('heading', { level: 1, name: 'Page not found' })).toBeInTheDocument();
  expect(document.title).toBe('Page not found · Patikana');
});

test('what a page asks for while it is still being read is what its screen asks for', async () => {
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

test('only screens that are the same for every visitor are in the build as pages', () => {
  const pages = screens.filter(({ prerendered }) => prerendered).map(({ path }) => path);
  const { home, viewPosts, login, register, forgotPassword, communities, privacy, terms } = paths;
  expect(pages).toEqual([home, viewPosts, login, register, forgotPassword, communities, privacy, terms]);
});
