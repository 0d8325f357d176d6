import { screen, waitFor } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, expect, test } from 'vitest';
import type { Post } from '#contract/posts.ts';
import { openForm, serveSubmit } from './support/post-form.tsx';
import { aPost, refuse, serveList, serveNothingElse } from './support/posts.ts';
import { server } from './support/setup.ts';

beforeEach(() => {
  serveNothingElse();
  serveList('/posts', []);
  serveList('/posts/by-owner', []);
});

const IDENTIFIER = /^ID number, IMEI or plate number/;
const details = () => screen.getByText(/^(More details|Maelezo zaidi)$/).closest('details') as HTMLDetailsElement;
const toggle = () => screen.getByText('More details');

test('the form shows only what every post needs, and the rest behind “More details”', async () => {
  await openForm();
  const fields = [...document.querySelectorAll<HTMLInputElement>('form [name]')];
  const namesOf = (isInside: boolean) =>
    fields.filter((field) => details().contains(field) === isInside).map(({ name }) => name);
  expect(namesOf(false)).toEqual([
    'posted_by',
    'posted_by',
    'title',
    'location',
    'phone_number',
    'owner_first_name',
    'owner_last_name',
    'description',
  ]);
  expect(namesOf(true)).toEqual(expect.arrayContaining(['identifier', 'kept_at', 'on_behalf', 'kind', 'contact']));
  for (const outside of [screen.getByLabelText('Add photos'), screen.getByLabelText('Community')])
    expect(details()).not.toContainElement(outside);
  expect(details().open).toBe(false);
});

test.each([
  [
    'en',
    'No, I found it',
    'Found a NIDA card',
    'An item like this has a number of its own. Add it below, and a match is sure.',
  ],
  [
    'en',
    'Yes, I lost it',
    'Black motorcycle',
    'An item like this has a number of its own. Add it below, and a match is sure.',
  ],
  [
    'en',
    'No, I found it',
    'Keys, now with the guard',
    'You mention an office, a guard or the police. Say below where it is now.',
  ],
  [
    'en',
    'Yes, I lost it',
    'My mother’s hat, my mother is sad',
    'You mention somebody else. If you post for them, say so below.',
  ],
  [
    'sw',
    'Ndiyo, nimekipoteza',
    'Simu nyeusi',
    'Kitu kama hiki huwa na namba yake. Iongeze hapa chini ili tulinganishe kwa uhakika.',
  ],
  [
    'sw',
    'Hapana, nimekiokota',
    'Begi, liko ofisini',
    'Umetaja ofisi, mlinzi au polisi. Sema hapa chini kiko wapi sasa.',
  ],
  [
    'sw',
    'Hapana, nimekiokota',
    'Kofia ya rafiki yangu',
    'Umemtaja mtu mwingine. Kama unatangaza kwa niaba yake, sema hapa chini.',
  ],
] as const)('in %s, after “%s”, “%s” opens “More details” and says why', async (language, answer, title, why) => {
  const { user, field } = await openForm(language);
  await user.click(screen.getByRole('radio', { name: answer }));
  expect(details().open).toBe(false);
  const regions = screen.getAllByRole('status');
  await user.type(field('title'), title);
  expect(details().open).toBe(true);
  const sentence = screen.getByText(why);
  // A screen reader announces only what changes in a region that was there before.
  expect(regions.some((region) => region.contains(sentence))).toBe(true);
});

test.each([
  ['an owner is not asked where a lost thing is', 'Yes, I lost it', 'Keys with the guard'],
  ['an ordinary thing needs nothing more', 'No, I found it', 'Funguo za gari'],
])('%s: “More details” stays closed', async (_why, answer, title) => {
  const { user, field } = await openForm();
  await user.click(screen.getByRole('radio', { name: answer }));
  await user.type(field('title'), title);
  expect(details().open).toBe(false);
});

test('the description opens “More details”, too', async () => {
  const { user } = await openForm();
  await user.type(screen.getByLabelText(/^Description/), 'Ndani kuna leseni');
  expect(details().open).toBe(true);
});

test('what the user closed stays closed, and what they opened stays open', async () => {
  const { user, field } = await openForm();
  await user.type(field('title'), 'Simu');
  await user.click(toggle());
  expect(details().open).toBe(false);
  await user.type(field('title'), ' na leseni, iko ofisini');
  expect(details().open).toBe(false);
  await user.click(toggle());
  await user.clear(field('title'));
  await user.type(field('title'), 'Kofia');
  expect(details().open).toBe(true);
});

test('what opened for a text stays open when the text changes', async () => {
  const { user, field } = await openForm();
  await user.type(field('title'), 'Simu');
  await user.clear(field('title'));
  expect(details().open).toBe(true);
});

test('an error inside closed “More details” opens it and has the focus', async () => {
  const sent = serveSubmit();
  const { user, fill, submit } = await openForm();
  await fill();
  await user.click(toggle());
  await user.type(screen.getByLabelText(IDENTIFIER), 'AB12');
  await user.click(toggle());
  expect(details().open).toBe(false);
  await submit();
  await waitFor(() => expect(details().open).toBe(true));
  expect(screen.getByLabelText(IDENTIFIER)).toHaveFocus();
  expect(screen.getByLabelText(IDENTIFIER)).toBeInvalid();
  expect(sent).toEqual([]);
});

test('a refusal by the server inside closed “More details” opens it and has the focus', async () => {
  serveSubmit(() => refuse(422, 'validation_failed', 'Bad', [{ field: 'kept_at', message: 'This is too long.' }]));
  const { fill, submit } = await openForm();
  await fill();
  await submit();
  await waitFor(() => expect(details().open).toBe(true));
  expect(screen.getByLabelText(/^Where is it now/)).toHaveFocus();
  expect(screen.getByText('This is too long.')).toBeVisible();
});

async function openUpdate(overrides: Partial<Post>) {
  const post = aPost({ title: 'Begi', description: '', is_mine: true, ...overrides });
  server.use(http.get('*/api/posts/:id', () => HttpResponse.json(post)));
  await openForm('en', { state: { mode: 'update', post } });
}

test.each([
  ['is posted for somebody else', { on_behalf: true }],
  ['says where it is', { kept_at: 'Ofisi ya kata' }],
  ['has an identifier', { has_identifiers: true }],
  ['hides its number', { contact: 'claim' }],
  ['has private marks', { private_marks: 'Ufa' }],
  ['has a question', { claim_question: 'Nini?' }],
] as const)('the update of a post that %s starts with “More details” open', async (_what, overrides) => {
  await openUpdate(overrides);
  expect(details().open).toBe(true);
});

test('the update of a post with none of it starts with “More details” closed', async () => {
  await openUpdate({ kind: 'bag' });
  expect(details().open).toBe(false);
});

test('an identifier that the post already has is not asked for', async () => {
  await openUpdate({ title: 'Simu', has_identifiers: true });
  expect(screen.queryByText(/has a number of its own/)).toBeNull();
});

test('a draft with a value inside starts with “More details” open', async () => {
  const { user, field, unmount } = await openForm();
  await user.type(field('title'), 'Funguo');
  await user.click(toggle());
  await user.selectOptions(screen.getByLabelText('What kind of item is it?'), 'Keys');
  unmount();
  await openForm();
  expect(details().open).toBe(true);
});
