import { screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, expect, test } from 'vitest';
import { thingNumber } from '#web/lib/thing-number.ts';
import { noteSteps, refuse, SCHOOL, serveOwn, serveSchool } from './support/communities.ts';
import { aPost, serveList } from './support/posts.ts';
import { renderScreen } from './support/render-screen.tsx';
import { server } from './support/setup.ts';

const KEYS = aPost({
  id: 'keys',
  title: 'Funguo za gari',
  community_code: SCHOOL.community_code,
  community_name: SCHOOL.name,
});
const HIDDEN = { ...KEYS, is_hidden: true, hidden_by: ['community' as const], hidden_reason: 'Tangazo la biashara' };
const open = (language: 'en' | 'sw' = 'en') =>
  renderScreen('/community-details/school?tab=posts', { isSignedIn: true, language });

beforeEach(() => {
  serveSchool();
  serveOwn([SCHOOL]);
});

test('a post stands there with the number that is on the thing, and not with the community it is in', async () => {
  serveList('/posts', [KEYS]);
  await open();
  const link = await screen.findByRole('link', { name: 'Funguo za gari' });
  expect(link).toHaveAttribute('href', '/posts/keys');
  const row = link.closest('li') as HTMLElement;
  expect(within(row).getByText(`No. ${thingNumber('keys')}`)).toBeInTheDocument();
  expect(row).not.toHaveTextContent(SCHOOL.name);
  expect(within(row).getByText('Kariakoo')).toBeInTheDocument();
  expect(screen.getByText('1 post shown')).toHaveAttribute('role', 'status');
});

test.each([
  ['en', 'Hide', 'Cancel', /Only its author and the admins/, 'The post is hidden. Its author has been notified.'],
  ['sw', 'Ficha', 'Ghairi', /Hakuna atakayeliona/, /Tangazo limefichwa/],
] as const)(
  'in %s hiding can be left, and is said once done; the focus stays with the posts',
  async (language, hide, cancel, text, done) => {
    serveList('/posts', [KEYS]);
    noteSteps();
    const { user } = await open(language);
    const button = await screen.findByRole('button', { name: hide });
    await user.click(button);
    const dialog = within(screen.getByRole('dialog'));
    expect(dialog.getByText(text)).toBeInTheDocument();
    await user.click(dialog.getByRole('button', { name: cancel }));
    expect(screen.queryByRole('dialog')).toBeNull();
    await user.click(button);
    await user.type(screen.getByRole('dialog').querySelector('textarea') as HTMLElement, 'Biashara');
    serveList('/posts', [HIDDEN]);
    await user.click(within(screen.getByRole('dialog')).getByRole('button', { name: hide }));
    expect(await screen.findByText(done)).toBeInTheDocument();
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(document.activeElement).toContainElement(screen.getByRole('link', { name: 'Funguo za gari' }));
    expect(await screen.findByText(/Tangazo la biashara/)).toBeInTheDocument();
  },
);

test('hiding that is refused says why in the dialog, and is sent once however often it is pressed', async () => {
  serveList('/posts', [KEYS]);
  const answered = Promise.withResolvers<void>();
  let count = 0;
  server.use(
    http.post('*/api/communities/school/posts/keys/hide', async () => {
      count++;
      await answered.promise;
      return refuse(404, { detail: 'Tangazo limefutwa.' })();
    }),
  );
  const { user } = await open();
  await user.click(await screen.findByRole('button', { name: 'Hide' }));
  const dialog = within(screen.getByRole('dialog'));
  await user.type(dialog.getByRole('textbox', { name: 'Reason' }), 'Biashara');
  expect(dialog.getByText('Say what is wrong and what would be better.')).toBeInTheDocument();
  await user.dblClick(dialog.getByRole('button', { name: 'Hide' }));
  answered.resolve();
  expect(await dialog.findByRole('alert')).toHaveTextContent('Tangazo limefutwa.');
  expect(count).toBe(1);
});

test('a post that is shown again says so, has the focus, and why not where that fails', async () => {
  serveList('/posts', [HIDDEN]);
  server.use(http.post('*/api/communities/school/posts/keys/restore', refuse(409, { detail: 'Siyo sasa.' })));
  const { user } = await open();
  await user.click(await screen.findByRole('button', { name: 'Show again' }));
  expect(await screen.findByRole('alert')).toHaveTextContent('Siyo sasa.');
  const answered = Promise.withResolvers<void>();
  let count = 0;
  server.use(
    http.post('*/api/communities/school/posts/keys/restore', async () => {
      count++;
      await answered.promise;
      return new HttpResponse(null, { status: 204 });
    }),
  );
  await user.dblClick(screen.getByRole('button', { name: 'Show again' }));
  serveList('/posts', [KEYS]);
  answered.resolve();
  expect(await screen.findByText('The post is shown again.')).toBeInTheDocument();
  await waitFor(() => expect(screen.getByRole('link', { name: 'Funguo za gari' }).closest('li')).toHaveFocus());
  await waitFor(() => expect(screen.queryByText(/Tangazo la biashara/)).toBeNull());
  expect(screen.queryByRole('alert')).toBeNull();
  expect(count).toBe(1);
});

test('what the platform hides is not for the community to show again, nor its reason', async () => {
  serveList('/posts', [{ ...HIDDEN, hidden_by: ['admin'] }]);
  await open();
  expect(await screen.findByRole('button', { name: 'Hide' })).toBeInTheDocument();
  expect(screen.queryByRole('button', { name: 'Show again' })).toBeNull();
  expect(screen.queryByText(/Tangazo la biashara/)).toBeNull();
});

test('posts that cannot be read are said to be missing, and are asked for again', async () => {
  serveList('/posts', [KEYS]);
  server.use(http.get('*/api/posts', refuse(404, {})));
  const { user } = await open();
  expect(await screen.findByRole('alert')).toHaveTextContent('The posts could not be loaded.');
  expect(screen.queryByText('There is no open post here at the moment.')).toBeNull();
  expect(screen.queryByText(/posts? shown/)).toBeNull();
  serveList('/posts', [KEYS]);
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByRole('link', { name: 'Funguo za gari' })).toBeInTheDocument();
  expect(screen.queryByRole('alert')).toBeNull();
});

test('the next posts come after a press, and a search stands in the address and is cleared there', async () => {
  const queries = serveList('/posts', [KEYS], [aPost({ title: 'Mwavuli' })]);
  const { user, router } = await open();
  await user.click(await screen.findByRole('button', { name: 'Show more posts' }));
  expect(await screen.findByRole('link', { name: 'Mwavuli' })).toBeInTheDocument();
  expect(screen.getByText('2 posts shown')).toBeInTheDocument();
  expect(screen.queryByRole('button', { name: 'Show more posts' })).toBeNull();
  serveList('/posts', []);
  await user.type(screen.getByRole('textbox', { name: 'Search these posts' }), 'kofia');
  expect(await screen.findByText('No post of this community matches what you chose.')).toBeInTheDocument();
  expect(router.state.location.search).toBe('?tab=posts&search=kofia');
  expect(screen.getByText('0 posts shown')).toBeInTheDocument();
  serveList('/posts', [KEYS]);
  await user.click(screen.getByRole('button', { name: 'Clear the search' }));
  expect(await screen.findByRole('link', { name: 'Funguo za gari' })).toBeInTheDocument();
  expect(queries).toHaveLength(2);
});
