import { screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { expect, test } from 'vitest';
import type { Post } from '#contract/posts.ts';
import { draftKey, EMPTY_POST, fromPostInput, toFormValues, toPostInput } from '#web/posts/post-draft.ts';
import { aPost, serveList, serveNothingElse } from './support/posts.ts';
import { renderScreen } from './support/render-screen.tsx';
import { server } from './support/setup.ts';

async function openUpdate(post: Post, language: 'en' | 'sw' = 'en') {
  const sent: Record<string, unknown>[] = [];
  serveNothingElse();
  server.use(
    http.get(`*/api/posts/${post.id}`, () => HttpResponse.json(post)),
    http.put(`*/api/posts/${post.id}`, async ({ request }) => {
      sent.push((await request.json()) as Record<string, unknown>);
      return HttpResponse.json(post);
    }),
  );
  const state = { mode: 'update', post };
  const view = await renderScreen({ pathname: '/create-post', state }, { language, isSignedIn: true });
  await screen.findByDisplayValue(post.title);
  return { ...view, sent };
}

test.each([
  ['en', 'It is now at: Kituo cha polisi', 'Posted for somebody else'],
  ['sw', 'Sasa kiko: Kituo cha polisi', 'Limetangazwa kwa niaba ya mtu mwingine'],
] as const)(
  'a card says in %s where the thing is now, and that it is somebody else’s post',
  async (language, now, forOther) => {
    serveList('/posts', [
      aPost({ title: 'Leseni', kept_at: 'Kituo cha polisi', on_behalf: true }),
      aPost({ title: 'Simu' }),
    ]);
    await renderScreen('/view-posts', { language });
    const card = (await screen.findByText('Leseni')).closest('article') as HTMLElement;
    expect(within(card).getByText(now)).toBeInTheDocument();
    expect(within(card).getByText(forOther)).toBeInTheDocument();
    const other = screen.getByText('Simu').closest('article') as HTMLElement;
    expect(within(other).queryByText(forOther)).toBeNull();
    expect(other.textContent).not.toMatch(now.split(':')[0] as string);
  },
);

test('what a post was read for is shown to be corrected, and sent only when it is', async () => {
  const post = aPost({ title: 'Pochi', kind: 'document', kept_at: 'Ofisi ya kata', is_mine: true });
  const { user, sent } = await openUpdate(post);
  const kind = screen.getByRole('combobox', { name: 'What kind of item is it?' });
  expect(kind).toHaveDisplayValue('Documents and cards');
  expect(screen.getByLabelText(/^Where is it now/)).toHaveValue('Ofisi ya kata');
  await user.selectOptions(kind, 'Bags and wallets');
  await user.click(screen.getByRole('button', { name: 'Save changes' }));
  await waitFor(() => expect(sent).toMatchObject([{ kind: 'bag', kept_at: 'Ofisi ya kata' }]));
});

test('a kind that nobody corrects is left as it was, and Patikana can be let decide again', async () => {
  const values = { ...EMPTY_POST, title: 'Pochi', location: 'Moshi', read_kind: 'bag' } as const;
  expect(toPostInput(values)).not.toHaveProperty('kind');
  expect(toPostInput({ ...values, chosen_kind: 'read' })).toMatchObject({ kind: null });
  expect(toPostInput({ ...values, chosen_kind: 'key' })).toMatchObject({ kind: 'key' });
});

test('nobody is asked where a thing is that they have lost', async () => {
  const { user } = await renderScreen('/create-post');
  await screen.findByLabelText(/^Where is it now/);
  await user.click(screen.getByRole('radio', { name: 'Yes, I lost it' }));
  expect(screen.queryByLabelText(/^Where is it now/)).toBeNull();
  expect(toPostInput({ ...EMPTY_POST, is_owner: true, kept_at: 'Ofisi' })).not.toHaveProperty('kept_at');
});

test('a new post is left to Patikana, and the draft keeps what was chosen and where it is', async () => {
  const { user } = await renderScreen('/create-post');
  const kind = await screen.findByRole('combobox', { name: 'What kind of item is it?' });
  expect(kind).toHaveDisplayValue('Let Patikana decide');
  await user.selectOptions(kind, 'Keys');
  await user.type(screen.getByLabelText(/^Where is it now/), 'Ofisi ya kata');
  await waitFor(() =>
    expect(JSON.parse(localStorage.getItem(draftKey(null, null)) ?? '{}')).toMatchObject({
      values: { chosen_kind: 'key', kept_at: 'Ofisi ya kata' },
    }),
  );
});

test.each([
  [
    { kind: 'key', kept_at: 'Ofisi', on_behalf: true },
    { chosen_kind: 'key', kept_at: 'Ofisi', on_behalf: true },
  ],
  [{ kind: null }, { chosen_kind: 'read', kept_at: '', on_behalf: false }],
  [{}, { chosen_kind: null, kept_at: '', on_behalf: false }],
] as const)('what waited to be sent comes back into the form: %j', (sent, values) => {
  const input = { ...toPostInput({ ...EMPTY_POST, title: 'Funguo', location: 'Moshi' }), kept_at: '', ...sent };
  expect(fromPostInput(input)).toMatchObject(values);
});

test('the form of an update holds all that its post says, and sends it as it was', () => {
  const said = {
    title: 'Leseni',
    location: 'Kariakoo',
    phone_number: '0712345678',
    on_behalf: true,
    kept_at: 'Ofisi ya kata',
    description: 'Ya gari',
    owner_first_name: 'Neema',
    owner_last_name: 'Mushi',
    community_code: 'MBEZ2345',
    claim_question: 'Ya mwaka gani?',
    private_marks: 'Imekunjwa',
    contact: 'claim',
  } as const;
  const post = aPost({ ...said, kind: 'document', posted_by: 'finder', has_identifiers: true });
  const shown = { ...said, is_owner: false, read_kind: 'document', has_identifiers: true, chosen_kind: null };
  expect(toFormValues(post)).toEqual({ ...EMPTY_POST, ...shown });
  expect(toPostInput(toFormValues(post))).toEqual({ ...said, posted_by: 'finder' });
  const bare = { kept_at: null, claim_question: null, phone_number: null, kind: 'other', posted_by: 'owner' } as const;
  expect(toFormValues(aPost({ ...bare, title: 'Begi' }))).toEqual({
    ...EMPTY_POST,
    title: 'Begi',
    location: 'Kariakoo',
    description: 'Ina kava la bluu',
    owner_first_name: 'Neema',
    owner_last_name: 'Mushi',
    phone_number: '',
    read_kind: 'other',
    is_owner: true,
    contact: 'number',
  });
});
