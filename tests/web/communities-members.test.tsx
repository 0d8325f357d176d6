import { screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, expect, test } from 'vitest';
import type { CommunityMember } from '#contract/communities.ts';
import { signInAs } from '#web/lib/session.ts';
import { MEMBERS, noteSteps, refuse, SCHOOL, serveOwn, serveSchool } from './support/communities.ts';
import { serveList } from './support/posts.ts';
import { renderScreen } from './support/render-screen.tsx';
import { server } from './support/setup.ts';

const SALMA: CommunityMember = {
  user_id: '5',
  username: 'Salma',
  role: 'admin',
  joined_at: '2026-11-03T00:00:00.000Z',
};
const TWO_ADMINS = { admins: ['Neema', 'Salma'], member_count: 3 };

beforeEach(() => {
  serveOwn([SCHOOL]);
  serveSchool(TWO_ADMINS, [], [...MEMBERS, SALMA]);
});

/** As Neema, who runs the school together with Salma. */
function open() {
  signInAs({ token: 'a-token', userId: '1' });
  return renderScreen('/community-details/school?tab=members');
}

type User = Awaited<ReturnType<typeof open>>['user'];
async function manage(user: User, name: string) {
  await user.click(await screen.findByRole('button', { name: `Change what ${name} may do` }));
  return within(screen.getByRole('dialog', { name }));
}
const choicesIn = (dialog: Awaited<ReturnType<typeof manage>>) =>
  dialog.getAllByRole('button').map((button) => button.textContent || button.getAttribute('aria-label'));

test('what can be done with a member hangs on what they are, and on who asks', async () => {
  const { user } = await open();
  const member = await manage(user, 'Juma Hassan');
  expect(choicesIn(member)).toEqual([
    'Close',
    'Make an admin',
    'Hand the community over',
    'Remove from the community',
    'Close',
  ]);
  await user.click(member.getAllByRole('button', { name: 'Close' }).at(-1) as HTMLElement);
  expect(screen.queryByRole('dialog')).toBeNull();
  const admin = await manage(user, 'Salma');
  expect(choicesIn(admin)).toEqual(['Close', 'Make an ordinary member', 'Remove from the community', 'Close']);
  await user.click(admin.getAllByRole('button', { name: 'Close' })[0] as HTMLElement);
  const self = await manage(user, 'Neema');
  expect(choicesIn(self)).toEqual(['Close', 'Step down as an admin', 'Close']);
  expect(self.queryByText(/You are the only admin/)).toBeNull();
});

test('while the community is suspended nobody can be made an admin', async () => {
  serveSchool({ ...TWO_ADMINS, is_suspended: true }, [], [...MEMBERS, SALMA]);
  const { user } = await open();
  expect(choicesIn(await manage(user, 'Juma Hassan'))).toEqual(['Close', 'Remove from the community', 'Close']);
});

test('an admin is made an ordinary member after the question, which can be left', async () => {
  const steps = noteSteps(() => HttpResponse.json({ ...SALMA, role: 'member' }));
  const { user } = await open();
  await user.click((await manage(user, 'Salma')).getByRole('button', { name: 'Make an ordinary member' }));
  const question = within(screen.getByRole('dialog', { name: 'Make Salma an ordinary member?' }));
  expect(question.getByText('Salma stays a member, but no longer runs this community.')).toBeInTheDocument();
  await user.click(question.getByRole('button', { name: 'Cancel' }));
  expect(screen.queryByRole('dialog')).toBeNull();
  await user.click((await manage(user, 'Salma')).getByRole('button', { name: 'Make an ordinary member' }));
  serveSchool({}, [], [...MEMBERS, { ...SALMA, role: 'member' }]);
  await user.click(screen.getByRole('button', { name: 'Remove as an admin' }));
  expect(await screen.findByText('Salma is an ordinary member now.')).toBeInTheDocument();
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await waitFor(() => expect(screen.getAllByRole('listitem').at(-1)).toHaveTextContent(/Salma.*Member/));
  expect(steps).toEqual([['PUT', '/members/5/role', { role: 'member' }]]);
});

test('whoever steps down stands on the page of the members, who they are now', async () => {
  const steps = noteSteps(() => HttpResponse.json({ ...MEMBERS[0], role: 'member' }));
  serveList('/posts', []);
  const { user, router } = await open();
  await user.click((await manage(user, 'Neema')).getByRole('button', { name: 'Step down as an admin' }));
  const question = within(screen.getByRole('dialog', { name: 'Step down as an admin?' }));
  serveSchool({ member_role: 'member', admins: ['Salma'] });
  await user.click(question.getByRole('button', { name: 'Step down' }));
  expect(await screen.findByText('You are an ordinary member now.')).toBeInTheDocument();
  await waitFor(() => expect(router.state.location.pathname).toBe('/communities/school'));
  await waitFor(() => expect(screen.queryByRole('link', { name: 'Run this community' })).toBeNull());
  expect(steps).toEqual([['PUT', '/members/me/role', { role: 'member' }]]);
});

test('a step that is pressed twice is taken once, and one that fails is said in its question', async () => {
  const taken = Promise.withResolvers<void>();
  let count = 0;
  server.use(
    http.put('*/api/communities/school/members/2/role', async () => {
      count++;
      await taken.promise;
      return refuse(409, { detail: 'Si mwanachama tena.' })();
    }),
  );
  const { user } = await open();
  await user.click((await manage(user, 'Juma Hassan')).getByRole('button', { name: 'Make an admin' }));
  const question = within(screen.getByRole('dialog', { name: 'Make Juma Hassan an admin?' }));
  await user.dblClick(question.getByRole('button', { name: 'Make an admin' }));
  expect(question.getByRole('button', { name: 'Make an admin' })).toHaveAttribute('aria-disabled', 'true');
  taken.resolve();
  expect(await question.findByRole('alert')).toHaveTextContent('Si mwanachama tena.');
  expect(count).toBe(1);
});

test('after a removal the code may stay as it is, and who is removed is said', async () => {
  const steps = noteSteps();
  const { user } = await open();
  await user.click((await manage(user, 'Juma Hassan')).getByRole('button', { name: 'Remove from the community' }));
  await user.click(screen.getByRole('button', { name: 'Remove' }));
  const offer = within(await screen.findByRole('dialog', { name: 'Make a new access code?' }));
  expect(screen.getByText('Juma Hassan has been removed.')).toBeInTheDocument();
  await user.click(offer.getByRole('button', { name: 'Cancel' }));
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(document.activeElement).toContainElement(screen.getByRole('textbox', { name: 'Search by username' }));
  expect(steps).toEqual([['DELETE', '/members/2']]);
});

test('members that cannot be read are said to be missing until they come', async () => {
  server.use(http.get('*/api/communities/school/members', refuse(404, {})));
  const { user } = await open();
  expect(await screen.findByText('The members could not be loaded.')).toBeInTheDocument();
  serveSchool(TWO_ADMINS);
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByText('Juma Hassan')).toBeInTheDocument();
  expect(screen.queryByText('The members could not be loaded.')).toBeNull();
});

test('a search for members can be cleared, and spaces around it find nobody less', async () => {
  const { user } = await open();
  await screen.findByText('Salma');
  const box = screen.getByRole('textbox', { name: 'Search by username' });
  await user.type(box, ' juma ');
  expect(screen.queryByText('Salma')).toBeNull();
  expect(screen.getByText('Juma Hassan')).toBeInTheDocument();
  await user.click(screen.getByRole('button', { name: 'Clear the search' }));
  expect(screen.getByText('Salma')).toBeInTheDocument();
});
