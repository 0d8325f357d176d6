import { act, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeAll, expect, test } from 'vitest';
import { WAITING_SCHOOL } from './support/communities.ts';
import { PASSKEYS, refuseUnshown, refusing, servePasskeys, stubAuthenticator } from './support/passkeys.ts';
import { refuse } from './support/posts.ts';
import { renderScreen } from './support/render-screen.tsx';
import { server } from './support/setup.ts';

// Loaded once asked for, which on a busy machine takes longer than a test waits.
beforeAll(() => import('#web/admin/admin-screen.tsx'));

const TITLE = 'Confirm that it is you';
const SCHOOLS = ['Shule ya Kwanza', 'Shule ya Pili'].map((name, at) => ({ ...WAITING_SCHOOL, id: `${at}`, name }));

/** Answers as a server that lets communities be approved once a passkey was shown. */
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

/** Opens the page of what waits, and approves the first: what is asked then. */
async function askToShow() {
  const view = await renderScreen('/admin', { isSignedIn: true });
  await approve(view);
  return { ...view, dialog: within(await screen.findByRole('dialog', { name: TITLE })) };
}

test('a decision waits until the passkey is shown, and is made then', async () => {
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

test('whoever closes the question decides nothing, is told why, and is asked anew the next time', async () => {
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

test('whoever has no passkey adds the first one on the way', async () => {
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

test('a passkey that was not shown can be shown after all', async () => {
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

test('what two decisions wait for is asked for once, and both are made', async () => {
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

test('a decision that is refused for another reason asks for no passkey, nor once more when one was shown', async () => {
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

test('a further passkey and a removal wait for one to be shown, too', async () => {
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

test('which passkeys there are is asked for anew: they may have been reset since', async () => {
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
] as const)('a browser that knows no passkeys says so in %s when one is needed', async (language, title, sentence) => {
  serve();
  const { user } = await renderScreen('/admin', { isSignedIn: true, language });
  const [button] = await screen.findAllByRole('button', { name: language === 'en' ? 'Approve' : 'Idhinisha' });
  await user.click(button as HTMLElement);
  const dialog = within(await screen.findByRole('dialog', { name: title }));
  expect(dialog.getByRole('alert')).toHaveTextContent(sentence);
  expect(dialog.queryByRole('button', { name: 'Use the passkey' })).toBeNull();
});

test('passkeys that cannot be asked for are asked for again where they are needed', async () => {
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
  'a decision does not outlive its page when one goes to %s',
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

test('a decision that is refused after its page was left asks for no passkey', async () => {
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
