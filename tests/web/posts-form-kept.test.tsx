import { act, screen, waitFor } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { draftKey, EMPTY_POST, fromPostInput, type PostFormValues, toPostInput } from '#web/posts/post-draft.ts';
import { SCHOOL } from './support/communities.ts';
import { openForm, serveSubmit } from './support/post-form.tsx';
import { aPost, refuse, serveList, serveNothingElse } from './support/posts.ts';
import { server } from './support/setup.ts';

beforeEach(() => {
  serveNothingElse();
  serveList('/posts', []);
  serveList('/posts/by-owner', []);
});
afterEach(() => vi.useRealTimers());

const DRAFT = draftKey('a-user', null);
const NUMBER = /ID number, IMEI or plate number/;

/** Each field with something in it. */
const WHOLE: PostFormValues = {
  ...EMPTY_POST,
  title: 'Simu nyeusi',
  location: 'Moshi',
  phone_number: '0712345678',
  on_behalf: true,
  kept_at: 'Ofisi ya kata',
  chosen_kind: 'electronics',
  description: 'Ina kava',
  owner_first_name: 'Neema',
  owner_last_name: 'Mushi',
  is_owner: false,
  community_code: 'MBEZ2345',
  identifier: '35-693803',
  second_identifier: '35-693811',
  answers_post_id: 'a-lost-post',
  contact: 'claim',
  claim_question: 'Nini?',
  private_marks: 'Ufa',
};
const OWNERS = { is_owner: true, kept_at: '', contact: 'number', claim_question: '', private_marks: '' } as const;

test.each([
  ['a finder’s', WHOLE],
  ['an owner’s', { ...WHOLE, ...OWNERS }],
] as const)('what waited to be sent comes back into the form whole: %s', (_whose, values) => {
  expect(fromPostInput(toPostInput(values))).toEqual(values);
});

test('what belongs to a found thing alone is not sent of a lost one', () => {
  const input = toPostInput({ ...WHOLE, is_owner: true });
  expect(input).toMatchObject({ posted_by: 'owner', contact: 'number' });
  for (const name of ['kept_at', 'claim_question', 'private_marks']) expect(input).not.toHaveProperty(name);
});

test.each([
  [{ identifier: ' ', second_identifier: '35-693811' }, ['35-693811']],
  [{ identifier: ' ', second_identifier: '' }, undefined],
  [{ identifier: '', second_identifier: '', has_identifiers: true, removes_identifiers: true }, null],
  [{ identifier: '', second_identifier: '', has_identifiers: false, removes_identifiers: true }, undefined],
  [{ identifier: 'TZ-555123', second_identifier: '', has_identifiers: true, removes_identifiers: true }, ['TZ-555123']],
])('of the numbers %j there is sent %j', (typed, identifiers) => {
  expect(toPostInput({ ...WHOLE, ...typed }).identifiers).toEqual(identifiers);
});

test('an update that changes one thing sends back all the others as they were', async () => {
  const post = aPost({
    is_mine: true,
    title: 'Simu nyeusi',
    contact: 'claim',
    claim_question: 'Nini?',
    private_marks: 'Ufa',
    kept_at: 'Ofisi ya kata',
    on_behalf: true,
    community_code: 'MBEZ2345',
    community_name: 'Shule ya Mbezi',
  });
  server.use(http.get('*/api/posts/:id', () => HttpResponse.json(post)));
  const sent = serveSubmit();
  const { user, field } = await openForm('en', { state: { mode: 'update', post } });
  await user.type(field('title'), ' ya Tecno');
  await user.click(screen.getByRole('button', { name: 'Save changes' }));
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(sent[0]?.body).toEqual({
    title: 'Simu nyeusi ya Tecno',
    location: post.location,
    phone_number: post.phone_number,
    description: post.description,
    owner_first_name: 'Neema',
    owner_last_name: 'Mushi',
    posted_by: 'finder',
    on_behalf: true,
    kept_at: 'Ofisi ya kata',
    community_code: 'MBEZ2345',
    contact: 'claim',
    claim_question: 'Nini?',
    private_marks: 'Ufa',
  });
});

test('a number field that was only looked into has one’s own number after a reload', async () => {
  const first = await openForm();
  await first.user.click(first.field('phone'));
  await first.user.type(first.field('title'), 'Begi');
  first.unmount();
  server.use(http.get('*/api/me', () => HttpResponse.json({ whatsapp_number: '+255754000111' })));
  await act(async () => (await import('#web/lib/query-client.ts')).queryClient.clear());
  const { field } = await openForm();
  await waitFor(() => expect(field('phone')).toHaveValue('+255754000111'));
  expect(field('title')).toHaveValue('Begi');
});

test('a try that failed is the same one after a reload; one whose key is spent has a new one by then', async () => {
  let code = 'internal_error';
  const sent = serveSubmit(() => refuse(code === 'internal_error' ? 500 : 409, code, 'Sorry.'));
  const again = async (form: Awaited<ReturnType<typeof openForm>>) => {
    await form.submit();
    await screen.findByText('Sorry.');
    form.unmount();
  };
  const first = await openForm();
  await first.fill();
  await again(first);
  code = 'idempotency_conflict';
  await again(await openForm());
  expect(sent[1]?.key).toBe(sent[0]?.key);
  await again(await openForm());
  expect(sent).toHaveLength(3);
  expect(sent[2]?.key).not.toBe(sent[1]?.key);
});

test('what another tab does with another draft leaves the key of this one', async () => {
  const sent = serveSubmit();
  const { fill, submit } = await openForm();
  await fill();
  const { idempotencyKey } = JSON.parse(localStorage.getItem(DRAFT) ?? '{}') as { idempotencyKey: string };
  act(() => {
    window.dispatchEvent(new StorageEvent('storage', { key: 'postDraft:another:new', newValue: null }));
    window.dispatchEvent(new StorageEvent('storage', { key: DRAFT, newValue: '{}' }));
  });
  await submit();
  await waitFor(() => expect(sent.map(({ key }) => key)).toEqual([idempotencyKey]));
});

test('a number that was looked for joins what was begun before', async () => {
  const before = await openForm();
  await before.user.type(before.field('title'), 'Begi');
  before.unmount();
  const { field } = await openForm('en', { state: { posted_by: 'owner', identifier: 'TZ-555123' } });
  expect(field('title')).toHaveValue('Begi');
  expect(screen.getByLabelText(NUMBER)).toHaveValue('TZ-555123');
  expect(screen.getByRole('radio', { name: 'Yes, I lost it' })).toBeChecked();
});

test('what was begun before stands against what a link says', async () => {
  const before = await openForm();
  await before.user.click(screen.getByRole('radio', { name: 'No, I found it' }));
  await before.user.type(screen.getByLabelText(NUMBER), 'TZ-111222');
  before.unmount();
  await openForm('en', { state: { posted_by: 'owner', identifier: 'TZ-555123' } });
  expect(screen.getByLabelText(NUMBER)).toHaveValue('TZ-111222');
  expect(screen.getByRole('radio', { name: 'No, I found it' })).toBeChecked();
});

test('a post is for everyone, or for the community that is chosen', async () => {
  server.use(http.get('*/api/communities', () => HttpResponse.json([SCHOOL])));
  const sent = serveSubmit();
  const { user, fill, submit } = await openForm();
  await fill();
  const field = screen.getByLabelText('Community');
  expect(field).toHaveAccessibleDescription(/^Only its members will see the post/);
  expect(field).toHaveDisplayValue('Everyone');
  await user.selectOptions(field, await screen.findByRole('option', { name: SCHOOL.name }));
  await submit();
  await waitFor(() => expect(sent[0]?.body).toMatchObject({ community_code: SCHOOL.community_code }));
});

test('a visitor is in no community to choose', async () => {
  await openForm('en', { isSignedIn: false });
  expect(screen.queryByLabelText('Community')).toBeNull();
});
