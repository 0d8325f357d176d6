import { act, screen, waitFor } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, expect, test } from 'vitest';
import { meQuery } from '#web/lib/me-query.ts';
import { queryClient } from '#web/lib/query-client.ts';
import { signInAs } from '#web/lib/session.ts';
import { openForm, serveSubmit } from './support/post-form.tsx';
import { aPost, serveList, serveNothingElse } from './support/posts.ts';
import { server } from './support/setup.ts';

const OWN = '+255754000111';
const SHOWN_TO = 'Shown only to people who are logged in.';
const ANOTHER = /^Give a number that reaches you without the lost phone or SIM card/;

beforeEach(() => {
  serveNothingElse();
  serveList('/posts', []);
  serveList('/posts/by-owner', []);
  serveMe();
});

function serveMe(answer: () => Response | Promise<Response> = () => HttpResponse.json({ whatsapp_number: OWN })) {
  server.use(http.get('*/api/me', () => answer() as never));
}

async function openWithNumber() {
  const view = await openForm();
  await waitFor(() => expect(view.field('phone')).toHaveValue(OWN));
  return view;
}

test('the form has one’s own number already, and sends it', async () => {
  const sent = serveSubmit();
  const { user, field, submit } = await openWithNumber();
  await user.type(field('title'), 'Funguo');
  await user.type(field('location'), 'Moshi');
  await submit();
  await waitFor(() => expect(sent[0]?.body).toMatchObject({ phone_number: OWN }));
});

test('another number takes its place, and is kept', async () => {
  const before = await openWithNumber();
  await before.user.clear(before.field('phone'));
  expect(before.field('phone')).toHaveValue('');
  await before.user.type(before.field('phone'), '0712345678');
  before.unmount();
  const { field } = await openForm();
  expect(field('phone')).toHaveValue('0712345678');
});

test('the number alone is no draft, and no draft holds it', async () => {
  const before = await openWithNumber();
  expect(Object.keys(localStorage).filter((key) => key.startsWith('postDraft'))).toEqual([]);
  await before.user.type(before.field('title'), 'Begi');
  expect(localStorage.getItem('postDraft:a-user:new')).not.toContain(OWN);
  before.unmount();
  await openWithNumber();
});

test('who lost a phone is asked for another number, and told why', async () => {
  const sent = serveSubmit();
  const { user, field, submit } = await openWithNumber();
  expect(field('phone')).toHaveAccessibleDescription(SHOWN_TO);
  await user.click(screen.getByRole('radio', { name: 'Yes, I lost it' }));
  await user.type(field('title'), 'Simu ya Tecno');
  expect(field('phone')).toHaveValue('');
  expect(field('phone')).toHaveAccessibleDescription(ANOTHER);
  await user.type(field('location'), 'Moshi');
  await submit();
  expect(screen.getByText('Phone number is required')).toBeVisible();
  expect(field('phone')).toHaveFocus();
  // One's own is not forbidden: the SIM card may be in another phone by now.
  await user.type(field('phone'), OWN);
  await submit();
  await waitFor(() => expect(sent[0]?.body).toMatchObject({ phone_number: OWN, posted_by: 'owner' }));
});

test('what the description tells counts as well, and a number that was typed stays', async () => {
  const { user, field } = await openWithNumber();
  await user.click(screen.getByRole('radio', { name: 'Yes, I lost it' }));
  await user.type(field('title'), 'Begi');
  await user.type(screen.getByLabelText(/^Description/), 'ndani kuna laini ya Airtel');
  expect(field('phone')).toHaveValue('');
  await user.type(field('phone'), '0712345678');
  await user.type(screen.getByLabelText(/^Description/), ' na simu');
  expect(field('phone')).toHaveValue('0712345678');
});

test('who found a phone has lost none', async () => {
  const { user, field } = await openWithNumber();
  await user.type(field('title'), 'Nimeokota simu');
  expect(field('phone')).toHaveValue(OWN);
  expect(field('phone')).toHaveAccessibleDescription(SHOWN_TO);
  await user.click(screen.getByRole('radio', { name: 'Yes, I lost it' }));
  expect(field('phone')).toHaveValue('');
  await user.click(screen.getByRole('radio', { name: 'No, I found it' }));
  expect(field('phone')).toHaveValue(OWN);
});

test('a number that comes while its field is in hand does not come between', async () => {
  const answer = Promise.withResolvers<Response>();
  serveMe(() => answer.promise);
  const { user, field } = await openForm();
  await user.click(field('phone'));
  answer.resolve(HttpResponse.json({ whatsapp_number: OWN }));
  await waitFor(() => expect(queryClient.getQueryData(meQuery.queryKey)).toBeDefined());
  await user.keyboard('0712345678');
  expect(field('phone')).toHaveValue('0712345678');
});

test('a number that cannot be had is asked for as ever', async () => {
  serveMe(() => HttpResponse.json({ code: 'unavailable' }, { status: 404 }));
  const { field } = await openForm();
  expect(field('phone')).toHaveValue('');
  expect(screen.queryByRole('alert')).toBeNull();
});

test('a visitor who signs in before they typed a number has their own, and the number of an updated post stays', async () => {
  const { field, unmount } = await openForm('en', { isSignedIn: false });
  expect(field('phone')).toHaveValue('');
  act(() => signInAs({ token: 'a-token', userId: 'a-user' }));
  await screen.findByDisplayValue(OWN);
  unmount();
  const post = aPost({ phone_number: '0788999000', is_mine: true });
  server.use(http.get('*/api/posts/:id', () => HttpResponse.json(post)));
  const update = await openForm('en', { state: { mode: 'update', post } });
  expect(update.field('phone')).toHaveValue('0788999000');
});

test('who posts for somebody else gives that person’s number, and not their own', async () => {
  const sent = serveSubmit();
  const { user, field, submit } = await openWithNumber();
  await user.type(field('title'), 'Funguo');
  await user.type(field('location'), 'Moshi');
  await user.click(screen.getByRole('checkbox', { name: 'I post for somebody else: the number is theirs' }));
  expect(field('phone')).toHaveValue('');
  await user.type(field('phone'), '0712345678');
  await submit();
  await waitFor(() => expect(sent[0]?.body).toMatchObject({ phone_number: '0712345678', on_behalf: true }));
});
