import { act, screen, waitFor } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Language } from '#contract/language.ts';
import type { Post } from '#contract/posts.ts';
import { holdTime, loseNetwork } from '#tests/web/support/phone.ts';
import { aMatch, aPost, openForm, refuse, serveList, serveNothingElse, serveSubmit } from '#tests/web/support/posts.ts';
import { keepAnswers, renderScreen } from '#tests/web/support/render-screen.tsx';
import { server } from '#tests/web/support/setup.ts';
import { queryClient } from '#web/api/queries.ts';
import { queryKeys } from '#web/api/query-keys.ts';

describe('the post form', () => {
  beforeEach(() => {
    serveNothingElse();
    serveList('/posts', []);
    serveList('/posts/by-owner', []);
  });
  afterEach(() => vi.useRealTimers());

  test.each([
    ['en', ['Title is required', 'Location is required', 'Phone number is required']],
    ['sw', ['Kichwa cha tangazo kinahitajika', 'Mahali panahitajika', 'Namba ya simu inahitajika']],
  ] as const)(
    'submitting an empty form shows errors in the language %s at the missing fields, and focuses the first',
    async (language, sentences) => {
      const sent = serveSubmit();
      const { submit, field } = await openForm(language);
      await submit();
      for (const sentence of sentences) expect(screen.getByText(sentence)).toBeInTheDocument();
      expect(field('title')).toHaveFocus();
      expect(field('title')).toHaveAccessibleDescription(expect.stringContaining(sentences[0]));
      expect(field('title')).toBeInvalid();
      expect(sent).toEqual([]);
    },
  );

  test.each([
    ['en', 'Invalid phone number'],
    ['sw', 'Namba ya simu si sahihi'],
  ] as const)(
    'an invalid phone number shows an error in the language %s when its field loses the focus, until the number is valid',
    async (language, sentence) => {
      const { user, field } = await openForm(language);
      await user.type(field('phone'), '07abc');
      expect(screen.queryByText(sentence)).toBeNull();
      await user.tab();
      expect(screen.getByText(sentence)).toBeInTheDocument();
      await user.clear(field('phone'));
      await user.type(field('phone'), '0712');
      expect(screen.queryByText(sentence)).toBeNull();
    },
  );

  test('the first invalid field gets the focus', async () => {
    const { user, field, fill, submit } = await openForm();
    await fill();
    await user.clear(field('location'));
    await submit();
    expect(field('location')).toHaveFocus();
  });

  test('spaces are removed from a pasted phone number', async () => {
    const { user, field } = await openForm();
    await user.click(field('phone'));
    await user.paste(' +255 712 345-678 ');
    expect(field('phone')).toHaveValue('+255712345678');
    expect(field('phone')).toHaveAttribute('inputmode', 'tel');
    expect(field('phone')).toHaveAttribute('autocomplete', 'tel');
    expect(field('phone')).toHaveAttribute('type', 'tel');
    expect(field('phone')).toHaveAttribute('dir', 'ltr');
  });

  test('a finder’s post is sent as typed, with an idempotency key', async () => {
    const sent = serveSubmit();
    const { user, fill, submit } = await openForm();
    await fill();
    await user.type(screen.getByLabelText(/^Description/), 'Mstari{Enter}wa pili 👛');
    await submit();
    await waitFor(() => expect(sent).toHaveLength(1));
    expect(sent[0]?.body).toMatchObject({
      title: 'Funguo',
      location: 'Moshi',
      phone_number: '0712345678',
      description: 'Mstari\nwa pili 👛',
      owner_first_name: '',
      owner_last_name: '',
      posted_by: 'finder',
      on_behalf: false,
      kept_at: '',
      community_code: null,
      contact: 'number',
    });
    expect(sent[0]?.key).toMatch(/^[0-9a-f]{32}$/);
  });

  test.each([
    ['en', 'Post created successfully!'],
    ['sw', 'Tangazo limewekwa!'],
  ] as const)(
    'after the post is created, a message appears in the language %s, and three seconds later the list of posts opens',
    async (language, sentence) => {
      serveSubmit();
      const { fill, submit, router } = await openForm(language);
      await fill();
      holdTime();
      await submit();
      expect((await screen.findAllByText(sentence)).length).toBeGreaterThan(0);
      await act(() => vi.advanceTimersByTimeAsync(2_000));
      expect(router.state.location.pathname).toBe('/create-post');
      await act(() => vi.advanceTimersByTimeAsync(1_100));
      expect(router.state.location.pathname).toBe('/view-posts');
    },
  );

  test('My Posts shows the number of matches of a new post, even if it loaded the match counts just before the user posted', async () => {
    const mine = aPost({ id: 'just-posted', title: 'Funguo', is_mine: true });
    const earlier = aPost({ title: 'Begi', is_mine: true });
    serveSubmit(() => {
      serveList('/posts/by-owner', [mine, earlier]);
      return HttpResponse.json(mine);
    });
    serveList('/posts/by-owner', [earlier]);
    const { user, router } = await renderScreen('/my-posts', { isSignedIn: true });
    await screen.findByText('Begi');
    server.use(http.get('*/api/matches/counts', () => HttpResponse.json({ 'just-posted': 2 })));
    await act(() => router.navigate('/create-post'));
    await user.type(await screen.findByLabelText('Title'), 'Funguo');
    await user.type(screen.getByLabelText('Location'), 'Moshi');
    await user.type(screen.getByLabelText('Phone number'), '0712345678');
    await user.click(screen.getByRole('button', { name: 'Post item' }));
    await screen.findAllByText('Post created successfully!');
    await act(() => router.navigate('/my-posts'));
    expect(await screen.findByRole('button', { name: '2 possible matches' })).toBeInTheDocument();
  });

  test('after a new post is created, the list of posts that opens shows the post’s matches', async () => {
    serveSubmit(({ body }) => HttpResponse.json(aPost({ ...body, id: 'just-posted' })));
    const other = aPost({ title: 'Found keys in Moshi' });
    server.use(http.get('*/api/posts/just-posted/matches', () => HttpResponse.json([aMatch({ Post: other })])));
    const { fill, submit } = await openForm();
    await fill();
    holdTime();
    await submit();
    await screen.findAllByText('Post created successfully!');
    await act(() => vi.advanceTimersByTimeAsync(3_100));
    expect(await screen.findByRole('link', { name: 'Found keys in Moshi' })).toBeInTheDocument();
  });

  test.each([
    ['en', 'To create a post make sure you have logged in.'],
    ['sw', 'Ili kuweka tangazo, hakikisha umeingia kwenye akaunti yako.'],
  ] as const)(
    'if the server refuses a new post, the form shows a fixed error text in the language %s, and the server’s reason',
    async (language, sentence) => {
      serveSubmit(() => refuse(429, 'too_many_requests', 'Please wait a while.'));
      const { fill, submit, field } = await openForm(language);
      await fill();
      await submit();
      expect((await screen.findAllByText(sentence)).length).toBeGreaterThan(0);
      expect(screen.getByText('Please wait a while.')).toBeInTheDocument();
      expect(field('title')).toHaveValue('Funguo');
    },
  );

  test('an error that the server reports for a field is shown at this field, which gets the focus', async () => {
    serveSubmit(() =>
      refuse(422, 'validation_failed', 'Bad', [{ field: 'location', message: 'This place is unknown.' }]),
    );
    const { fill, submit, field } = await openForm();
    await fill();
    await submit();
    await waitFor(() =>
      expect(field('location')).toHaveAccessibleDescription(expect.stringContaining('This place is unknown.')),
    );
    expect(field('location')).toHaveFocus();
  });

  test('the form is disabled while it is sent and for three seconds afterwards', async () => {
    let answer: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      answer = resolve;
    });
    const sent = serveSubmit(async () => {
      await held;
      return refuse(500, 'internal_error', 'Sorry.');
    });
    const { user, fill, submit } = await openForm();
    await fill();
    holdTime();
    await submit();
    const button = await screen.findByRole('button', { name: 'Please wait…' });
    expect(button).toHaveAttribute('aria-disabled', 'true');
    await user.click(button);
    answer();
    await screen.findByText('Sorry.');
    await act(() => vi.advanceTimersByTimeAsync(2_000));
    expect(screen.getByRole('button', { name: 'Please wait…' })).toHaveAttribute('aria-disabled', 'true');
    await act(() => vi.advanceTimersByTimeAsync(1_100));
    expect(screen.getByRole('button', { name: 'Post item' })).not.toHaveAttribute('aria-disabled');
    expect(sent).toHaveLength(1);
  });

  test('a failed request is retried with the same idempotency key if the user submits the unchanged form again', async () => {
    let failures = 0;
    const sent = serveSubmit(({ body }) =>
      failures++ === 0 ? refuse(500, 'internal_error') : HttpResponse.json(aPost(body)),
    );
    const { fill, submit } = await openForm();
    await fill();
    holdTime();
    await submit();
    await screen.findAllByRole('alert');
    await act(() => vi.advanceTimersByTimeAsync(3_100));
    await submit();
    await waitFor(() => expect(sent).toHaveLength(2));
    expect(sent[1]?.key).toBe(sent[0]?.key);
    expect(sent[1]?.body).toEqual(sent[0]?.body);
  });

  test('creating a post sends a single request, even if the title in the response has fewer spaces than the typed title', async () => {
    const sent = serveSubmit(({ body }) => HttpResponse.json(aPost({ ...body, title: 'Funguo za gari' })));
    const { fill, submit } = await openForm();
    await fill(' Funguo  za gari ');
    await submit();
    await screen.findAllByText('Post created successfully!');
    expect(sent.map(({ method }) => method)).toEqual(['POST']);
  });

  test('a post that waits for the network does not show the message “Post created”', async () => {
    serveSubmit(() => HttpResponse.error());
    const { fill, submit } = await openForm();
    await fill();
    loseNetwork();
    await submit();
    const sentence = 'Saved on this phone. It is posted automatically when the network returns.';
    // The toast and the form both show the sentence.
    await waitFor(() => expect(screen.getAllByText(sentence)).toHaveLength(2));
    expect(screen.queryByText('Post created successfully!')).toBeNull();
  });

  test('if the server refuses an idempotency key with 409, the next try has a new key', async () => {
    let answers = 0;
    const sent = serveSubmit(({ body }) =>
      answers++ === 0 ? refuse(409, 'idempotency_conflict', 'Deleted.') : HttpResponse.json(aPost(body)),
    );
    const { fill, submit } = await openForm();
    await fill();
    holdTime();
    await submit();
    await screen.findByText('Deleted.');
    await act(() => vi.advanceTimersByTimeAsync(3_100));
    await submit();
    await waitFor(() => expect(sent).toHaveLength(2));
    expect(sent[1]?.key).not.toBe(sent[0]?.key);
  });

  async function openUpdate(post: Post, language: Language = 'en') {
    server.use(http.get('*/api/posts/:id', () => HttpResponse.json(post)));
    const state = { mode: 'update', post: { ...post, title: 'Kama orodha ilivyokuwa' } };
    const view = await renderScreen({ pathname: '/create-post', state }, { language, isSignedIn: true });
    await screen.findByDisplayValue(post.title);
    return view;
  }

  test.each([
    ['en', 'Save changes', 'Post updated successfully!'],
    ['sw', 'Hifadhi mabadiliko', 'Tangazo limebadilishwa!'],
  ] as const)(
    'an edit in the language %s starts with the server’s version of the post, and opens My Posts after saving',
    async (language, button, sentence) => {
      const sent = serveSubmit();
      const post = aPost({ title: 'Pochi', posted_by: 'owner', on_behalf: true, is_mine: true });
      const { user, router } = await openUpdate(post, language);
      const heading = language === 'en' ? 'Update your post' : 'Hariri tangazo lako';
      expect(screen.getByRole('heading', { level: 1, name: heading })).toBeInTheDocument();
      expect(document.title).toBe(`${heading} · Patikana`);
      expect(screen.getByRole('checkbox')).toBeChecked();
      await user.type(screen.getByDisplayValue('Pochi'), ' nyekundu');
      holdTime();
      await user.click(screen.getByRole('button', { name: button }));
      expect((await screen.findAllByText(sentence)).length).toBeGreaterThan(0);
      expect(sent).toMatchObject([
        { method: 'PUT', body: { title: 'Pochi nyekundu', posted_by: 'owner', on_behalf: true } },
      ]);
      await act(() => vi.advanceTimersByTimeAsync(3_100));
      expect(router.state.location.pathname).toBe('/my-posts');
    },
  );

  test.each([
    ['en', 'Failed to fetch post data'],
    ['sw', 'Imeshindikana kupata taarifa za tangazo'],
  ] as const)(
    'a post that cannot be loaded for editing shows an error in the language %s',
    async (language, sentence) => {
      server.use(http.get('*/api/posts/:id', () => refuse(404, 'post_not_found', 'Gone.')));
      const state = { mode: 'update', post: aPost() };
      await renderScreen({ pathname: '/create-post', state }, { language, isSignedIn: true });
      expect(await screen.findByRole('alert')).toHaveTextContent(sentence);
      expect(screen.getAllByText(sentence)).toHaveLength(1);
      expect(screen.queryByRole('textbox')).toBeNull();
    },
  );

  test('a post is loaded once for editing, so that a failed refetch cannot replace the form', async () => {
    const { user } = await openUpdate(aPost({ title: 'Pochi', is_mine: true }));
    const title = screen.getByDisplayValue('Pochi');
    await user.type(title, ' nyekundu');
    let asked = 0;
    server.use(
      http.get('*/api/posts/:id', () => {
        asked++;
        return refuse(404, 'post_not_found', 'Gone.');
      }),
    );
    // Refetches the posts, as the outbox does after it has sent a post.
    await act(() => queryClient.invalidateQueries({ queryKey: queryKeys.posts.all }));
    expect(asked).toBe(0);
    expect(title).toBeInTheDocument();
    expect(title).toHaveValue('Pochi nyekundu');
  });

  test('closing the form of a new post leads home; closing the form of an edit leads to My Posts', async () => {
    const first = await openForm();
    await first.user.click(screen.getByRole('button', { name: 'Close the form' }));
    expect(first.router.state.location.pathname).toBe('/');
    first.unmount();
    const second = await openUpdate(aPost({ title: 'Pochi' }));
    await second.user.click(screen.getByRole('button', { name: 'Close the form' }));
    expect(second.router.state.location.pathname).toBe('/my-posts');
  });
});

describe('submitting the post form', () => {
  beforeEach(() => {
    serveNothingElse();
    serveList('/posts', []);
  });
  afterEach(() => vi.useRealTimers());

  const drafts = () => Object.keys(localStorage).filter((key) => key.startsWith('postDraft'));

  test('after the post is created, the form is disabled, stores no draft, and is not in the browser’s history', async () => {
    const sent = serveSubmit(({ body }) => HttpResponse.json(aPost({ ...body, id: 'just-posted' })));
    const { user, fill, submit, field, router } = await openForm();
    await fill();
    const known = [queryKeys.posts.own('a-user'), queryKeys.matches.counts];
    const stale = keepAnswers(...known);
    holdTime();
    await submit();
    await screen.findAllByText('Post created successfully!');
    expect(stale()).toEqual(known);
    await user.type(field('title'), ' za gari{Enter}');
    expect(drafts()).toEqual([]);
    expect(screen.getByRole('button', { name: 'Please wait…' })).toHaveAttribute('aria-busy', 'true');
    expect(sent).toHaveLength(1);
    await act(() => vi.advanceTimersByTimeAsync(3_100));
    expect(router.state.location).toMatchObject({ pathname: '/view-posts', state: { posted: 'just-posted' } });
    expect(router.state.historyAction).toBe('REPLACE');
  });

  test('if the user leaves the form before the redirect, the redirect does not happen', async () => {
    serveSubmit();
    const { fill, submit, router } = await openForm();
    await fill();
    holdTime();
    await submit();
    await screen.findAllByText('Post created successfully!');
    await act(() => router.navigate('/claims'));
    await act(() => vi.advanceTimersByTimeAsync(5_000));
    expect(router.state.location.pathname).toBe('/claims');
  });

  test('if the server is busy the post waits in My Posts and is sent automatically, and the user is informed', async () => {
    serveList('/posts/by-owner', []);
    server.use(
      http.post('*/api/posts', () =>
        HttpResponse.json({ code: 'unavailable' }, { status: 503, headers: { 'Retry-After': '60' } }),
      ),
    );
    const { fill, submit, router } = await openForm();
    await fill();
    holdTime();
    await submit();
    const sentence = 'The service is busy. Your post is saved on this phone and sent again automatically.';
    // The toast and the form both show the sentence.
    await waitFor(() => expect(screen.getAllByText(sentence)).toHaveLength(2));
    expect(drafts()).toEqual([]);
    expect(localStorage.getItem('outbox:a-user')).toContain('Funguo');
    await act(() => vi.advanceTimersByTimeAsync(3_100));
    expect(router.state.location).toMatchObject({ pathname: '/my-posts', state: {} });
  });

  test('without a network an edit is stored as a draft, not in the outbox, and a message says that the typed text is saved', async () => {
    const post = aPost({ title: 'Funguo', is_mine: true });
    server.use(http.get('*/api/posts/:id', () => HttpResponse.json(post)));
    serveSubmit(() => HttpResponse.error());
    const { user, field, router } = await openForm('en', { state: { mode: 'update', post } });
    await user.type(field('title'), ' za gari');
    loseNetwork();
    await user.click(screen.getByRole('button', { name: 'Save changes' }));
    expect(
      await screen.findByText('There was no answer. Check your connection; what you have typed is saved.'),
    ).toBeVisible();
    expect(screen.queryByText(/^Saved on this phone/)).toBeNull();
    expect(field('title')).toHaveValue('Funguo za gari');
    expect(drafts()).toHaveLength(1);
    expect(router.state.location.pathname).toBe('/create-post');
  });

  test('if the session has expired, the form’s only error message is the request to log in', async () => {
    serveSubmit(() => refuse(401, 'unauthorized', 'You need to log in to do this.'));
    const { fill, submit } = await openForm();
    await fill();
    await submit();
    await screen.findAllByText('To create a post make sure you have logged in.');
    expect(screen.queryByText('You need to log in to do this.')).toBeNull();
    expect(screen.queryByText(/^There was no answer/)).toBeNull();
  });

  test('a double click sends a post once', async () => {
    const sent = serveSubmit();
    const { user, fill } = await openForm();
    await fill();
    await user.dblClick(screen.getByRole('button', { name: 'Post item' }));
    await screen.findAllByText('Post created successfully!');
    expect(sent).toHaveLength(1);
  });
});
