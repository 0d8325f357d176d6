import { act, screen, waitFor } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, test } from 'vitest';
import { atStep } from '#tests/web/support/phone.ts';
import { aPost, openForm, refuse, serveList, serveNothingElse, serveSubmit } from '#tests/web/support/posts.ts';
import { renderScreen } from '#tests/web/support/render-screen.tsx';
import { server } from '#tests/web/support/setup.ts';
import { meQuery } from '#web/api/me.ts';
import { queryClient } from '#web/api/queries.ts';
import { signInAs } from '#web/api/session.ts';

describe('the contact of a post', () => {
  beforeEach(serveNothingElse);

  function servePost(post: ReturnType<typeof aPost>) {
    server.use(http.get('*/api/posts/:id', () => HttpResponse.json(post)));
  }

  /** Returns the message that the WhatsApp link types into the chat. */
  function typedText(): string {
    const { href } = screen.getByRole<HTMLAnchorElement>('link', { name: 'WhatsApp' });
    return new URL(href).searchParams.get('text') ?? '';
  }

  test.each([
    ['en', 'Contact poster', 'Call', 'Meet safely', ['public place', 'daylight', 'police post', 'Never pay first']],
    [
      'sw',
      'Wasiliana na aliyetangaza',
      'Piga simu',
      'Kutaneni kwa usalama',
      ['mahali penye watu', 'mchana', 'Kituo cha polisi', 'Kamwe usilipe kwanza'],
    ],
  ] as const)(
    'shows in the language %s how to call or write to the author, with safety advice',
    async (language, title, call, safety, advice) => {
      servePost(aPost({ title: 'Funguo & pete', phone_number: '0712345678' }));
      await renderScreen('/posts/post-x/contact', { language, isSignedIn: true });
      expect(await screen.findByRole('heading', { level: 1, name: title })).toBeInTheDocument();
      expect(document.title).toBe(`${title} · Patikana`);
      expect(screen.getByText('0712345678')).toBeInTheDocument();
      const post = screen.getByRole('link', { name: 'Funguo & pete' });
      expect(post).toHaveAttribute('href', expect.stringMatching(/^\/posts\/post-\d+$/));
      expect(post).toHaveAttribute('dir', 'auto');
      expect(screen.getByRole('link', { name: call })).toHaveAttribute('href', 'tel:0712345678');
      const whatsapp = screen.getByRole('link', { name: 'WhatsApp' });
      expect(whatsapp.getAttribute('href')).toMatch(/^https:\/\/wa\.me\/255712345678\?text=.*Funguo%20%26%20pete/);
      expect(whatsapp.getAttribute('rel')).toContain('noreferrer');
      for (const words of advice) expect(screen.getByRole('region', { name: safety })).toHaveTextContent(words);
    },
  );

  const IN_ENGLISH = 'Hello, I saw your post on Patikana: ';
  const IN_SWAHILI = 'Habari, nimeona tangazo lako kwenye Patikana: ';

  test.each([
    ['Lost my black wallet', '', `${IN_ENGLISH}Lost my black wallet`],
    ['Pochi nyeusi imeokotwa', '', `${IN_SWAHILI}Pochi nyeusi imeokotwa`],
    ['iPhone 12', 'It was found at the bus station.', `${IN_ENGLISH}iPhone 12`],
    ['iPhone 12', 'Imeokotwa kwenye stendi ya basi.', `${IN_SWAHILI}iPhone 12`],
    ['iPhone 12 $& {title}', '', `${IN_ENGLISH}iPhone 12 $& {title}\n${IN_SWAHILI}iPhone 12 $& {title}`],
  ])(
    'the suggested message about a post with the title "%s" and the description "%s" starts in the post’s language',
    async (title, description, text) => {
      servePost(aPost({ title, description }));
      for (const language of ['en', 'sw'] as const) {
        const { unmount } = await renderScreen('/posts/post-x/contact', { language, isSignedIn: true });
        await screen.findByRole('heading', { level: 1 });
        expect(typedText()).toBe(text);
        unmount();
      }
    },
  );

  test('offers a call but no WhatsApp chat if the phone number is too short for WhatsApp', async () => {
    servePost(aPost({ phone_number: '112' }));
    await renderScreen('/posts/post-x/contact', { isSignedIn: true });
    expect(await screen.findByRole('link', { name: 'Call' })).toHaveAttribute('href', 'tel:112');
    expect(screen.queryByRole('link', { name: 'WhatsApp' })).toBeNull();
  });

  test('is replaced for a visitor by a link to log in, which leads back to the contact screen', async () => {
    servePost(aPost({ phone_number: null }));
    const { user, router } = await renderScreen('/posts/post-x/contact');
    await user.click(await screen.findByRole('link', { name: 'Log in to view contact' }));
    expect(router.state.location.state).toMatchObject({ from: '/posts/post-x/contact' });
  });

  test.each([
    [{ phone_number: null }, 'The number of this post is not shown to you.'],
    [{ is_mine: true }, 'This is your own post.'],
  ])('is missing for a post with the fields %j, and the screen says why', async (overrides, sentence) => {
    servePost(aPost(overrides));
    await renderScreen('/posts/post-x/contact', { isSignedIn: true });
    expect(await screen.findByText(sentence)).toBeInTheDocument();
    expect(document.querySelector('a[href^="tel:"], a[href*="wa.me"]')).toBeNull();
  });

  test('shows the server’s error message if the post was deleted', async () => {
    server.use(http.get('*/api/posts/:id', () => refuse(404, 'post_not_found', 'This post does not exist.')));
    await renderScreen('/posts/post-x/contact', { isSignedIn: true });
    expect(await screen.findByRole('heading', { level: 1, name: 'This post does not exist.' })).toBeInTheDocument();
  });

  test('has a Back button to the previous screen, or to the post if there is no previous screen', async () => {
    const post = aPost({ title: 'Funguo' });
    serveList('/posts', [post]);
    servePost(post);
    const list = await renderScreen('/view-posts?search=fun', { isSignedIn: true });
    await list.user.click(await screen.findByRole('link', { name: 'Contact poster' }));
    atStep(1);
    await list.user.click(await screen.findByRole('button', { name: 'Back' }));
    expect(list.router.state.location).toMatchObject({ pathname: '/view-posts', search: '?search=fun' });
    list.unmount();

    atStep(0);
    const { user, router } = await renderScreen(`/posts/${post.id}/contact`, { isSignedIn: true });
    await user.click(await screen.findByRole('button', { name: 'Back' }));
    expect(router.state.location.pathname).toBe(`/posts/${post.id}`);
  });

  test.each([
    ['en', "Somebody else's number", 'This number has not been confirmed yet.'],
    ['sw', 'Namba ya mtu mwingine', 'Namba hii bado haijathibitishwa.'],
  ] as const)(
    'says in the language %s if the phone number is another person’s, or is the author’s own but not proven',
    async (language, other, unproven) => {
      const cases = [
        [{ on_behalf: true, is_author_proven: true }, other],
        [{ on_behalf: true, is_author_proven: false }, other],
        [{ on_behalf: false, is_author_proven: false }, unproven],
        [{ on_behalf: false, is_author_proven: true }, null],
      ] as const;
      for (const [post, said] of cases) {
        servePost(aPost(post));
        const { unmount } = await renderScreen('/posts/post-x/contact', { language, isSignedIn: true });
        await screen.findByRole('link', { name: 'WhatsApp' });
        for (const text of [other, unproven]) expect(screen.queryByText(text) !== null).toBe(text === said);
        unmount();
      }
    },
  );

  test('shows authors their own hidden phone number, and says that other people do not see the number', async () => {
    servePost(aPost({ is_mine: true, contact: 'claim', phone_number: '0754000111' }));
    await renderScreen('/posts/post-x', { isSignedIn: true });
    expect(await screen.findByText('0754000111')).not.toHaveAttribute('href');
    expect(
      screen.getByText(/^People write to you here. Your number is shown only to the person you choose/),
    ).toBeVisible();
    expect(screen.queryByRole('link', { name: 'This is mine' })).toBeNull();
  });

  test('contains no phone number for a post with contact by claims, and mentions no claims for a post with contact by phone', async () => {
    for (const isSignedIn of [true, false]) {
      servePost(aPost({ title: 'Leseni', contact: 'claim', phone_number: '0754000111' }));
      const { unmount } = await renderScreen('/posts/post-x', { isSignedIn });
      expect(await screen.findByRole('link', { name: 'This is mine' })).toBeVisible();
      expect(screen.getByText(/^The finder asks for proof that it is yours/)).toBeVisible();
      expect(screen.queryByText('0754000111')).toBeNull();
      unmount();
    }
    servePost(aPost({ title: 'Begi', is_mine: true, phone_number: '0754000111' }));
    await renderScreen('/posts/post-y', { isSignedIn: true });
    await screen.findByText('0754000111');
    expect(screen.queryByText(/^People write to you here/)).toBeNull();
  });
});

describe('the choice of the contact in the post form', () => {
  beforeEach(() => {
    serveNothingElse();
    serveList('/posts', []);
  });

  const QUESTION = /^Your question to people who claim it/;
  const MARKS = /^What only you have seen/;

  test.each([
    ['en', 'Found a NIDA card', /^Many people ask about items like this/, 'Hide my number'],
    ['en', 'Black Tecno phone', /^Many people ask about items like this/, 'Hide my number'],
    ['sw', 'Nimeokota kitambulisho', /^Watu wengi huulizia vitu kama hiki/, 'Ficha namba yangu'],
    ['sw', 'Simu ya Tecno', /^Watu wengi huulizia vitu kama hiki/, 'Ficha namba yangu'],
  ] as const)(
    'the form suggests in the language %s to hide the phone number if the title is “%s”',
    async (language, title, suggestion, hide) => {
      const sent = serveSubmit();
      const { fill, submit } = await openForm(language);
      expect(screen.queryByText(suggestion)).toBeNull();
      await fill(title);
      expect(screen.getByText(suggestion)).toBeInTheDocument();
      expect(screen.getByRole('button', { name: hide })).toBeInTheDocument();
      await submit();
      await waitFor(() => expect(sent[0]?.body).toMatchObject({ contact: 'number' }));
      expect(sent[0]?.body).not.toHaveProperty('claim_question');
    },
  );

  test('the button “Hide my number” hides the phone number, becomes “Show my number” and keeps the focus', async () => {
    const { user, field } = await openForm();
    await user.type(field('title'), 'Found a phone');
    expect(field('phone')).toHaveAccessibleDescription('Shown only to people who are logged in.');
    await user.click(screen.getByRole('button', { name: 'Hide my number' }));
    const back = screen.getByRole('button', { name: 'Show my number' });
    expect(back).toHaveFocus();
    expect(field('phone')).toHaveAccessibleDescription('Shown only to the person you choose.');
    expect(screen.getByRole('radio', { name: /^Through Patikana/ })).toBeChecked();
    expect(screen.getByLabelText(QUESTION)).toBeVisible();
    await user.click(back);
    expect(screen.getByRole('button', { name: 'Hide my number' })).toHaveFocus();
    expect(screen.getByRole('radio', { name: /^By phone/ })).toBeChecked();
    expect(screen.queryByLabelText(QUESTION)).toBeNull();
  });

  test.each([
    ['Funguo za gari', 'No, I found it'],
    ['Nimepoteza simu', 'Yes, I lost it'],
  ])(
    'the form does not suggest hiding the phone number for the title “%s” and the answer “%s” to “Did you lose it?”',
    async (title, answer) => {
      const { user, field } = await openForm();
      await user.click(screen.getByRole('radio', { name: answer }));
      await user.type(field('title'), title);
      expect(screen.queryByRole('button', { name: 'Hide my number' })).toBeNull();
    },
  );

  test('the request that creates a post with a hidden phone number contains the finder’s question and private marks', async () => {
    const sent = serveSubmit();
    const { user, fill, submit } = await openForm();
    await fill('Found a phone');
    await user.click(screen.getByRole('button', { name: 'Hide my number' }));
    await user.type(screen.getByLabelText(QUESTION), 'What is on its back?');
    await user.type(screen.getByLabelText(MARKS), 'A crack');
    await submit();
    await waitFor(() =>
      expect(sent[0]?.body).toMatchObject({
        contact: 'claim',
        claim_question: 'What is on its back?',
        private_marks: 'A crack',
      }),
    );
  });

  test('“More details” lets a finder choose the way of contact, but does not offer an owner this choice', async () => {
    const { user } = await openForm();
    await user.click(screen.getByText('More details'));
    expect(screen.getByRole('radio', { name: /^By phone/ })).toBeChecked();
    expect(screen.queryByLabelText(MARKS)).toBeNull();
    await user.click(screen.getByRole('radio', { name: /^Through Patikana/ }));
    expect(screen.getByLabelText(MARKS)).toHaveAccessibleDescription(/Nobody else reads this/);
    expect(screen.getByLabelText(QUESTION)).toHaveAccessibleDescription(/^Ask what only its owner/);
    await user.click(screen.getByRole('radio', { name: 'Yes, I lost it' }));
    expect(screen.queryByRole('radio', { name: /^By phone/ })).toBeNull();
    expect(screen.queryByLabelText(MARKS)).toBeNull();
  });

  test('the edit form contains the post’s private marks and question to claimants, and shows why the server refuses new marks', async () => {
    const sent: unknown[] = [];
    const post = aPost({ id: 'p', is_mine: true, contact: 'claim', claim_question: 'Nini?', private_marks: 'Ufa' });
    server.use(
      http.get('*/api/posts/:id', () => HttpResponse.json(post)),
      http.put('*/api/posts/:id', async ({ request }) => {
        sent.push(await request.json());
        return refuse(409, 'sealed', 'Somebody has claimed this post.');
      }),
    );
    const { user } = await renderScreen(
      { pathname: '/create-post', state: { mode: 'update', post } },
      { isSignedIn: true },
    );
    const marks = await screen.findByLabelText(MARKS);
    expect(marks).toHaveValue('Ufa');
    expect(screen.getByLabelText(QUESTION)).toHaveValue('Nini?');
    await user.type(marks, ' kubwa');
    await user.click(screen.getByRole('button', { name: 'Save changes' }));
    expect(await screen.findByText('Somebody has claimed this post.')).toBeInTheDocument();
    expect(sent).toMatchObject([{ contact: 'claim', claim_question: 'Nini?', private_marks: 'Ufa kubwa' }]);
  });
});

describe('the phone number in the post form', () => {
  const OWN = '+255754000111';
  const SHOWN_TO = 'Shown only to people who are logged in.';
  const ANOTHER = /^Give a number that reaches you without the lost phone or SIM card/;

  beforeEach(() => {
    serveNothingElse();
    serveList('/posts', []);
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

  test('starts as the account’s phone number, and is sent with the post', async () => {
    const sent = serveSubmit();
    const { user, field, submit } = await openWithNumber();
    await user.type(field('title'), 'Funguo');
    await user.type(field('location'), 'Moshi');
    await submit();
    await waitFor(() => expect(sent[0]?.body).toMatchObject({ phone_number: OWN }));
  });

  test('is stored in the draft if the user has changed it', async () => {
    const before = await openWithNumber();
    await before.user.clear(before.field('phone'));
    expect(before.field('phone')).toHaveValue('');
    await before.user.type(before.field('phone'), '0712345678');
    before.unmount();
    const { field } = await openForm();
    expect(field('phone')).toHaveValue('0712345678');
  });

  test('is not stored in the draft if the user has not changed it', async () => {
    const before = await openWithNumber();
    expect(Object.keys(localStorage).filter((key) => key.startsWith('postDraft'))).toEqual([]);
    await before.user.type(before.field('title'), 'Begi');
    expect(localStorage.getItem('postDraft:a-user:new')).not.toContain(OWN);
    before.unmount();
    await openWithNumber();
  });

  test('is emptied if the owner lost a phone, and the form says why it asks for another number', async () => {
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
    // The user's own phone number is allowed: the SIM card may be in another phone by now.
    await user.type(field('phone'), OWN);
    await submit();
    await waitFor(() => expect(sent[0]?.body).toMatchObject({ phone_number: OWN, posted_by: 'owner' }));
  });

  test('is emptied if the description mentions a lost phone or SIM card, unless the user has typed a number', async () => {
    const { user, field } = await openWithNumber();
    await user.click(screen.getByRole('radio', { name: 'Yes, I lost it' }));
    await user.type(field('title'), 'Begi');
    await user.type(screen.getByLabelText(/^Description/), 'ndani kuna laini ya Airtel');
    expect(field('phone')).toHaveValue('');
    await user.type(field('phone'), '0712345678');
    await user.type(screen.getByLabelText(/^Description/), ' na simu');
    expect(field('phone')).toHaveValue('0712345678');
  });

  test('stays the account’s phone number if the user found a phone', async () => {
    const { user, field } = await openWithNumber();
    await user.type(field('title'), 'Nimeokota simu');
    expect(field('phone')).toHaveValue(OWN);
    expect(field('phone')).toHaveAccessibleDescription(SHOWN_TO);
    await user.click(screen.getByRole('radio', { name: 'Yes, I lost it' }));
    expect(field('phone')).toHaveValue('');
    await user.click(screen.getByRole('radio', { name: 'No, I found it' }));
    expect(field('phone')).toHaveValue(OWN);
  });

  test('is not filled in automatically while its field has the focus', async () => {
    const answer = Promise.withResolvers<Response>();
    serveMe(() => answer.promise);
    const { user, field } = await openForm();
    await user.click(field('phone'));
    answer.resolve(HttpResponse.json({ whatsapp_number: OWN }));
    await waitFor(() => expect(queryClient.getQueryData(meQuery.queryKey)).toBeDefined());
    await user.keyboard('0712345678');
    expect(field('phone')).toHaveValue('0712345678');
  });

  test('stays empty if the account has no known phone number', async () => {
    serveMe(() => HttpResponse.json({ code: 'unavailable' }, { status: 404 }));
    const { field } = await openForm();
    expect(field('phone')).toHaveValue('');
    expect(screen.queryByRole('alert')).toBeNull();
  });

  test('becomes the account’s number when a visitor signs in, but stays the post’s own number when a post is edited', async () => {
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

  test('is emptied in a post for somebody else, and the number that the user then types is sent', async () => {
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
});
