import { screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, expect, test } from 'vitest';
import { noteSteps, refuse, SCHOOL, serveOwn, serveSchool } from './support/communities.ts';
import { serveList } from './support/posts.ts';
import { renderScreen } from './support/render-screen.tsx';
import { server } from './support/setup.ts';

const open = (path = '/community-details/school?tab=settings') => renderScreen(path, { isSignedIn: true });
const nameField = () => screen.findByRole('textbox', { name: 'Community name' });

beforeEach(() => {
  serveSchool();
  serveOwn([SCHOOL]);
  serveList('/posts', []);
});

test('the form begins with what is, says what each means, and that it was saved', async () => {
  const steps = noteSteps(() => HttpResponse.json(SCHOOL));
  const { user } = await open();
  expect(await nameField()).toHaveValue(SCHOOL.name);
  expect(await nameField()).toHaveAccessibleDescription(/^For example the name of a school/);
  expect(screen.queryByText(/waits for approval/)).toBeNull();
  const listed = screen.getByRole('checkbox', { name: 'People can find it by name' });
  expect(listed).toBeChecked();
  expect(listed).toHaveAccessibleDescription(/^Anyone who is logged in can find the community/);
  await user.type(screen.getByRole('textbox', { name: /^Description/ }), ' wa darasa la pili');
  await user.click(screen.getByRole('button', { name: 'Save' }));
  expect(await screen.findByText('Saved.')).toBeInTheDocument();
  expect(steps).toEqual([['PATCH', '', { description: 'Wazazi na walimu wa darasa la pili' }]]);
});

test('the name of a community that is not open yet is changed without waiting', async () => {
  serveSchool({ approval_status: 0 });
  const { user } = await open();
  await user.type(await nameField(), ' Juu');
  expect(screen.queryByText(/We check every new name/)).toBeNull();
});

test('a name that waits is the one to go on with', async () => {
  serveSchool({ pending_name: 'Shule ya Mbezi Juu' });
  await open();
  expect(await nameField()).toHaveValue('Shule ya Mbezi Juu');
  expect(await nameField()).toHaveAccessibleDescription(/^We check every new name/);
});

test('what the server finds wrong stands beside its field, and what has no answer above the form', async () => {
  const errors = [{ field: 'name', message: 'Jina hili limechukuliwa.' }];
  server.use(http.patch('*/api/communities/school', refuse(422, { code: 'validation_failed', errors })));
  const { user } = await open();
  const name = await nameField();
  await user.type(name, ' Juu{Enter}');
  await waitFor(() => expect(name).toHaveAccessibleDescription(expect.stringContaining('Jina hili limechukuliwa.')));
  expect(name).toHaveFocus();
  server.use(http.patch('*/api/communities/school', () => HttpResponse.error()));
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(screen.getByRole('alert')).toHaveTextContent('There was no answer.'));
  await user.clear(name);
  await user.click(screen.getByRole('button', { name: 'Save' }));
  expect(name).toHaveAccessibleDescription(expect.stringContaining('Community name is required'));
});

test('changes are sent once, however often they are sent', async () => {
  const answered = Promise.withResolvers<void>();
  let count = 0;
  server.use(
    http.patch('*/api/communities/school', async () => {
      count++;
      await answered.promise;
      return HttpResponse.json(SCHOOL);
    }),
  );
  const { user } = await open();
  const name = (await nameField()) as HTMLInputElement;
  await user.type(name, ' Juu{Enter}');
  name.form?.requestSubmit();
  expect(screen.getByRole('button', { name: 'Save' })).toHaveAttribute('aria-busy', 'true');
  answered.resolve();
  await screen.findByText('Saved.');
  expect(count).toBe(1);
});

test('what another admin changes meanwhile is shown, and not taken back by who saves something else', async () => {
  const steps = noteSteps(() => HttpResponse.json({ access_code: 'NEWCQDE234' }));
  const { user } = await open();
  const name = await nameField();
  await user.type(name, ' Juu');
  serveSchool({ description: 'Vitu vilivyopotea shuleni.' });
  await user.click(screen.getByRole('button', { name: 'Make a new one' }));
  await user.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Make a new one' }));
  expect(await screen.findByDisplayValue('Vitu vilivyopotea shuleni.')).toBeInTheDocument();
  expect(name).toHaveValue(`${SCHOOL.name} Juu`);
  await user.click(screen.getByRole('checkbox', { name: 'People can find it by name' }));
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(steps.at(-1)).toEqual(['PATCH', '', { name: `${SCHOOL.name} Juu`, is_listed: false }]));
});

test('a new code is said to be new, and closing can be left', async () => {
  const steps = noteSteps(() => HttpResponse.json({ access_code: 'NEWCQDE234' }));
  const { user } = await open();
  expect(await screen.findByRole('region', { name: 'Access code' })).toHaveTextContent(/make a new one/);
  await user.click(screen.getByRole('button', { name: 'Make a new one' }));
  expect(screen.getByRole('dialog')).not.toHaveTextContent(/has been removed/);
  await user.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Make a new one' }));
  expect(await screen.findByText(/^The access code is new/)).toBeInTheDocument();
  const ending = within(screen.getByRole('region', { name: 'Leave or close' }));
  await user.click(ending.getByRole('button', { name: 'Close the community' }));
  await user.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Cancel' }));
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(ending.getByText(/hand it over under Members/)).toBeInTheDocument();
  expect(steps).toEqual([['POST', '/access-code']]);
});

test('that it closes is said once it is so, and what fails in the question', async () => {
  server.use(http.delete('*/api/communities/school', refuse(409, { detail: 'Inafungwa tayari.' }), { once: true }));
  const { user } = await open();
  await user.click(await screen.findByRole('button', { name: 'Close the community' }));
  const dialog = within(screen.getByRole('dialog'));
  await user.click(dialog.getByRole('button', { name: 'Close it' }));
  expect(await dialog.findByRole('alert')).toHaveTextContent('Inafungwa tayari.');
  noteSteps(() => HttpResponse.json({ closes_at: '2026-11-29T09:00:00.000Z' }, { status: 202 }));
  await user.click(dialog.getByRole('button', { name: 'Close it' }));
  expect(
    await screen.findByText(`“${SCHOOL.name}” closes in seven days. Until then you can keep it open.`),
  ).toBeVisible();
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

test.each([
  [3, ['Neema', 'Salma'], 'Leave', `You have left “${SCHOOL.name}”.`, '/communities'],
  [
    1,
    ['Neema'],
    'Close it',
    `“${SCHOOL.name}” closes in seven days. Until then you can keep it open.`,
    '/communities/school',
  ],
] as const)('whoever goes as one of %i is told what came of it', async (count, admins, action, said, path) => {
  serveSchool({ member_count: count, admins: [...admins] });
  noteSteps(() =>
    count === 1
      ? HttpResponse.json({ closes_at: '2026-11-29T09:00:00.000Z' }, { status: 202 })
      : new HttpResponse(null, { status: 204 }),
  );
  const { user, router } = await open('/communities/school');
  await user.click(await screen.findByRole('button', { name: 'Leave this community' }));
  await user.click(within(screen.getByRole('dialog')).getByRole('button', { name: action }));
  expect(await screen.findByText(said)).toBeInTheDocument();
  await waitFor(() => expect(router.state.location.pathname).toBe(path));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

test('a step that somebody else was quicker with shows how it stands by now', async () => {
  server.use(http.post('*/api/communities/school/access-code', refuse(409, { detail: 'Umechelewa.' })));
  const { user } = await open();
  await user.click(await screen.findByRole('button', { name: 'Make a new one' }));
  serveSchool({ member_role: 'member', access_code: undefined as never });
  server.use(http.post('*/api/communities/school/access-code', refuse(403, { detail: 'Huruhusiwi.' })));
  await user.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Make a new one' }));
  expect(await screen.findByText('Only the admins of this community can see this page.')).toBeInTheDocument();
});
