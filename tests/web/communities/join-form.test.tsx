import { act, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, expect, test } from 'vitest';
import { refuseWith, SCHOOL, serveOwn } from '#tests/web/support/communities.ts';
import { scanner } from '#tests/web/support/packages.ts';
import { renderScreen } from '#tests/web/support/render-screen.tsx';
import { server } from '#tests/web/support/setup.ts';

beforeEach(() => serveOwn([]));

const open = (path = '/communities', language: 'en' | 'sw' = 'en') =>
  renderScreen(path, { isSignedIn: true, language });
const accessCode = () => screen.findByRole('textbox', { name: 'Access code' });

test('scanning a join link fills in the access code, closes the scanner’s dialog and releases the camera', async () => {
  const { user } = await open();
  await user.click(await screen.findByRole('button', { name: 'Scan QR code' }));
  expect(screen.getByRole('dialog', { name: 'Scan Community QR Code' })).toHaveTextContent(/Point your camera/);
  await waitFor(() => expect(scanner.onText).not.toBeNull());
  act(() => scanner.onText?.('https://patikana.test/communities?join=QQQQQ22222'));
  expect(await accessCode()).toHaveValue('QQQQQ22222');
  expect(screen.queryByRole('dialog')).toBeNull();
  await waitFor(() => expect(scanner.onText).toBeNull());
  await user.click(screen.getByRole('button', { name: 'Scan QR code' }));
  await user.click(screen.getByRole('button', { name: 'Close' }));
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('the scanner’s dialog shows that the camera is opening', async () => {
  const opened = Promise.withResolvers<void>();
  scanner.start = () => opened.promise;
  const { user } = await open();
  await user.click(await screen.findByRole('button', { name: 'Scan QR code' }));
  expect(screen.getByText('Opening the camera…')).toHaveAttribute('role', 'status');
  opened.resolve();
  await waitFor(() => expect(screen.queryByText('Opening the camera…')).toBeNull());
  expect(screen.queryByRole('alert')).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Close' }));
  await waitFor(() => expect(scanner.onText).toBeNull());
});

test('the box “Join a community” explains where access codes come from, and links to the search for communities by name', async () => {
  await open();
  const box = within(await screen.findByRole('region', { name: 'Join a community' }));
  expect(box.getByText('Where do I get an access code?').closest('details')).toHaveTextContent(
    /Ask an admin.*paste the link.*Capital or small letters/,
  );
  expect(box.getByRole('link', { name: 'Find a community by name' })).toHaveAttribute('href', '/communities/find');
  expect(box.getByRole('textbox')).toHaveAttribute('dir', 'ltr');
});

test('submitting the access code twice sends one request, and hides the error of an earlier try', async () => {
  server.use(http.post('*/api/communities/join', refuseWith(404, { detail: 'Community not found' })));
  const { user, router } = await open('/communities?join=ABCDE23456');
  await user.click(await screen.findByRole('button', { name: 'Join' }));
  expect(await screen.findByRole('alert')).toHaveTextContent('Community not found');
  const answered = Promise.withResolvers<void>();
  const joined: unknown[] = [];
  server.use(
    http.post('*/api/communities/join', async ({ request }) => {
      joined.push(await request.json());
      await answered.promise;
      return HttpResponse.json({ id: 'school', name: SCHOOL.name });
    }),
  );
  await user.type(await accessCode(), ' {Enter}{Enter}');
  expect(screen.queryByRole('alert')).toBeNull();
  answered.resolve();
  const said = await screen.findByText('Successfully joined the community!');
  expect(said.closest('[role=status]')).not.toBeNull();
  await waitFor(() => expect(router.state.location.search).toBe(''));
  // The back button does not return to the link.
  expect(router.state.historyAction).toBe('REPLACE');
  expect(joined).toEqual([{ access_code: 'ABCDE23456' }]);
});

test('a dialog opened after joining a community stays open when the new list of communities arrives', async () => {
  const { user, router } = await open('/communities?join=ABCDE23456');
  const region = within(await screen.findByRole('region', { name: 'Your Communities' }));
  const listed = Promise.withResolvers<void>();
  server.use(
    http.post('*/api/communities/join', () => HttpResponse.json({ id: 'school', name: SCHOOL.name })),
    http.get('*/api/communities', async () => {
      await listed.promise;
      return HttpResponse.json([SCHOOL]);
    }),
  );
  await user.click(screen.getByRole('button', { name: 'Join' }));
  await waitFor(() => expect(router.state.location.search).toBe(''));
  await user.click(region.getByRole('button', { name: 'Create a community' }));
  listed.resolve();
  expect(await screen.findByText(SCHOOL.name)).toBeInTheDocument();
  expect(screen.getByRole('dialog', { name: 'Create a community' })).toBeInTheDocument();
});

test('after a person has joined a community, the field for the access code is empty when the communities page is opened again', async () => {
  const visitor = await renderScreen('/communities');
  await visitor.user.type(await accessCode(), 'ABCDE23456{Enter}');
  expect(visitor.router.state.location).toMatchObject({
    pathname: '/login',
    state: { from: '/communities?join=ABCDE23456' },
  });
  visitor.unmount();
  server.use(http.post('*/api/communities/join', () => HttpResponse.json({ id: 'school', name: SCHOOL.name })));
  const member = await open();
  expect(await accessCode()).toHaveValue('ABCDE23456');
  await member.user.click(screen.getByRole('button', { name: 'Join' }));
  await screen.findByText('Successfully joined the community!');
  member.unmount();
  await open();
  expect(await accessCode()).toHaveValue('');
});

test('the form for a new community starts empty again after the dialog’s close button was pressed', async () => {
  const { user } = await open();
  const region = within(await screen.findByRole('region', { name: 'Your Communities' }));
  await user.click(region.getByRole('button', { name: 'Create a community' }));
  const dialog = screen.getByRole('dialog', { name: 'Create a community' });
  expect(dialog).toHaveTextContent('We check every new community before it opens.');
  expect(within(dialog).getByRole('textbox', { name: 'Community name' })).toHaveAccessibleDescription(/For example/);
  await user.type(within(dialog).getByRole('textbox', { name: 'Community name' }), 'Kata');
  await user.click(within(dialog).getByRole('button', { name: 'Close' }));
  expect(screen.queryByRole('dialog')).toBeNull();
  await user.click(region.getByRole('button', { name: 'Create a community' }));
  const box = within(screen.getByRole('dialog')).getByRole('textbox', { name: 'Community name' });
  expect(box).toHaveValue('');
});

test('submitting the form “Create a community” twice creates one community, adds the community to the list and clears the form', async () => {
  const answered = Promise.withResolvers<void>();
  let count = 0;
  server.use(
    http.post('*/api/communities', async () => {
      count++;
      await answered.promise;
      return HttpResponse.json({ id: 'school', name: SCHOOL.name, access_code: 'X', approval_status: 0 });
    }),
  );
  const { user } = await open();
  const form = within(await screen.findByRole('region', { name: 'Create a community' }));
  await user.type(form.getByRole('textbox', { name: 'Community name' }), 'Shule ya Msingi Mbezi{Enter}{Enter}');
  expect(form.getByRole('button', { name: 'Creating…' })).toHaveAttribute('aria-disabled', 'true');
  form.getByRole<HTMLInputElement>('textbox', { name: 'Community name' }).form?.requestSubmit();
  serveOwn([SCHOOL]);
  answered.resolve();
  const said = await screen.findByText(/has been created and waits for approval/);
  expect(said.closest('[role=status]')).not.toBeNull();
  // An empty form replaces the submitted form, so the focus moves to the list of communities.
  expect(screen.getByRole('region', { name: 'Your Communities' })).toHaveFocus();
  expect(await screen.findByRole('link', { name: SCHOOL.name })).toBeInTheDocument();
  expect(form.getByRole('textbox', { name: 'Community name' })).toHaveValue('');
  expect(count).toBe(1);
});

test('the server’s error about a new community’s name is shown at the name field, and not as an alert', async () => {
  const errors = [{ field: 'name', message: 'Jina hili halifai.' }];
  server.use(
    http.post('*/api/communities', refuseWith(422, { code: 'validation_failed', detail: 'Angalia fomu.', errors })),
  );
  const { user } = await open();
  const form = within(await screen.findByRole('region', { name: 'Create a community' }));
  const name = form.getByRole('textbox', { name: 'Community name' });
  await user.type(name, 'Kata{Enter}');
  await waitFor(() => expect(name).toHaveAccessibleDescription(expect.stringContaining('Jina hili halifai.')));
  expect(name).toHaveFocus();
  expect(form.queryByRole('alert')).toBeNull();
});

test('the browser’s Back button closes the dialog for a new community, and the communities page stays open', async () => {
  const { user, router } = await open();
  await user.click(await screen.findByRole('button', { name: 'Create a community' }));
  await user.type(within(screen.getByRole('dialog')).getByRole('textbox', { name: 'Community name' }), 'Kata');
  await act(() => router.navigate(-1));
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(router.state.location).toMatchObject({ pathname: '/communities', search: '' });
});

test('an attempt to join a suspended community shows that it is suspended, and the access code stays in the field', async () => {
  const detail = 'This community is suspended. Its posts are hidden, and nobody can join it.';
  server.use(http.post('*/api/communities/join', refuseWith(403, { code: 'community_suspended', detail })));
  const { user } = await open();
  await user.type(await accessCode(), 'ABCDE23456{Enter}');
  expect(await screen.findByRole('alert')).toHaveTextContent(detail);
  expect(await accessCode()).toHaveValue('ABCDE23456');
});
