import { screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, expect, test } from 'vitest';
import type { Post } from '#contract/posts.ts';
import { ME } from './support/account.ts';
import { SCHOOL, serveSchool } from './support/communities.ts';
import { fillStorage, loseNetwork } from './support/phone.ts';
import { aPost, refuse } from './support/posts.ts';
import { renderScreen } from './support/render-screen.tsx';
import { server } from './support/setup.ts';

const CODE = SCHOOL.community_code;

beforeEach(() => {
  serveSchool();
  server.use(http.get('*/api/posts/by-owner', () => HttpResponse.json([])));
});

const open = (path = '/communities/school/desk') => renderScreen(path, { isSignedIn: true });
const field = (name: string | RegExp) => screen.getByRole('textbox', { name });
const post = () => screen.getByRole('button', { name: 'Post and continue' });

/** Fills in what has to be there. */
async function fill(user: Awaited<ReturnType<typeof open>>['user']) {
  await user.type(await screen.findByRole('textbox', { name: 'Title' }), 'Begi');
  await user.type(field('Location'), 'Uwanjani');
  await user.clear(field('Phone number'));
  await user.type(field('Phone number'), '0712 345-678');
}

/** Answers posting, one after the other, and keeps what was sent. */
function servePosting(...answers: (() => Response | Promise<Response>)[]) {
  const sent: { body: Record<string, unknown>; key: string | null }[] = [];
  server.use(
    http.post('*/api/posts', async ({ request }) => {
      const body = (await request.json()) as Record<string, unknown>;
      const answer = answers[sent.length];
      sent.push({ body, key: request.headers.get('Idempotency-Key') });
      if (answer) return (await answer()) as never;
      return HttpResponse.json(aPost({ ...(body as Partial<Post>), id: `made-${sent.length}` }), { status: 201 });
    }),
  );
  return sent;
}

test('what the reader is reached on stands there already, and can be another', async () => {
  server.use(http.get('*/api/me', () => HttpResponse.json(ME)));
  const sent = servePosting();
  const { user } = await open();
  await screen.findByRole('textbox', { name: 'Title' });
  await waitFor(() => expect(field('Phone number')).toHaveValue('+255712345678'));
  expect(field('Phone number')).toHaveAttribute('type', 'tel');
  expect(field('Phone number')).toHaveAttribute('dir', 'ltr');
  await user.type(field('Title'), 'Begi');
  await user.type(field('Location'), 'Uwanjani{Enter}');
  expect(await screen.findByText(/“Begi” is posted/)).toBeInTheDocument();
  expect(sent[0]?.body).toMatchObject({ phone_number: '+255712345678', contact: 'number' });
});

test('the number can be taken out and typed anew, and stands there again after a reload', async () => {
  server.use(http.get('*/api/me', () => HttpResponse.json(ME)));
  const { user, unmount } = await open();
  await waitFor(() => expect(field('Phone number')).toHaveValue('+255712345678'));
  await user.clear(field('Phone number'));
  expect(field('Phone number')).toHaveValue('');
  unmount();
  const again = await open();
  await waitFor(() => expect(field('Phone number')).toHaveValue('+255712345678'));
  await again.user.clear(field('Phone number'));
  await again.user.type(field('Phone number'), '0754000111');
  expect(field('Phone number')).toHaveValue('0754000111');
});

test('what describes the thing goes with it, and what stays the same stays, also after a reload', async () => {
  const sent = servePosting();
  const first = await open();
  await fill(first.user);
  expect(field('Phone number')).toHaveValue('0712345678');
  await first.user.type(field(/^Description/), 'Lina zipu mbili');
  await first.user.type(field(/first name/), 'Juma');
  await first.user.type(field(/last name/), 'Hassan');
  await first.user.type(field(/Where is it now/), 'Rafu ya 2');
  expect(screen.getByRole('group', { name: 'This stays the same for the next item.' })).toContainElement(
    field(/Where is it now/),
  );
  await first.user.click(post());
  const said = await screen.findByText(/“Begi” is posted/);
  expect(said.closest('[role=status]')).not.toBeNull();
  const left = () => [
    'Title',
    /^Description/,
    /first name/,
    /last name/,
    'Location',
    /Where is it now/,
    'Phone number',
  ];
  const values = () => left().map((name) => (field(name) as HTMLInputElement).value);
  expect(values()).toEqual(['', '', '', '', 'Uwanjani', 'Rafu ya 2', '0712345678']);
  first.unmount();
  await open();
  await screen.findByRole('textbox', { name: 'Title' });
  expect(values()).toEqual(['', '', '', '', 'Uwanjani', 'Rafu ya 2', '0712345678']);
  expect(sent[0]?.body).toEqual({
    title: 'Begi',
    description: 'Lina zipu mbili',
    owner_first_name: 'Juma',
    owner_last_name: 'Hassan',
    location: 'Uwanjani',
    kept_at: 'Rafu ya 2',
    phone_number: '0712345678',
    posted_by: 'finder',
    contact: 'number',
    community_code: CODE,
  });
});

test('pressed twice it is one post, and sent again after a failure it is the same one, also after a reload', async () => {
  const answered = Promise.withResolvers<void>();
  const fail = () => refuse(429, 'too_many_requests', 'Umetangaza mno leo.');
  const sent = servePosting(async () => {
    await answered.promise;
    return fail();
  }, fail);
  const first = await open();
  await fill(first.user);
  await first.user.dblClick(post());
  expect(post()).toHaveAttribute('aria-busy', 'true');
  await first.user.type(field('Location'), '{Enter}');
  answered.resolve();
  expect(await screen.findByRole('alert')).toHaveTextContent('Umetangaza mno leo.');
  expect(sent).toHaveLength(1);
  first.unmount();
  const second = await open();
  await screen.findByRole('textbox', { name: 'Title' });
  await second.user.click(post());
  expect(await screen.findByRole('alert')).toBeInTheDocument();
  await second.user.click(post());
  expect(await screen.findByText(/“Begi” is posted/)).toBeInTheDocument();
  expect(screen.queryByRole('alert')).toBeNull();
  expect(new Set(sent.map(({ key }) => key)).size).toBe(1);
  expect(sent).toHaveLength(3);
});

test('a try whose key has made a post that is gone says so, and the next one makes this post', async () => {
  const sent = servePosting(() => refuse(409, 'idempotency_conflict', 'Ombi hili lilishatumwa.'));
  const { user } = await open();
  await fill(user);
  await user.click(post());
  expect(await screen.findByText('Ombi hili lilishatumwa.')).toBeInTheDocument();
  await user.click(post());
  expect(await screen.findByText(/“Begi” is posted/)).toBeInTheDocument();
  expect(sent[0]?.key).not.toBe(sent[1]?.key);
});

test('when an earlier try of another text came through that is said, and this one posted where it is meant too', async () => {
  const cameThrough = () => refuse(422, 'idempotency_mismatch', 'Ombi hili lilishatumwa.');
  const sent = servePosting(cameThrough, cameThrough);
  const { user } = await open();
  await fill(user);
  for (const tries of [1, 2]) {
    await user.click(post());
    const banner = within(await screen.findByRole('alert'));
    expect(banner.getByText('An earlier attempt succeeded: your post is already published.')).toBeInTheDocument();
    expect(banner.getByRole('link', { name: 'My Posts' })).toHaveAttribute('href', '/my-posts');
    expect(sent).toHaveLength(tries);
  }
  await user.click(screen.getByRole('button', { name: 'Post this one too' }));
  expect(await screen.findByText(/“Begi” is posted/)).toBeInTheDocument();
  expect(sent.map(({ key }) => key === sent[0]?.key)).toEqual([true, true, false]);
});

test('what the server finds wrong stands beside the field, which has the focus', async () => {
  servePosting(() =>
    refuse(422, 'validation_failed', undefined, [{ field: 'location', message: 'Mahali hapajulikani.' }]),
  );
  const { user } = await open();
  await fill(user);
  await user.click(post());
  expect(await screen.findByText('Mahali hapajulikani.')).toBeInTheDocument();
  expect(field('Location')).toHaveAccessibleDescription(expect.stringContaining('Mahali hapajulikani.'));
  expect(field('Location')).toHaveFocus();
});

test('each community has what is typed for itself', async () => {
  const other = { ...SCHOOL, id: 'market', name: 'Soko' };
  server.use(http.get('*/api/communities/market', () => HttpResponse.json(other)));
  const first = await open();
  await fill(first.user);
  first.unmount();
  const second = await open('/communities/market/desk');
  expect(await screen.findByRole('textbox', { name: 'Title' })).toHaveValue('');
  second.unmount();
  await open();
  expect(await screen.findByRole('textbox', { name: 'Title' })).toHaveValue('Begi');
});

test('what was kept and cannot be read begins anew', async () => {
  localStorage.setItem('deskDraft:a-user:school', '{"values":{"title":');
  const { user } = await open();
  servePosting();
  expect(await screen.findByRole('textbox', { name: 'Title' })).toHaveValue('');
  await fill(user);
  await user.click(post());
  expect(await screen.findByText(/“Begi” is posted/)).toBeInTheDocument();
});

test('a full storage loses the draft, and not the form', async () => {
  servePosting();
  const { user } = await open();
  fillStorage();
  await fill(user);
  await user.click(post());
  expect(await screen.findByText(/“Begi” is posted/)).toBeInTheDocument();
  expect(field('Location')).toHaveValue('Uwanjani');
});

test('without a network it is said where the thing waits, and that its number comes later', async () => {
  servePosting(() => HttpResponse.error());
  loseNetwork();
  const { user } = await open();
  await fill(user);
  await user.click(post());
  const said = await screen.findByText(/“Begi” is saved on this phone/);
  expect(said.closest('[role=status]')).not.toBeNull();
  expect(said).not.toHaveTextContent(/is posted/);
  expect(screen.queryByRole('alert')).toBeNull();
});
