import { act, screen } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, expect, test } from 'vitest';
import { signInAs, signOut } from '#web/lib/session.ts';
import { openForm, serveSubmit } from './support/post-form.tsx';
import { aPost, serveList, serveNothingElse } from './support/posts.ts';
import { server } from './support/setup.ts';

const NOTICE = /You need to log in to post\. Fill in the form first: you log in at the end/;
const WHOSE = 'Somebody started a post on this phone before you logged in. Is it yours?';
const VISITORS_DRAFT = 'postDraft:visitor:new';

beforeEach(() => {
  serveNothingElse();
  serveList('/posts', []);
  serveList('/posts/by-owner', []);
});

/** What the form has the sign-in bring back to it. */
type Return = { from: string; fromState: { isDraftMine: boolean } };

/** A visitor writes a post up to the point where an account is asked for, and goes for one. */
async function writeAsVisitor(name: 'Log in' | 'Create an account' = 'Log in', title = 'Begi') {
  const view = await openForm('en', { isSignedIn: false });
  await view.fill(title);
  await view.submit();
  const ways = await screen.findByRole('group', { name: 'To create a post make sure you have logged in.' });
  const way = [...ways.querySelectorAll('a')].find(({ textContent }) => textContent === name) as HTMLElement;
  await view.user.click(way);
  const { pathname, state } = view.router.state.location as { pathname: string; state: Return };
  view.unmount();
  return { pathname, ...state };
}

/** Comes back from the sign-in, as the login screen goes on to where one was sent from. */
async function comeBack({ fromState }: Return, userId = 'a-user') {
  act(() => signInAs({ token: `token-of-${userId}`, userId }));
  return openForm('en', { isSignedIn: false, state: fromState });
}

test.each([
  ['en', 'You need to log in to post. Fill in the form first: you log in at the end, and what you type is saved.'],
  [
    'sw',
    'Unahitaji kuingia kwenye akaunti ili kutangaza. Jaza fomu kwanza: utaingia mwishoni, na unachoandika kinahifadhiwa.',
  ],
] as const)(
  'a visitor sees in %s, before they start, that an account is asked for at the end',
  async (language, sentence) => {
    await openForm(language, { isSignedIn: false });
    expect(screen.getByText(sentence)).toBeVisible();
  },
);

test('a visitor fills in the whole form, and nothing is sent before there is an account', async () => {
  const sent = serveSubmit();
  const { fill, submit, field } = await openForm('en', { isSignedIn: false });
  await submit();
  expect(screen.getByText('Title is required')).toBeVisible();
  await fill();
  await submit();
  const ways = await screen.findByRole('group', { name: 'To create a post make sure you have logged in.' });
  expect(ways).toContainElement(document.activeElement as HTMLElement);
  expect(document.activeElement).toHaveTextContent('Log in');
  expect(screen.queryByText(NOTICE)).toBeNull();
  expect(field('title')).toHaveValue('Funguo');
  expect(sent).toEqual([]);
});

test.each([
  ['Log in', '/login'],
  ['Create an account', '/register'],
] as const)(
  '“%s” at the end leads to %s and, after the sign-in, back to the whole post, which one press sends',
  async (name, path) => {
    const sent = serveSubmit();
    const way = await writeAsVisitor(name);
    expect(way).toMatchObject({ pathname: path, from: '/create-post' });
    const { user, field } = await comeBack(way);
    expect(screen.getByText('You are logged in. Your post is here as you wrote it.')).toBeVisible();
    expect(field('title')).toHaveValue('Begi');
    expect(field('phone')).toHaveValue('0712345678');
    expect(sent).toEqual([]);
    await user.click(screen.getByRole('button', { name: 'Send it now' }));
    await screen.findAllByText('Post created successfully!');
    expect(sent).toMatchObject([{ method: 'POST', body: { title: 'Begi', location: 'Moshi', posted_by: 'finder' } }]);
    expect(localStorage.getItem(VISITORS_DRAFT)).toBeNull();
  },
);

test('coming back does not touch a draft that the account had begun before', async () => {
  const before = await openForm();
  await before.user.type(before.field('title'), 'Miwani');
  before.unmount();
  act(signOut);
  serveSubmit();
  const { user, field } = await comeBack(await writeAsVisitor());
  expect(field('title')).toHaveValue('Begi');
  await user.click(screen.getByRole('button', { name: 'Send it now' }));
  await screen.findAllByText('Post created successfully!');
  const own = JSON.parse(localStorage.getItem('postDraft:a-user:new') ?? 'null') as { values: { title: string } };
  expect(own.values.title).toBe('Miwani');
});

test('a reload after the sign-in, and a session that ends then, lose nothing', async () => {
  const way = await writeAsVisitor();
  const first = await comeBack(way);
  await first.user.type(first.field('title'), ' jeusi');
  first.unmount();
  const reloaded = await comeBack(way);
  expect(reloaded.field('title')).toHaveValue('Begi jeusi');
  reloaded.unmount();
  act(signOut);
  expect((await comeBack(way)).field('title')).toHaveValue('Begi jeusi');
});

test('somebody else who signs in on the same phone is asked whether it is theirs, and gets an empty form', async () => {
  await writeAsVisitor();
  act(() => signInAs({ token: 'a-token', userId: 'somebody-else' }));
  const { user, field } = await openForm('en', { isSignedIn: false });
  expect(screen.getByRole('group', { name: WHOSE })).toHaveTextContent('Begi');
  expect(field('title')).toHaveValue('');
  expect(field('phone')).toHaveValue('');
  await user.click(screen.getByRole('button', { name: 'No' }));
  expect(screen.queryByText(WHOSE)).toBeNull();
  expect(field('title')).toHaveFocus();
  await user.type(field('title'), 'Kofia');
  expect(JSON.parse(localStorage.getItem(VISITORS_DRAFT) ?? '{}')).toMatchObject({ values: { title: 'Begi' } });
  expect(JSON.parse(localStorage.getItem('postDraft:somebody-else:new') ?? '{}')).toMatchObject({
    values: { title: 'Kofia', location: '' },
  });
});

test('somebody who signed in another way confirms that the draft is theirs, and continues it', async () => {
  await writeAsVisitor();
  act(() => signInAs({ token: 'a-token', userId: 'a-user' }));
  const { user, field } = await openForm('en', { isSignedIn: false });
  await user.click(screen.getByRole('button', { name: 'Yes, continue' }));
  expect(field('title')).toHaveValue('Begi');
  expect(field('title')).toHaveFocus();
  expect(screen.queryByText(WHOSE)).toBeNull();
});

test('a visitor whose other tab signs in goes on in the form they are in', async () => {
  const sent = serveSubmit();
  const { fill, submit, field } = await openForm('en', { isSignedIn: false });
  await fill();
  act(() => signInAs({ token: 'a-token', userId: 'a-user' }));
  expect(field('title')).toHaveValue('Funguo');
  expect(screen.queryByText(WHOSE)).toBeNull();
  expect(screen.queryByText(NOTICE)).toBeNull();
  await submit();
  await screen.findAllByText('Post created successfully!');
  expect(sent).toHaveLength(1);
});

test('another account that signs in while the form is open gets a form of its own', async () => {
  const numbers: Record<string, string> = { 'Bearer a-token': '+255711111111', 'Bearer b-token': '+255722222222' };
  server.use(
    http.get('*/api/me', ({ request }) =>
      HttpResponse.json({ whatsapp_number: numbers[request.headers.get('Authorization') ?? ''] }),
    ),
  );
  const { user, field } = await openForm();
  await screen.findByDisplayValue('+255711111111');
  await user.type(field('title'), 'Pochi ya Asha');
  act(() => signInAs({ token: 'b-token', userId: 'b-user' }));
  await screen.findByDisplayValue('+255722222222');
  expect(field('title')).toHaveValue('');
  act(() => signInAs({ token: 'a-token', userId: 'a-user' }));
  await screen.findByDisplayValue('+255711111111');
  expect(field('title')).toHaveValue('Pochi ya Asha');
});

test('after a visitor starts over, nothing of the discarded draft is left for the next one', async () => {
  await writeAsVisitor();
  const { user, field } = await openForm('en', { isSignedIn: false });
  expect(field('title')).toHaveValue('Begi');
  await user.click(screen.getByRole('button', { name: 'Start over' }));
  expect(field('title')).toHaveValue('');
  expect(localStorage.getItem(VISITORS_DRAFT)).toBeNull();
});

test('updating a post while signed out asks for the account too, and touches no other draft', async () => {
  const post = aPost({ title: 'Pochi' });
  server.use(http.get('*/api/posts/:id', () => HttpResponse.json(post)));
  const sent = serveSubmit();
  const { user, router } = await openForm('en', { isSignedIn: false, state: { mode: 'update', post } });
  await user.click(screen.getByRole('button', { name: 'Save changes' }));
  await screen.findByText('To create a post make sure you have logged in.');
  await user.click(screen.getByRole('link', { name: 'Create an account' }));
  expect(router.state.location.state).toMatchObject({ fromState: { mode: 'update', post: { id: post.id } } });
  expect(sent).toEqual([]);
});
