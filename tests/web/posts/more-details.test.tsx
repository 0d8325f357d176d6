import { screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Post } from '#contract/posts.ts';
import { aPost, openForm, refuse, serveList, serveNothingElse, serveSubmit } from '#tests/web/support/posts.ts';
import { renderScreen } from '#tests/web/support/render-screen.tsx';
import { server } from '#tests/web/support/setup.ts';
import { findLikelyDetails, isAboutDocument, isAboutPhone, isWantedByMany } from '#web/posts/form/read-words.ts';

describe('“More details” in the post form', () => {
  beforeEach(() => {
    serveNothingElse();
    serveList('/posts', []);
  });

  const IDENTIFIER = /^ID number, IMEI or plate number/;
  const details = () => screen.getByText(/^(More details|Maelezo zaidi)$/).closest('details') as HTMLDetailsElement;
  const toggle = () => screen.getByText('More details');

  test('contains the fields that only some posts need; the other fields are outside', async () => {
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
  ] as const)(
    'opens with an explanation in the language %s after the user answers “Are you the owner of this item?” with “%s” and types the title “%s”',
    async (language, answer, title, why) => {
      const { user, field } = await openForm(language);
      await user.click(screen.getByRole('radio', { name: answer }));
      expect(details().open).toBe(false);
      const regions = screen.getAllByRole('status');
      await user.type(field('title'), title);
      expect(details().open).toBe(true);
      const sentence = screen.getByText(why);
      // The live region existed before its text, so that screen readers announce the text.
      expect(regions.some((region) => region.contains(sentence))).toBe(true);
    },
  );

  test.each([
    ['an owner is not asked where a lost thing is', 'Yes, I lost it', 'Keys with the guard'],
    ['an ordinary thing needs no further fields', 'No, I found it', 'Funguo za gari'],
  ])('stays closed because %s', async (_why, answer, title) => {
    const { user, field } = await openForm();
    await user.click(screen.getByRole('radio', { name: answer }));
    await user.type(field('title'), title);
    expect(details().open).toBe(false);
  });

  test('also opens if only the description, and not the title, mentions a document', async () => {
    const { user } = await openForm();
    await user.type(screen.getByLabelText(/^Description/), 'Ndani kuna leseni');
    expect(details().open).toBe(true);
  });

  test('does not open or close automatically after the user has opened or closed it', async () => {
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

  test('opens if the title mentions a phone, and stays open after the user deletes the title', async () => {
    const { user, field } = await openForm();
    await user.type(field('title'), 'Simu');
    await user.clear(field('title'));
    expect(details().open).toBe(true);
  });

  test('opens if one of its fields is invalid, and the invalid field gets the focus', async () => {
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

  test('opens if the server refuses the value of one of its fields, and this field gets the focus', async () => {
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
    ['says where the thing is', { kept_at: 'Ofisi ya kata' }],
    ['has an identifier', { has_identifiers: true }],
    ['hides its phone number', { contact: 'claim' }],
    ['has private marks', { private_marks: 'Ufa' }],
    ['has a question', { claim_question: 'Nini?' }],
  ] as const)('is open at the start if the user updates a post that %s', async (_what, overrides) => {
    await openUpdate(overrides);
    expect(details().open).toBe(true);
  });

  test('is closed at the start if the user updates a post for which no field of “More details” was filled in', async () => {
    await openUpdate({ kind: 'bag' });
    expect(details().open).toBe(false);
  });

  test('does not suggest adding an identifier to a post that already has one', async () => {
    await openUpdate({ title: 'Simu', has_identifiers: true });
    expect(screen.queryByText(/has a number of its own/)).toBeNull();
  });

  test('is open at the start if the user’s draft has a value in a field of “More details”', async () => {
    const { user, field, unmount } = await openForm();
    await user.type(field('title'), 'Funguo');
    await user.click(toggle());
    await user.selectOptions(screen.getByLabelText('What kind of item is it?'), 'Keys');
    unmount();
    await openForm();
    expect(details().open).toBe(true);
  });
});

describe('the question “Are you the owner of this item?”', () => {
  beforeEach(() => {
    serveNothingElse();
    serveList('/posts', []);
  });

  const NAMES = {
    en: { question: 'Are you the owner of this item?', yes: 'Yes, I lost it', no: 'No, I found it' },
    sw: { question: 'Je, wewe ndiye mwenye kitu hiki?', yes: 'Ndiyo, nimekipoteza', no: 'Hapana, nimekiokota' },
  };

  function ownerQuestion(language: keyof typeof NAMES = 'en') {
    const { question, yes, no } = NAMES[language];
    const group = within(screen.getByRole('group', { name: question }));
    return {
      yes: group.getByRole('radio', { name: yes }),
      no: group.getByRole('radio', { name: no }),
      meaning: group.getByRole('status'),
    };
  }

  function expectAnswer(answer: 'yes' | 'no' | null) {
    const { yes, no } = ownerQuestion();
    expect([yes, no].map((radio) => (radio as HTMLInputElement).checked)).toEqual([answer === 'yes', answer === 'no']);
  }

  test.each(['en', 'sw'] as const)(
    'is asked once, at the start of the form, with no answer chosen, in the language %s',
    async (language) => {
      const { user, field } = await openForm(language);
      const { yes, no } = ownerQuestion(language);
      expect(document.querySelector('form input')).toBe(yes);
      expect(document.querySelectorAll('[name=posted_by], [name=is_owner]')).toHaveLength(2);
      await user.type(field('title'), language === 'en' ? 'I lost my wallet' : 'Nimepoteza pochi yangu');
      expect(yes).not.toBeChecked();
      expect(no).not.toBeChecked();
    },
  );

  test.each([
    ['Yes, I lost it', 'owner'],
    ['No, I found it', 'finder'],
    [null, 'finder'],
  ])(
    'decides the side of the post: the answer “%s” (null: not answered) creates a post with the side “%s”',
    async (answer, postedBy) => {
      const sent = serveSubmit();
      const { user, fill, submit } = await openForm();
      if (answer) await user.click(screen.getByRole('radio', { name: answer }));
      await fill('Lost wallet');
      await submit();
      await waitFor(() => expect(sent[0]?.body).toMatchObject({ title: 'Lost wallet', posted_by: postedBy }));
    },
  );

  test('decides which hints the form shows; autofill offers the user’s own name only if the answer is yes', async () => {
    const { user, field } = await openForm();
    const { yes, no, meaning } = ownerQuestion();
    const firstName = screen.getByLabelText('First name');
    const lastName = screen.getByLabelText('Last name');
    const names = screen.getByRole('group', { name: /^Name on it/ });
    expect(meaning).toHaveTextContent('Without an answer, your post is shown as found.');
    expect(field('location')).toHaveAccessibleDescription('Where was it lost or found?');
    await user.click(yes);
    expect(meaning).toHaveTextContent('You are notified when somebody posts it as found.');
    expect(field('location')).toHaveAccessibleDescription('Where did you lose it?');
    expect(screen.getByLabelText(/^Description/)).toHaveAccessibleDescription(
      'Colour, marks, and when you last had it.',
    );
    expect(names).toHaveAccessibleDescription(/^Your name/);
    expect(firstName).toHaveAttribute('autocomplete', 'given-name');
    expect(lastName).toHaveAttribute('autocomplete', 'family-name');
    await user.click(no);
    expect(meaning).toHaveTextContent('Its owner is notified if they have posted it as lost.');
    expect(field('location')).toHaveAccessibleDescription('Where did you find it?');
    expect(screen.getByLabelText(/^Description/)).toHaveAccessibleDescription(/Keep one detail secret/);
    expect(names).toHaveAccessibleDescription(/Not your own/);
    expect(firstName).toHaveAttribute('autocomplete', 'off');
    expect(lastName).toHaveAttribute('autocomplete', 'off');
  });

  test('can be answered with the arrow keys', async () => {
    const { user } = await openForm();
    ownerQuestion().yes.focus();
    await user.keyboard(' ');
    expectAnswer('yes');
    await user.keyboard('{ArrowRight}');
    expectAnswer('no');
  });

  test.each([
    ['Report Item', null],
    ['Post what you found', 'no'],
  ] as const)(
    'the home page’s link “%s” opens the form with the answer “%s” (null: not answered)',
    async (name, answer) => {
      const { user } = await renderScreen('/', { isSignedIn: true });
      await user.click(await screen.findByRole('link', { name }));
      await screen.findByLabelText('Title');
      expectAnswer(answer);
    },
  );

  test('starts with the answer “Yes, I lost it” if the user opens the form by “Post what you lost” after a search without results', async () => {
    const { user } = await renderScreen('/view-posts?search=kitambulisho', { isSignedIn: true });
    await user.click(await screen.findByRole('link', { name: 'Post what you lost' }));
    await screen.findByLabelText('Title');
    expectAnswer('yes');
  });

  test('keeps its answer after a reload, and stays unanswered if it had no answer', async () => {
    const first = await openForm();
    await first.user.click(ownerQuestion().yes);
    await first.user.type(first.field('title'), 'Begi');
    first.unmount();
    const second = await openForm();
    expectAnswer('yes');
    await second.user.click(screen.getByRole('button', { name: 'Start over' }));
    expectAnswer(null);
    await second.user.type(second.field('title'), 'Kofia');
    second.unmount();
    await openForm();
    expectAnswer(null);
  });

  test('is already answered with “Yes, I lost it” when the user updates a lost post', async () => {
    const post = aPost({ posted_by: 'owner', title: 'Pochi', is_mine: true });
    server.use(http.get('*/api/posts/:id', () => HttpResponse.json(post)));
    await openForm('en', { state: { mode: 'update', post } });
    expectAnswer('yes');
  });
});

test.each([
  'Nimepoteza simu',
  'Simu ndogo ya batani',
  'cm yangu imepotea',
  'Laini ya Airtel',
  'SIM card',
  'Voda line',
  'My iPhone',
  'Tecno Spark 10',
  'Infinix Hot 30, kava la bluu',
  'itel nyeupe',
  'Nokia',
  'Samsung A12',
  'Begi\nndani kuna simu na pesa',
  'Lost phone and charger',
  'Phone, cracked screen',
])('the text “%s” is recognised as being about a phone or a SIM card', (text) => expect(isAboutPhone(text)).toBe(true));

test.each([
  'Funguo',
  'Kishikwambi cha Samsung',
  'Samsung tablet, black',
  'Samsung TV',
  'Chaja ya simu',
  'Kava la simu',
  'iPhone charger',
  'Phone cover',
  'Earphones nyeupe',
  'Pochi nyeusi\nTafadhali piga simu 0712345678',
  'Pochi\nnipigie simu',
  'Pochi\nNamba ya simu 0712 345 678',
  'Pochi\nSimu: 0712345678',
  'Wallet\nmy phone number is 0712345678',
  'Pochi\ncall me, a phone call is enough',
  'Simba toy',
  'Microphone',
])('the text “%s” is not recognised as being about a phone or a SIM card', (text) =>
  expect(isAboutPhone(text)).toBe(false),
);

test.each([
  'Kitambulisho cha Juma',
  'Vyeti vya shule',
  'Kadi ya benki',
  'Kadi ya mpiga kura',
  'NIDA',
  'Passport',
  'Birth certificate',
  'ATM',
  'Bank card',
  'Student ID',
  'My ID, please help',
  'Lost IDs',
])('“%s” is recognised as a document', (title) => {
  expect([isAboutDocument(title), isWantedByMany(title)]).toEqual([true, true]);
});

test.each([
  ['Pochi yenye kitambulisho', true],
  ['Wallet with my ID', true],
  ['Simu na leseni', true],
  ['Funguo', false],
  ['Ideal shoes', false],
])(
  'for the title “%s”, isAboutDocument returns false, and isWantedByMany (many people may claim the thing) returns %s',
  (title, isWanted) => {
    expect([isAboutDocument(title), isWantedByMany(title)]).toEqual([false, isWanted]);
  },
);

test.each([
  ['Laptop ya HP', true],
  ['Kishikwambi', true],
  ['Power bank', true],
  ['EARPODS', true],
  ['Smart watch', true],
  ['Redio ndogo', true],
  ['Tecno nyeusi', true],
  ['Mwavuli', false],
  ['Kofia ya tv', true],
  ['Viatu', false],
])('the text “%s” is about a thing that many people may claim: %s (true or false)', (text, isWanted) => {
  expect(isWantedByMany(text)).toBe(isWanted);
});

test.each([
  ['Nimeokota kitambulisho cha NIDA', ['identifier']],
  ['Black Tecno phone', ['identifier']],
  ['Laptop ya HP', ['identifier']],
  ['Pikipiki aina ya Boxer', ['identifier']],
  ['Gari langu jeupe limeibiwa', ['identifier']],
  ['Kibao\nnamba ya gari T 123 ABC', ['identifier']],
  ['Begi la shule\nnimelipeleka kituo cha polisi', ['kept_at']],
  ['Keys\nI left them with the guard', ['kept_at']],
  ['Miwani\nnatangaza kwa niaba ya bibi', ['on_behalf']],
  ['My mother lost her glasses', ['on_behalf']],
  ['Rafiki yangu amepoteza kofia', ['on_behalf']],
  ['Leseni ya baba yangu\niko ofisini', ['identifier', 'kept_at', 'on_behalf']],
] as const)('for the text “%s” the form suggests filling in the fields %j', (text, likely) =>
  expect(findLikelyDetails(text)).toEqual(likely),
);

test.each([
  'Funguo za gari',
  'Car keys',
  'Begi nyeusi\nnililiacha kwenye daladala',
  'Mwavuli\nI left it in a car',
  'Kofia ya pikipiki',
  'Mbuzi wangu',
  'Koti la mtoto',
  '',
])('for the text “%s” the form does not suggest filling in any other field', (text) =>
  expect(findLikelyDetails(text)).toEqual([]),
);
