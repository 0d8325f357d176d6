import { act, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeAll, expect, test } from 'vitest';
import { SWITCHES } from '#contract/admin.ts';
import {
  aPerson,
  aPostPage,
  JUMA,
  openAdmin,
  PASSKEYS,
  refuseUnshown,
  refusing,
  serveAdmin,
  servePages,
  servePasskeys,
  stubAuthenticator,
} from '#tests/web/support/admin.ts';
import { WAITING_SCHOOL } from '#tests/web/support/communities.ts';
import { aPost, refuse } from '#tests/web/support/posts.ts';
import { renderScreen } from '#tests/web/support/render-screen.tsx';
import { server } from '#tests/web/support/setup.ts';

// Loaded in advance: on a busy machine, loading on demand takes longer than a test waits.
beforeAll(() => import('#web/admin/admin-screen.tsx'));

const TITLE = 'Confirm that it is you';
const SCHOOLS = ['Shule ya Kwanza', 'Shule ya Pili'].map((name, at) => ({ ...WAITING_SCHOOL, id: `${at}`, name }));

/** Serves communities that can be approved only after a passkey was used. */
function serve(passkeys = PASSKEYS) {
  const served = servePasskeys(passkeys);
  const approved: unknown[] = [];
  const refused: unknown[] = [];
  server.use(
    http.get('*/api/admin/communities', () => HttpResponse.json(SCHOOLS.filter(({ id }) => !approved.includes(id)))),
    http.post('*/api/admin/communities/:id/approve', ({ params }) => {
      (served.isShown ? approved : refused).push(params.id);
      if (!served.isShown) return refuseUnshown();
      return new HttpResponse(null, { status: 204 });
    }),
  );
  return { served, approved, refused };
}

async function approve({ user }: Awaited<ReturnType<typeof renderScreen>>, name = 'Shule ya Kwanza') {
  const card = within((await screen.findByRole('heading', { name })).closest('li') as HTMLElement);
  await user.click(card.getByRole('button', { name: 'Approve' }));
}

/** Approves the first pending community, and waits for the dialog that asks for the passkey. */
async function askToShow() {
  const view = await renderScreen('/admin', { isSignedIn: true });
  await approve(view);
  return { ...view, dialog: within(await screen.findByRole('dialog', { name: TITLE })) };
}

test('an admin’s decision waits until the admin has confirmed it with a passkey, and is then sent', async () => {
  const authenticator = stubAuthenticator();
  const { served, approved } = serve();
  const { user, dialog } = await askToShow();
  expect(await dialog.findByText(/^Changes here need your passkey/)).toBeInTheDocument();
  expect(dialog.queryByRole('alert')).toBeNull();
  expect(dialog.queryByLabelText('Your password')).toBeNull();
  expect(approved).toEqual([]);
  await user.click(dialog.getByRole('button', { name: 'Use the passkey' }));
  expect(await screen.findByText(/“Shule ya Kwanza” has been approved/)).toBeInTheDocument();
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(authenticator.asked).toEqual(['get show']);
  expect(served.shown).toMatchObject([
    { id: 'a2V5', rawId: 'a2V5', response: { authenticatorData: 'b2xk', signature: 'c2lnbmVk' } },
  ]);
  expect(approved).toEqual(['0']);
});

test('closing the passkey dialog cancels the decision with a message, and the next decision opens the dialog again', async () => {
  stubAuthenticator();
  const { approved } = serve();
  const view = await askToShow();
  await view.user.click(view.dialog.getByRole('button', { name: 'Close' }));
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(await screen.findByText('Please confirm with your passkey first.')).toBeInTheDocument();
  expect(approved).toEqual([]);
  await approve(view);
  await view.user.click(await screen.findByRole('button', { name: 'Use the passkey' }));
  expect(await screen.findByText(/“Shule ya Kwanza” has been approved/)).toBeInTheDocument();
  expect(approved).toEqual(['0']);
});

test('an admin without a passkey adds the first passkey when a decision needs one', async () => {
  const authenticator = stubAuthenticator();
  const { served, approved } = serve([]);
  const { user, dialog } = await askToShow();
  expect(await dialog.findByText(/^Changes here need a passkey: .* You have none yet\.$/)).toBeInTheDocument();
  await user.type(dialog.getByLabelText('Your password'), 'siri yangu');
  await user.click(dialog.getByRole('button', { name: 'Add a passkey' }));
  expect(await screen.findByText(/“Shule ya Kwanza” has been approved/)).toBeInTheDocument();
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(authenticator.asked).toEqual(['create add']);
  expect(served.added).toMatchObject([{ current_password: 'siri yangu' }]);
  expect(approved).toEqual(['0']);
});

test('a passkey that the browser refused can be used at the second try', async () => {
  const authenticator = stubAuthenticator();
  authenticator.touch = refusing('NotAllowedError');
  const { served } = serve(PASSKEYS.slice(0, 1));
  const { user, dialog } = await askToShow();
  await user.click(await dialog.findByRole('button', { name: 'Use the passkey' }));
  expect(await dialog.findByRole('alert')).toHaveTextContent('No passkey was used. Try again when you are ready.');
  expect(served.shown).toEqual([]);
  const touched = Promise.withResolvers<void>();
  authenticator.touch = () => touched.promise;
  await user.click(dialog.getByRole('button', { name: 'Use the passkey' }));
  await waitFor(() => expect(dialog.queryByRole('alert')).toBeNull());
  expect(dialog.getByRole('button', { name: 'Use the passkey' })).toHaveAttribute('aria-busy', 'true');
  touched.resolve();
  expect(await screen.findByText(/“Shule ya Kwanza” has been approved/)).toBeInTheDocument();
  expect(served.shown).toHaveLength(1);
});

test('one confirmation with a passkey sends two waiting decisions', async () => {
  stubAuthenticator();
  const { served, approved, refused } = serve();
  const view = await askToShow();
  await approve(view, 'Shule ya Pili');
  await waitFor(() => expect(refused).toEqual(['0', '1']));
  await view.user.click(await view.dialog.findByRole('button', { name: 'Use the passkey' }));
  await waitFor(() => expect(approved.toSorted()).toEqual(['0', '1']));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(served.shown).toHaveLength(1);
});

test('a decision refused for a reason other than a missing passkey confirmation never opens the passkey dialog', async () => {
  stubAuthenticator();
  const { served } = serve();
  const path = '*/api/admin/communities/:id/approve';
  server.use(http.post(path, () => refuse(409, 'conflict', 'Already approved.')));
  const view = await renderScreen('/admin', { isSignedIn: true });
  await approve(view);
  expect(await screen.findByText('Already approved.')).toBeInTheDocument();
  expect(screen.queryByRole('dialog')).toBeNull();
  server.use(
    http.post(path, () => (served.isShown ? refuse(409, 'conflict', 'Rejected meanwhile.') : refuseUnshown())),
  );
  await approve(view);
  await view.user.click(await screen.findByRole('button', { name: 'Use the passkey' }));
  expect(await screen.findByText('Rejected meanwhile.')).toBeInTheDocument();
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('an admin who adds or removes a passkey has to confirm the change with a passkey', async () => {
  const authenticator = stubAuthenticator();
  const served = servePasskeys();
  const { user } = await renderScreen('/admin?tab=passkeys', { isSignedIn: true });
  await user.click(await screen.findByRole('button', { name: 'Add a passkey' }));
  await user.click(await screen.findByRole('button', { name: 'Use the passkey' }));
  expect(await screen.findByText('The passkey has been added.')).toBeInTheDocument();
  expect(authenticator.asked).toEqual(['create add', 'get show']);
  expect(served.passkeys).toHaveLength(3);
  served.isShown = false;
  await user.click(screen.getAllByRole('button', { name: 'Remove' })[0] as HTMLElement);
  await user.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Remove' }));
  await user.click(await screen.findByRole('button', { name: 'Use the passkey' }));
  expect(await screen.findByText('The passkey has been removed.')).toBeInTheDocument();
  expect(served.removed).toEqual(['phone']);
});

test('the passkey dialog refetches the passkeys when it opens, because an operator may have removed passkeys meanwhile', async () => {
  stubAuthenticator();
  const { served } = serve();
  const view = await renderScreen('/admin?tab=passkeys', { isSignedIn: true });
  expect(await screen.findByText('Added on 1 November 2026')).toBeInTheDocument();
  served.passkeys = [];
  await view.user.click(screen.getByRole('tab', { name: 'Communities' }));
  await approve(view);
  expect(await screen.findByLabelText('Your password')).toBeInTheDocument();
  expect(screen.queryByRole('button', { name: 'Use the passkey' })).toBeNull();
});

test.each([
  ['en', TITLE, 'This browser does not support passkeys. Use a newer one, or another device.'],
  [
    'sw',
    'Thibitisha kuwa ni wewe',
    'Kivinjari hiki hakiwezi kutumia funguo za siri. Tumia kipya zaidi, au kifaa kingine.',
  ],
] as const)(
  'in the language %s the passkey dialog shows a message if the browser does not support passkeys',
  async (language, title, sentence) => {
    serve();
    const { user } = await renderScreen('/admin', { isSignedIn: true, language });
    const [button] = await screen.findAllByRole('button', { name: language === 'en' ? 'Approve' : 'Idhinisha' });
    await user.click(button as HTMLElement);
    const dialog = within(await screen.findByRole('dialog', { name: title }));
    expect(dialog.getByRole('alert')).toHaveTextContent(sentence);
    expect(dialog.queryByRole('button', { name: 'Use the passkey' })).toBeNull();
  },
);

test('if the passkeys fail to load, the passkey dialog shows the reason and a button to load them again', async () => {
  stubAuthenticator();
  const { served } = serve();
  const answered = Promise.withResolvers<void>();
  server.use(
    http.get('*/api/me/passkeys', async () => {
      await answered.promise;
      return refuse(403, 'forbidden', 'Only for admins.');
    }),
  );
  const { user, dialog } = await askToShow();
  expect(screen.getByRole('dialog').querySelector('[aria-busy=true]')).not.toBeNull();
  answered.resolve();
  expect(await dialog.findByRole('alert')).toHaveTextContent('Only for admins.');
  server.use(http.get('*/api/me/passkeys', () => HttpResponse.json(served.passkeys)));
  await user.click(dialog.getByRole('button', { name: 'Try again' }));
  await user.click(await dialog.findByRole('button', { name: 'Use the passkey' }));
  expect(await screen.findByText(/“Shule ya Kwanza” has been approved/)).toBeInTheDocument();
});

test.each(['/privacy', '/admin?tab=log'])(
  'a decision that waits for a passkey is cancelled when the user goes to %s',
  async (elsewhere) => {
    const authenticator = stubAuthenticator();
    const { approved } = serve();
    server.use(
      http.get('*/api/admin/log', () => HttpResponse.json([])),
      http.get('*/api/admin/admins', () => HttpResponse.json([])),
    );
    const { router } = await askToShow();
    await act(() => router.navigate(elsewhere));
    expect(await screen.findByText('Please confirm with your passkey first.')).toBeInTheDocument();
    expect(screen.queryByRole('dialog')).toBeNull();
    await act(() => router.navigate('/admin'));
    expect(await screen.findByRole('heading', { name: 'Shule ya Kwanza' })).toBeInTheDocument();
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(authenticator.asked).toEqual([]);
    expect(approved).toEqual([]);
  },
);

test('if the server refuses a decision after the admin has left the page, no passkey dialog opens', async () => {
  stubAuthenticator();
  serve();
  const answered = Promise.withResolvers<void>();
  server.use(
    http.post('*/api/admin/communities/:id/approve', async () => {
      await answered.promise;
      return refuseUnshown();
    }),
  );
  const view = await renderScreen('/admin', { isSignedIn: true });
  await approve(view);
  await act(() => view.router.navigate('/privacy'));
  await act(() => view.router.navigate('/admin'));
  answered.resolve();
  expect(await screen.findByText('Please confirm with your passkey first.')).toBeInTheDocument();
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('the admin screen shows a loading state until the user’s account has loaded, and an error if the account fails to load', async () => {
  let next = Promise.withResolvers<Response>();
  server.use(http.get('*/api/me', async () => (await next.promise).clone()));
  const { user } = await openAdmin('?tab=feedback');
  await waitFor(() => expect(document.querySelector('main [aria-busy=true]')).not.toBeNull());
  expect(screen.queryByRole('heading', { level: 1 })).toBeNull();
  next.resolve(
    HttpResponse.json({}, { status: 500, headers: { 'Retry-After': '60', 'X-Request-Id': 'kumbukumbu-7' } }),
  );
  expect(await screen.findByRole('heading', { level: 1, name: 'This page could not be shown' })).toBeInTheDocument();
  expect(screen.getByRole('alert')).toHaveTextContent(/An error occurred\. Please try again later\..*kumbukumbu-7/);
  next = Promise.withResolvers();
  next.resolve(HttpResponse.json({ id: 'a-user', username: 'Neema', is_platform_admin: true }));
  servePages('feedback', []);
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByText('No feedback is waiting.')).toBeInTheDocument();
});

test('a user whose session token is refused sees "Page not found" in the administration', async () => {
  server.use(http.get('*/api/me', () => HttpResponse.json({ code: 'token_invalid' }, { status: 401 })));
  await openAdmin('?tab=feedback');
  expect(await screen.findByRole('heading', { name: 'Page not found' })).toBeInTheDocument();
  expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull();
});

test('a visitor sees “Page not found” at /admin, and the app sends no request to /api/me', async () => {
  let asked = 0;
  server.use(
    http.get('*/api/me', () => {
      asked++;
      return HttpResponse.json({}, { status: 401 });
    }),
  );
  await renderScreen('/admin');
  expect(await screen.findByRole('heading', { name: 'Page not found' })).toBeInTheDocument();
  expect(asked).toBe(0);
});

const PARTS = [
  ['Communities', 'Approved', 'approved', 'No community has been approved yet.'],
  ['Reports', 'Open', 'reports', 'No reported post is waiting.'],
  ['Reports', 'Decided', 'decidedReports', 'No reported post has been decided yet.'],
  ['People', 'Search', 'lookUp', /By name, email/],
  ['People', 'Admins', 'admins', 'These people run the platform. A suspended admin can do nothing until reinstated.'],
  ['Log', null, 'log', 'No action has been taken yet.'],
  ['Settings', 'Switches', 'switches', /A part that is off/],
  ['Settings', 'Feedback', 'feedback', 'No feedback is waiting.'],
  ['Settings', 'Figures', 'week', /The last seven days/],
  ['Settings', 'Passkeys', 'passkeys', 'You have no passkey yet.'],
] as const;

test('each tab of the administration shows its content and changes the URL without a history entry', async () => {
  serveAdmin();
  for (const path of ['communities', 'reports', 'admins', 'log', 'week', 'feedback']) servePages(path, []);
  server.use(
    http.get('*/api/admin/switches', () => HttpResponse.json(Object.fromEntries(SWITCHES.map((name) => [name, true])))),
    http.get('*/api/me/passkeys', () => HttpResponse.json([])),
  );
  const { user, router } = await openAdmin('');
  expect(await screen.findByRole('heading', { level: 1, name: 'Administration' })).toBeInTheDocument();
  const groups = within(screen.getByRole('tablist', { name: 'Parts of the administration' }));
  expect(await screen.findByText('No community is waiting for approval.')).toBeInTheDocument();
  for (const [group, name, tab, content] of PARTS) {
    await user.click(groups.getByRole('tab', { name: group }));
    if (name) await user.click(within(screen.getByRole('tablist', { name: group })).getByRole('tab', { name }));
    expect(router.state.location.search).toBe(`?tab=${tab}`);
    expect(router.state.historyAction).toBe('REPLACE');
    expect(await screen.findByText(content)).toBeInTheDocument();
    expect(screen.getByRole('tabpanel', { name: name ?? group })).toBeInTheDocument();
  }
  await user.click(groups.getByRole('tab', { name: 'Communities' }));
  expect(router.state.location.search).toBe('');
  expect(await screen.findByText('No community is waiting for approval.')).toBeInTheDocument();
});

test('the right arrow key moves the focus from the tab “Communities” to “Reports”, and from “Open” to “Decided”', async () => {
  serveAdmin();
  for (const path of ['communities', 'reports']) servePages(path, []);
  const { user } = await openAdmin('');
  const tab = (name: string) => screen.getByRole('tab', { name });
  await user.click(await screen.findByRole('tab', { name: 'Communities' }));
  await user.keyboard('{ArrowRight}');
  expect(tab('Reports')).toHaveFocus();
  await user.tab();
  expect(tab('Open')).toHaveFocus();
  await user.keyboard('{ArrowRight}');
  expect(tab('Decided')).toHaveFocus();
  expect(tab('Reports')).toHaveAttribute('aria-selected', 'true');
  expect(await screen.findByText('No reported post has been decided yet.')).toBeInTheDocument();
});

test('a URL of the admin screen with an unknown tab shows the pending communities', async () => {
  serveAdmin();
  servePages('communities', []);
  await openAdmin('?tab=zamani');
  expect(await screen.findByRole('tab', { name: 'Pending' })).toHaveAttribute('aria-selected', 'true');
});

test('the admin screen’s page title is the shown person’s name or the shown post’s title, and otherwise “Administration”', async () => {
  serveAdmin();
  const held = Promise.withResolvers<Response>();
  server.use(
    http.get('*/api/admin/search', () => HttpResponse.json({ people: [JUMA], posts: [] })),
    http.get('*/api/admin/users/juma', () => held.promise as never),
    http.get('*/api/admin/posts/simu', () => HttpResponse.json(aPostPage({ post: aPost({ title: 'Simu' }) }))),
  );
  const { router } = await openAdmin('?tab=lookUp');
  await waitFor(() => expect(document.title).toBe('Administration · Patikana'));
  await act(() => router.navigate('/admin?person=juma'));
  expect(await screen.findByRole('button', { name: 'Back' })).toBeInTheDocument();
  expect(document.title).toBe('Administration · Patikana');
  held.resolve(HttpResponse.json(aPerson()));
  await waitFor(() => expect(document.title).toBe('Juma · Patikana'));
  await act(() => router.navigate('/admin?post=simu'));
  await waitFor(() => expect(document.title).toBe('Simu · Patikana'));
  await act(() => router.navigate('/admin?tab=lookUp'));
  expect(document.title).toBe('Administration · Patikana');
  // On the second visit the person's name comes from the cache.
  await act(() => router.navigate('/privacy'));
  await act(() => router.navigate('/admin?person=juma'));
  await waitFor(() => expect(document.title).toBe('Juma · Patikana'));
});
