import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Post } from '#contract/posts.ts';
import { SCHOOL } from '#tests/web/support/communities.ts';
import { aPost, openForm, refuse, serveList, serveNothingElse, serveSubmit } from '#tests/web/support/posts.ts';
import { renderScreen } from '#tests/web/support/render-screen.tsx';
import { server } from '#tests/web/support/setup.ts';
import { queryClient } from '#web/api/queries.ts';
import { getSession, signInAs } from '#web/api/session.ts';
import { draftKey, EMPTY_POST, fromPostInput, type PostFormValues, toPostInput } from '#web/posts/form/post-draft.ts';

describe('the draft of a post', () => {
  beforeEach(() => {
    serveNothingElse();
    serveList('/posts', []);
  });

  async function open({ isSignedIn = true } = {}) {
    const view = await renderScreen('/create-post', { isSignedIn });
    return { ...view, title: await screen.findByLabelText('Title') };
  }

  /** Closes the page, and opens it again with the stored data only. */
  async function reload(view: { unmount: () => void }) {
    view.unmount();
    queryClient.clear();
    const opened = await renderScreen('/create-post');
    return { ...opened, title: await screen.findByLabelText('Title') };
  }

  test('is restored after a reload, and a message says so', async () => {
    const before = await open();
    await before.user.type(before.title, 'Funguo za gari');
    await before.user.click(screen.getByRole('radio', { name: 'Yes, I lost it' }));
    const after = await reload(before);
    expect(after.title).toHaveValue('Funguo za gari');
    expect(screen.getByRole('radio', { name: 'Yes, I lost it' })).toBeChecked();
    expect(screen.getByText(/This is what you typed last time\./)).toBeInTheDocument();
    await after.user.click(screen.getByRole('button', { name: 'Start over' }));
    expect(screen.getByLabelText('Title')).toHaveValue('');
    expect(screen.getByLabelText('Title')).toHaveFocus();
    expect((await reload(after)).title).toHaveValue('');
    expect(screen.queryByText(/This is what you typed/)).toBeNull();
  });

  test('starting over clears the errors shown in the form', async () => {
    const before = await open();
    await before.user.type(before.title, 'Begi');
    const { user } = await reload(before);
    await user.click(screen.getByRole('button', { name: 'Post item' }));
    expect(screen.getByText('Location is required')).toBeInTheDocument();
    await user.click(screen.getByRole('button', { name: 'Start over' }));
    expect(screen.queryByText('Location is required')).toBeNull();
  });

  test('is sent with a new idempotency key if another tab has already posted the same draft', async () => {
    const keys: (string | null)[] = [];
    server.use(
      http.post('*/api/posts', async ({ request }) => {
        keys.push(request.headers.get('Idempotency-Key'));
        return HttpResponse.json(aPost((await request.json()) as Partial<Post>));
      }),
    );
    const { user, title } = await open();
    await user.type(title, 'Begi');
    const draft = Object.keys(localStorage).find((key) => key.startsWith('postDraft')) ?? '';
    const { idempotencyKey } = JSON.parse(localStorage.getItem(draft) ?? '{}') as { idempotencyKey: string };
    localStorage.removeItem(draft);
    fireEvent(window, new StorageEvent('storage', { key: draft, newValue: null }));
    await user.type(screen.getByLabelText('Location'), 'Moshi');
    await user.type(screen.getByLabelText('Phone number'), '0712345678');
    await user.click(screen.getByRole('button', { name: 'Post item' }));
    await waitFor(() => expect(keys).toEqual([expect.any(String)]));
    expect(keys).not.toEqual([idempotencyKey]);
  });

  test('is not stored for text that was typed and then deleted', async () => {
    const before = await open();
    await before.user.type(before.title, 'Begi');
    await before.user.clear(before.title);
    await reload(before);
    expect(screen.queryByText(/This is what you typed/)).toBeNull();
  });

  test('is not stored for an untouched form', async () => {
    await reload(await open());
    expect(screen.queryByText(/This is what you typed/)).toBeNull();
    expect(Object.keys(localStorage).filter((key) => key.startsWith('postDraft'))).toEqual([]);
  });

  test('is stored for its account if the session expires on submit, and is restored after the sign-in', async () => {
    server.use(http.post('*/api/posts', () => refuse(401, 'unauthorized', 'You need to log in to do this.')));
    const before = await open();
    await before.user.type(before.title, 'Pochi yangu');
    await before.user.type(screen.getByLabelText('Location'), 'Moshi');
    await before.user.type(screen.getByLabelText('Phone number'), '0712345678');
    await before.user.click(screen.getByRole('button', { name: 'Post item' }));
    await waitFor(() => expect(getSession()).toBeNull());
    expect((await screen.findAllByText('To create a post make sure you have logged in.')).length).toBeGreaterThan(0);
    before.unmount();
    act(() => signInAs({ token: 'another-token', userId: 'somebody-else' }));
    const other = await renderScreen('/create-post');
    expect(await screen.findByLabelText('Title')).toHaveValue('');
    other.unmount();
    act(() => signInAs({ token: 'a-new-token', userId: 'a-user' }));
    await renderScreen('/create-post');
    expect(await screen.findByLabelText('Title')).toHaveValue('Pochi yangu');
    expect(screen.getByLabelText('Phone number')).toHaveValue('0712345678');
  });

  test('is deleted when the post is created', async () => {
    server.use(
      http.post('*/api/posts', async ({ request }) => HttpResponse.json(aPost((await request.json()) as object))),
    );
    const { user, title } = await open();
    await user.type(title, 'Kofia');
    await user.type(screen.getByLabelText('Location'), 'Moshi');
    await user.type(screen.getByLabelText('Phone number'), '0712345678');
    expect(Object.keys(localStorage).filter((key) => key.startsWith('postDraft'))).toHaveLength(1);
    await user.click(screen.getByRole('button', { name: 'Post item' }));
    expect((await screen.findAllByText('Post created successfully!')).length).toBeGreaterThan(0);
    expect(Object.keys(localStorage).filter((key) => key.startsWith('postDraft'))).toEqual([]);
  });

  test('is separate for each edited post and for a new post', async () => {
    const posts = [aPost({ title: 'Pochi' }), aPost({ title: 'Kofia' })];
    server.use(
      http.get('*/api/posts/:id', ({ params }) => HttpResponse.json(posts.find(({ id }) => id === params.id))),
    );
    for (const post of posts) {
      const view = await renderScreen(
        { pathname: '/create-post', state: { mode: 'update', post } },
        { isSignedIn: true },
      );
      await view.user.type(await screen.findByDisplayValue(post.title), ' mpya');
      view.unmount();
    }
    for (const post of posts) {
      const view = await renderScreen(
        { pathname: '/create-post', state: { mode: 'update', post } },
        { isSignedIn: true },
      );
      expect(await screen.findByDisplayValue(`${post.title} mpya`)).toBeInTheDocument();
      view.unmount();
    }
    expect((await open()).title).toHaveValue('');
  });

  test('is ignored if it is unreadable', async () => {
    localStorage.setItem('postDraft:a-user:new', '{"values":');
    expect((await open()).title).toHaveValue('');
  });
});

describe('the values of the post form', () => {
  beforeEach(() => {
    serveNothingElse();
    serveList('/posts', []);
  });
  afterEach(() => vi.useRealTimers());

  const DRAFT = draftKey('a-user', null);
  const NUMBER = /ID number, IMEI or plate number/;

  /** A value for each field. */
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
  ] as const)('are restored completely when the user corrects %s post that the server refused', (_whose, values) => {
    expect(fromPostInput(toPostInput(values))).toEqual(values);
  });

  test('omit for a lost thing the fields that only found things have', () => {
    const input = toPostInput({ ...WHOLE, is_owner: true });
    expect(input).toMatchObject({ posted_by: 'owner', contact: 'number' });
    for (const name of ['kept_at', 'claim_question', 'private_marks']) expect(input).not.toHaveProperty(name);
  });

  test.each([
    [{ identifier: ' ', second_identifier: '35-693811' }, ['35-693811']],
    [{ identifier: ' ', second_identifier: '' }, undefined],
    [{ identifier: '', second_identifier: '', has_identifiers: true, removes_identifiers: true }, null],
    [{ identifier: '', second_identifier: '', has_identifiers: false, removes_identifiers: true }, undefined],
    [
      { identifier: 'TZ-555123', second_identifier: '', has_identifiers: true, removes_identifiers: true },
      ['TZ-555123'],
    ],
  ])('the form fields %j are sent as the identifiers %j', (typed, identifiers) => {
    expect(toPostInput({ ...WHOLE, ...typed }).identifiers).toEqual(identifiers);
  });

  test('if the user edits only the title of a post, the other fields are sent with their existing values', async () => {
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
    expect(sent[0]?.body).toMatchObject({
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

  test('contain the account’s phone number after a reload, even if the user focused the empty phone field before the reload', async () => {
    const first = await openForm();
    await first.user.click(first.field('phone'));
    await first.user.type(first.field('title'), 'Begi');
    first.unmount();
    server.use(http.get('*/api/me', () => HttpResponse.json({ whatsapp_number: '+255754000111' })));
    await act(async () => (await import('#web/api/queries.ts')).queryClient.clear());
    const { field } = await openForm();
    await waitFor(() => expect(field('phone')).toHaveValue('+255754000111'));
    expect(field('title')).toHaveValue('Begi');
  });

  test('keep their idempotency key after a failed try and a reload, and get a new key after the server refuses the key as used', async () => {
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

  test('keep their idempotency key if another tab changes the draft of another post', async () => {
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

  test('contain the identifier that the user has just searched for, even if a draft exists', async () => {
    const before = await openForm();
    await before.user.type(before.field('title'), 'Begi');
    before.unmount();
    const { field } = await openForm('en', { state: { posted_by: 'owner', identifier: 'TZ-555123' } });
    expect(field('title')).toHaveValue('Begi');
    expect(screen.getByLabelText(NUMBER)).toHaveValue('TZ-555123');
    expect(screen.getByRole('radio', { name: 'Yes, I lost it' })).toBeChecked();
  });

  test('come from an existing draft and not from the link that opened the form', async () => {
    const before = await openForm();
    await before.user.click(screen.getByRole('radio', { name: 'No, I found it' }));
    await before.user.type(screen.getByLabelText(NUMBER), 'TZ-111222');
    before.unmount();
    await openForm('en', { state: { posted_by: 'owner', identifier: 'TZ-555123' } });
    expect(screen.getByLabelText(NUMBER)).toHaveValue('TZ-111222');
    expect(screen.getByRole('radio', { name: 'No, I found it' })).toBeChecked();
  });

  test('contain the chosen community, or none for a post that is for everyone', async () => {
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

  test('contain no community if the user is a visitor', async () => {
    await openForm('en', { isSignedIn: false });
    expect(screen.queryByLabelText('Community')).toBeNull();
  });
});
