import { screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Post } from '#contract/posts.ts';
import { aMatch, aPost, openForm, refuse, serveList, serveNothingElse, serveSubmit } from '#tests/web/support/posts.ts';
import { renderScreen } from '#tests/web/support/render-screen.tsx';
import { server } from '#tests/web/support/setup.ts';
import { draftKey, EMPTY_POST, fromPostInput, toFormValues, toPostInput } from '#web/posts/form/post-draft.ts';

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
  'a post’s card says, in the language %s, where the thing is now, and that the author posted for somebody else',
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

test('the user can replace the kind that the server has derived from the post’s text, and the form sends the new kind', async () => {
  const post = aPost({ title: 'Pochi', kind: 'document', kept_at: 'Ofisi ya kata', is_mine: true });
  const { user, sent } = await openUpdate(post);
  const kind = screen.getByRole('combobox', { name: 'What kind of item is it?' });
  expect(kind).toHaveDisplayValue('Documents and cards');
  expect(screen.getByLabelText(/^Where is it now/)).toHaveValue('Ofisi ya kata');
  await user.selectOptions(kind, 'Bags and wallets');
  await user.click(screen.getByRole('button', { name: 'Save changes' }));
  await waitFor(() => expect(sent).toMatchObject([{ kind: 'bag', kept_at: 'Ofisi ya kata' }]));
});

test('the post form sends no kind if the user did not change it, and null if the user chose “Let Patikana decide”', async () => {
  const values = { ...EMPTY_POST, title: 'Pochi', location: 'Moshi', read_kind: 'bag' } as const;
  expect(toPostInput(values)).not.toHaveProperty('kind');
  expect(toPostInput({ ...values, chosen_kind: 'read' })).toMatchObject({ kind: null });
  expect(toPostInput({ ...values, chosen_kind: 'key' })).toMatchObject({ kind: 'key' });
});

test('an owner is not asked where a lost thing is now', async () => {
  const { user } = await renderScreen('/create-post');
  await screen.findByLabelText(/^Where is it now/);
  await user.click(screen.getByRole('radio', { name: 'Yes, I lost it' }));
  expect(screen.queryByLabelText(/^Where is it now/)).toBeNull();
  expect(toPostInput({ ...EMPTY_POST, is_owner: true, kept_at: 'Ofisi' })).not.toHaveProperty('kept_at');
});

test('a new post starts with the kind “Let Patikana decide”, and the draft stores the kind and the place that the user enters', async () => {
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
] as const)('a refused post that moves from the outbox back into the form keeps its details: %j', (sent, values) => {
  const input = { ...toPostInput({ ...EMPTY_POST, title: 'Funguo', location: 'Moshi' }), kept_at: '', ...sent };
  expect(fromPostInput(input)).toMatchObject(values);
});

test('the edit form contains every field of the post, and sends unchanged fields as they were', () => {
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
  expect(toPostInput(toFormValues(post))).toMatchObject({ ...said, posted_by: 'finder' });
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

describe('identifiers', () => {
  const LABEL = { en: /ID number, IMEI or plate number/, sw: /Namba ya kitambulisho, IMEI au namba ya usajili/ };

  beforeEach(() => {
    serveNothingElse();
    serveList('/posts', []);
  });

  test('the form has one field for an identifier; only the form for a phone has a field for a second IMEI', async () => {
    const sent = serveSubmit();
    const { user, fill, submit } = await openForm();
    await fill('Funguo');
    expect(screen.queryByLabelText(/Second IMEI/)).toBeNull();
    await user.clear(screen.getByLabelText('Title'));
    await user.type(screen.getByLabelText('Title'), 'Simu ya Tecno');
    await user.type(screen.getByLabelText(LABEL.en), '35-693803');
    await user.type(screen.getByLabelText(/Second IMEI/), '35-693811');
    await submit();
    await waitFor(() => expect(sent).toHaveLength(1));
    expect(sent[0]?.body.identifiers).toEqual(['35-693803', '35-693811']);
  });

  test('the form says that an identifier stays hidden, and has no button to remove the identifier of a new post', async () => {
    await openForm();
    expect(screen.getByLabelText(LABEL.en)).toHaveAccessibleDescription(/^We show it to nobody/);
    expect(screen.getByLabelText(LABEL.en)).toHaveAttribute('dir', 'ltr');
    expect(screen.queryByLabelText('Remove the number from my post')).toBeNull();
  });

  test('the form shows an error at the field of an invalid identifier, and does not send an empty identifier', async () => {
    const sent = serveSubmit();
    const { user, fill, submit } = await openForm('sw');
    await fill('Funguo');
    await user.type(screen.getByLabelText(LABEL.sw), 'AB12');
    await submit();
    expect(screen.getByLabelText(LABEL.sw)).toBeInvalid();
    expect(screen.getByText(/angalau tarakimu 3/)).toBeVisible();
    await user.clear(screen.getByLabelText(LABEL.sw));
    await submit();
    await waitFor(() => expect(sent).toHaveLength(1));
    expect(sent[0]?.body).not.toHaveProperty('identifiers');
  });

  test.each([
    ['without a change keeps the identifier', false, undefined],
    ['with “Remove the number from my post” ticked removes the identifier', true, null],
  ] as const)(
    'the edit form shows an empty field instead of the stored identifier, and saving the form %s',
    async (_name, removes, expected) => {
      const post = aPost({ is_mine: true, title: 'Funguo', has_identifiers: true });
      server.use(http.get('*/api/posts/:id', () => HttpResponse.json(post)));
      const sent = serveSubmit();
      const { user } = await openForm('en', { state: { mode: 'update', post } });
      expect(screen.getByLabelText(LABEL.en)).toHaveValue('');
      expect(screen.getByLabelText(LABEL.en)).toHaveAccessibleDescription(/^Your post has a number/);
      if (removes) await user.click(screen.getByRole('checkbox', { name: 'Remove the number from my post' }));
      await user.click(screen.getByRole('button', { name: 'Save changes' }));
      await waitFor(() => expect(sent).toHaveLength(1));
      expect(sent[0]?.body.identifiers).toBe(expected);
    },
  );

  const LOOK_UP = { en: 'Look this number up', sw: 'Tafuta namba hii' };

  /** Types into the search field, and presses the look-up button that appears. */
  async function lookUp(identifier: string, language: 'en' | 'sw' = 'en') {
    const view = await renderScreen('/view-posts', { language, isSignedIn: true });
    const box = screen.getByRole('textbox', { name: language === 'en' ? 'Search posts' : 'Tafuta kwenye matangazo' });
    await view.user.type(box, identifier);
    const button = await screen.findByRole('button', { name: LOOK_UP[language] });
    await view.user.click(button);
    return { ...view, box, button };
  }

  test.each([
    ['a NIDA number', '19900101-12345-00001-23'],
    ['a plate number', 't 123 abc'],
    ['an IMEI with spaces', ' 35 693803 564380 9 '],
  ])('%s typed into the search field can be looked up as an identifier', async (_what, typed) => {
    const { user } = await renderScreen('/view-posts', { isSignedIn: true });
    await user.type(screen.getByRole('textbox', { name: 'Search posts' }), typed);
    expect(await screen.findByRole('button', { name: LOOK_UP.en })).toHaveAccessibleDescription(
      /^We show the number to nobody/,
    );
  });

  test.each([
    ['an empty text', ''],
    ['words with letters that look like digits', 'simu nyeusi bosi'],
    ['words and a year', 'begi jekundu 2024'],
    ['a model', 'iPhone 13 Pro 256'],
    ['a number that is too short', 'AB123'],
    ['a number that is too long', '1'.repeat(41)],
  ])(
    'the app offers no identifier look-up if the search field contains no possible identifier (content: %s)',
    async (_what, typed) => {
      const { user } = await renderScreen('/view-posts', { isSignedIn: true });
      // Types an identifier first, to load the look-up's module. Otherwise the button would be missing only because
      // the module has not loaded.
      await user.type(screen.getByRole('textbox', { name: 'Search posts' }), 'TZ-555123');
      await screen.findByRole('button', { name: LOOK_UP.en });
      await user.clear(screen.getByRole('textbox', { name: 'Search posts' }));
      if (typed) await user.type(screen.getByRole('textbox', { name: 'Search posts' }), typed);
      expect(screen.queryByRole('button', { name: LOOK_UP.en })).toBeNull();
    },
  );

  test.each([
    [true, /somebody has posted a found item/],
    [false, /Nobody yet/],
  ])(
    'the result of looking up an identifier (a found post has it: %s) links to the lost-post form, which contains the identifier',
    async (found, sentence) => {
      const asked: unknown[] = [];
      server.use(
        http.post('*/api/identifiers/lookup', async ({ request }) => {
          asked.push(await request.json());
          return HttpResponse.json({ found });
        }),
      );
      const { user, router } = await lookUp('TZ-555123');
      expect(await screen.findByText(sentence)).toBeVisible();
      expect(screen.getByRole('link', { name: 'Post it with this number' })).toHaveFocus();
      expect(asked).toEqual([{ identifier: 'TZ-555123' }]);
      await user.click(screen.getByRole('link', { name: 'Post it with this number' }));
      expect(await screen.findByLabelText(LABEL.en)).toHaveValue('TZ-555123');
      expect(screen.getByLabelText('Yes, I lost it')).toBeChecked();
      const { pathname, search, hash } = router.state.location;
      expect([pathname, search, hash]).toEqual(['/create-post', '', '']);
    },
  );

  test.each([
    [403, 'number_not_proven', /waliothibitisha namba zao/],
    [429, 'too_many_requests', /Uliza tena kesho/],
    [503, 'unavailable', /Seva haijajibu/],
  ])(
    'if the server refuses to look up an identifier, with status %s, the reason is shown',
    async (status, code, sentence) => {
      server.use(http.post('*/api/identifiers/lookup', () => refuse(status, code)));
      await lookUp('TZ-555123', 'sw');
      expect(await screen.findByText(sentence)).toBeVisible();
      const prove = screen.queryByRole('link', { name: 'Thibitisha namba yangu' });
      expect(prove !== null).toBe(status === 403);
      if (prove) expect(prove).toHaveAttribute('href', '/prove-number');
    },
  );

  test('the app offers no identifier look-up to a visitor', async () => {
    const { user } = await renderScreen('/view-posts');
    await user.type(screen.getByRole('textbox', { name: 'Search posts' }), 'TZ-555123');
    await screen.findByText('No items found. Try adjusting your search criteria.');
    expect(screen.queryByRole('button', { name: LOOK_UP.en })).toBeNull();
  });

  test('the result of a look-up disappears when the user changes the identifier in the search field', async () => {
    const answer = Promise.withResolvers<Response>();
    const asked: string[] = [];
    server.use(
      http.post('*/api/identifiers/lookup', () => {
        asked.push('asked');
        return answer.promise as never;
      }),
    );
    const { user, box, button } = await lookUp('TZ-555123');
    expect(button).toHaveAttribute('aria-busy', 'true');
    await user.click(button);
    const regions = screen.getAllByRole('status');
    answer.resolve(HttpResponse.json({ found: false }));
    const sentence = await screen.findByText(/^Nobody yet/);
    // The live region existed before its text: a screen reader ignores a live region that appears with its text.
    expect(regions.some((region) => region.contains(sentence))).toBe(true);
    expect(asked).toHaveLength(1);
    await user.type(box, '4');
    expect(screen.queryByText(/^Nobody yet/)).toBeNull();
    expect(screen.getByRole('button', { name: LOOK_UP.en })).toBeVisible();
    expect(screen.queryByRole('link', { name: 'Post it with this number' })).toBeNull();
  });

  test.each([
    ['owner', true],
    ['finder', false],
  ] as const)(
    'for a match with the same identifier, only the finder is warned that a number is no proof (matching post’s side: %s, warned: %s)',
    async (posted_by, isWarned) => {
      const other = aPost({ posted_by, title: 'Ya mwingine' });
      const own = aPost({ is_mine: true, posted_by: posted_by === 'owner' ? 'finder' : 'owner' });
      server.use(
        http.get('*/api/posts/:id', () => HttpResponse.json(own)),
        http.get('*/api/posts/:id/matches', () =>
          HttpResponse.json([aMatch({ Post: other, reasons: [{ kind: 'same_identifier', en: 'x', sw: 'x' }] })]),
        ),
      );
      await renderScreen(`/posts/${own.id}`, { isSignedIn: true });
      expect(await screen.findByText('Both posts give the same ID number, IMEI or plate number.')).toBeVisible();
      const warning = screen.queryByText('They know the number. That alone does not prove that it is theirs.');
      expect(warning !== null).toBe(isWarned);
    },
  );
});
