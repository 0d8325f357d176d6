import { screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { Post } from '#contract/posts.ts';
import { ME } from '#tests/web/support/account.ts';
import { refuseWith, SCHOOL, serveSchool } from '#tests/web/support/communities.ts';
import { fillStorage, loseNetwork } from '#tests/web/support/phone.ts';
import { aPost, refuse, serveList } from '#tests/web/support/posts.ts';
import { renderScreen } from '#tests/web/support/render-screen.tsx';
import { server } from '#tests/web/support/setup.ts';
import { queryClient } from '#web/api/queries.ts';
import { thingNumber } from '#web/communities/thing-number.ts';
import { readOutbox } from '#web/offline/outbox.ts';

const CODE = SCHOOL.community_code;
const open = (language: 'en' | 'sw' = 'en') => renderScreen('/communities/school/desk', { isSignedIn: true, language });
const field = (name: string | RegExp) => screen.getByRole('textbox', { name });

describe('a community’s desk for found things', () => {
  let own: Post[] = [];

  beforeEach(() => {
    serveSchool();
    own = [aPost({ community_code: CODE, is_mine: true }), aPost({ is_mine: true })];
    server.use(http.get('*/api/posts/by-owner', () => HttpResponse.json(own.map((post) => ({ Post: post })))));
  });

  /** Answers each request for a new post with the created post. @returns the requests. */
  function servePosting() {
    const sent: { body: Record<string, unknown>; key: string | null }[] = [];
    server.use(
      http.post('*/api/posts', async ({ request }) => {
        const body = (await request.json()) as Record<string, unknown>;
        sent.push({ body, key: request.headers.get('Idempotency-Key') });
        const post = aPost({ ...body, id: `made-${sent.length}`, is_mine: true });
        own = [post, ...own];
        return HttpResponse.json(post, { status: 201 });
      }),
    );
    return sent;
  }

  test('when a post is published, the form keeps place and phone number for the next post, and focuses the title', async () => {
    const sent = servePosting();
    const { user } = await open();
    expect(await screen.findByText('1 posted today')).toBeInTheDocument();
    expect(field('Title')).toHaveFocus();
    await user.type(field('Title'), 'Begi la bluu');
    await user.type(field('Location'), 'Uwanjani');
    await user.type(field(/Where is it now/), 'Ofisi ya mwalimu mkuu');
    await user.type(field('Phone number'), '0712345678{Enter}');
    expect(
      await screen.findByText(`“Begi la bluu” is posted. Write the number ${thingNumber('made-1')} on it.`),
    ).toBeInTheDocument();
    expect(await screen.findByText('2 posted today')).toBeInTheDocument();
    expect(field('Title')).toHaveValue('');
    expect(field('Title')).toHaveFocus();
    expect(field('Location')).toHaveValue('Uwanjani');
    await user.type(field('Title'), 'Funguo{Enter}');
    expect(await screen.findByText(/“Funguo” is posted/)).toBeInTheDocument();
    expect(sent.map(({ body }) => body)).toMatchObject(
      ['Begi la bluu', 'Funguo'].map((title) => ({
        title,
        location: 'Uwanjani',
        kept_at: 'Ofisi ya mwalimu mkuu',
        phone_number: '0712345678',
        community_code: CODE,
        posted_by: 'finder',
      })),
    );
    expect(sent[0]?.key).not.toBe(sent[1]?.key);
  });

  test('in the Swahili app, text typed at the desk survives a reload', async () => {
    const first = await open('sw');
    await first.user.type(await screen.findByRole('textbox', { name: 'Kichwa cha tangazo' }), 'Kofia');
    first.unmount();
    await open('sw');
    expect(await screen.findByRole('textbox', { name: 'Kichwa cha tangazo' })).toHaveValue('Kofia');
  });

  test('without a network a post waits on the phone, and the next post can be typed', async () => {
    server.use(http.post('*/api/posts', () => HttpResponse.error()));
    loseNetwork();
    const { user } = await open();
    await user.type(await screen.findByRole('textbox', { name: 'Title' }), 'Begi');
    await user.type(field('Location'), 'Uwanjani');
    await user.type(field('Phone number'), '0712345678{Enter}');
    expect(await screen.findByText(/“Begi” is saved on this phone/)).toBeInTheDocument();
    expect(field('Title')).toHaveFocus();
    expect(readOutbox().map(({ input }) => input)).toMatchObject([{ title: 'Begi', community_code: CODE }]);
  });

  test('if the server refuses a post, the form shows the server’s reason and keeps the input', async () => {
    server.use(http.post('*/api/posts', () => HttpResponse.json({ detail: 'Umetangaza mno leo.' }, { status: 429 })));
    const { user } = await open();
    await user.type(await screen.findByRole('textbox', { name: 'Title' }), 'Begi');
    await user.type(field('Location'), 'Uwanjani');
    await user.type(field('Phone number'), '0712345678{Enter}');
    expect(await screen.findByText('Umetangaza mno leo.')).toBeInTheDocument();
    expect(field('Title')).toHaveValue('Begi');
  });

  test('the printed list shows the title and six-digit label of each open post, and no phone number', async () => {
    const bag = aPost({ id: 'bag', title: 'Begi', kept_at: 'Rafu ya 2', community_name: SCHOOL.name });
    const hidden = aPost({ title: 'Imefichwa', is_hidden: true });
    const queries = serveList('/posts', [bag, hidden]);
    vi.stubGlobal('print', vi.fn());
    const { user } = await open();
    await user.click(await screen.findByRole('button', { name: 'Print the list' }));
    expect(await screen.findByText('1 item is on the list.')).toBeInTheDocument();
    await waitFor(() => expect(window.print).toHaveBeenCalledOnce());
    const sheet = document.querySelector<HTMLElement>('body > .desk-sheet');
    for (const text of [SCHOOL.name, thingNumber('bag'), 'Begi', 'Rafu ya 2']) expect(sheet).toHaveTextContent(text);
    expect(sheet).not.toHaveTextContent(/Imefichwa|0712/);
    expect(Object.fromEntries(queries[0] ?? [])).toMatchObject({
      community_code: CODE,
      open: '1',
      posted_by: 'finder',
    });
  });

  test('only admins of an approved community can use the desk', async () => {
    serveSchool({ member_role: 'member' });
    const members = await open();
    expect(await screen.findByText('Only the admins of this community can see this page.')).toBeInTheDocument();
    members.unmount();
    queryClient.clear();
    serveSchool({ approval_status: 0 });
    await renderScreen('/communities/school/desk', { isSignedIn: true });
    expect(await screen.findByText(/The desk opens once it is approved/)).toBeInTheDocument();
  });

  test('the six digits on a thing’s label are computed from its post’s id, so that they never change', () => {
    const numbers = Array.from({ length: 1000 }, (_, index) => thingNumber(`${index}-9f1c`));
    expect(new Set(numbers).size).toBe(1000);
    expect(numbers.every((number) => /^\d{3} \d{3}$/.test(number))).toBe(true);
    expect(thingNumber('0-9f1c')).toBe(numbers[0]);
  });
});

describe('the form at the desk for found things', () => {
  beforeEach(() => {
    serveSchool();
    server.use(http.get('*/api/posts/by-owner', () => HttpResponse.json([])));
  });

  const open = (path = '/communities/school/desk') => renderScreen(path, { isSignedIn: true });
  const post = () => screen.getByRole('button', { name: 'Post and continue' });

  /** Fills in the required fields. */
  async function fill(user: Awaited<ReturnType<typeof open>>['user']) {
    await user.type(await screen.findByRole('textbox', { name: 'Title' }), 'Begi');
    await user.type(field('Location'), 'Uwanjani');
    await user.clear(field('Phone number'));
    await user.type(field('Phone number'), '0712 345-678');
  }

  /** Gives these answers to the first requests for new posts, then creates posts. @returns all requests. */
  function servePosting(...answers: (() => Response | Promise<Response>)[]) {
    const sent: { body: Record<string, unknown>; key: string | null }[] = [];
    server.use(
      http.post('*/api/posts', async ({ request }) => {
        const body = (await request.json()) as Record<string, unknown>;
        const answer = answers[sent.length];
        sent.push({ body, key: request.headers.get('Idempotency-Key') });
        if (answer) return (await answer()) as never;
        return HttpResponse.json(aPost({ ...(body as Partial<Post>), id: `made-${sent.length}` }), { status: 201 });
      }),
    );
    return sent;
  }

  test('starts with the user’s own phone number, and sends this phone number with the post', async () => {
    server.use(http.get('*/api/me', () => HttpResponse.json(ME)));
    const sent = servePosting();
    const { user } = await open();
    await screen.findByRole('textbox', { name: 'Title' });
    await waitFor(() => expect(field('Phone number')).toHaveValue('+255712345678'));
    expect(field('Phone number')).toHaveAttribute('type', 'tel');
    expect(field('Phone number')).toHaveAttribute('dir', 'ltr');
    await user.type(field('Title'), 'Begi');
    await user.type(field('Location'), 'Uwanjani{Enter}');
    expect(await screen.findByText(/“Begi” is posted/)).toBeInTheDocument();
    expect(sent[0]?.body).toMatchObject({ phone_number: '+255712345678', contact: 'number' });
  });

  test('fills in the account’s phone number after a reload, even if the user had cleared the field', async () => {
    server.use(http.get('*/api/me', () => HttpResponse.json(ME)));
    const { user, unmount } = await open();
    await waitFor(() => expect(field('Phone number')).toHaveValue('+255712345678'));
    await user.clear(field('Phone number'));
    expect(field('Phone number')).toHaveValue('');
    unmount();
    const again = await open();
    await waitFor(() => expect(field('Phone number')).toHaveValue('+255712345678'));
    await again.user.clear(field('Phone number'));
    await again.user.type(field('Phone number'), '0754000111');
    expect(field('Phone number')).toHaveValue('0754000111');
  });

  test('clears the fields about the thing after posting, and keeps the place and the phone number, also after a reload', async () => {
    const sent = servePosting();
    const first = await open();
    await fill(first.user);
    expect(field('Phone number')).toHaveValue('0712345678');
    await first.user.type(field(/^Description/), 'Lina zipu mbili');
    await first.user.type(field(/first name/), 'Juma');
    await first.user.type(field(/last name/), 'Hassan');
    await first.user.type(field(/Where is it now/), 'Rafu ya 2');
    expect(screen.getByRole('group', { name: 'This stays the same for the next item.' })).toContainElement(
      field(/Where is it now/),
    );
    await first.user.click(post());
    const said = await screen.findByText(/“Begi” is posted/);
    expect(said.closest('[role=status]')).not.toBeNull();
    const left = () => [
      'Title',
      /^Description/,
      /first name/,
      /last name/,
      'Location',
      /Where is it now/,
      'Phone number',
    ];
    const values = () => left().map((name) => (field(name) as HTMLInputElement).value);
    expect(values()).toEqual(['', '', '', '', 'Uwanjani', 'Rafu ya 2', '0712345678']);
    first.unmount();
    await open();
    await screen.findByRole('textbox', { name: 'Title' });
    expect(values()).toEqual(['', '', '', '', 'Uwanjani', 'Rafu ya 2', '0712345678']);
    expect(sent[0]?.body).toEqual({
      title: 'Begi',
      description: 'Lina zipu mbili',
      owner_first_name: 'Juma',
      owner_last_name: 'Hassan',
      location: 'Uwanjani',
      kept_at: 'Rafu ya 2',
      phone_number: '0712345678',
      posted_by: 'finder',
      contact: 'number',
      community_code: CODE,
    });
  });

  test('sends one request for two presses, and retries with the same idempotency key, also after a reload', async () => {
    const answered = Promise.withResolvers<void>();
    const fail = () => refuse(429, 'too_many_requests', 'Umetangaza mno leo.');
    const sent = servePosting(async () => {
      await answered.promise;
      return fail();
    }, fail);
    const first = await open();
    await fill(first.user);
    await first.user.dblClick(post());
    expect(post()).toHaveAttribute('aria-busy', 'true');
    await first.user.type(field('Location'), '{Enter}');
    answered.resolve();
    expect(await screen.findByRole('alert')).toHaveTextContent('Umetangaza mno leo.');
    expect(sent).toHaveLength(1);
    first.unmount();
    const second = await open();
    await screen.findByRole('textbox', { name: 'Title' });
    await second.user.click(post());
    expect(await screen.findByRole('alert')).toBeInTheDocument();
    await second.user.click(post());
    expect(await screen.findByText(/“Begi” is posted/)).toBeInTheDocument();
    expect(screen.queryByRole('alert')).toBeNull();
    expect(new Set(sent.map(({ key }) => key)).size).toBe(1);
    expect(sent).toHaveLength(3);
  });

  test('replaces the idempotency key after the error idempotency_conflict, so that the next try creates the post', async () => {
    const sent = servePosting(() => refuse(409, 'idempotency_conflict', 'Ombi hili lilishatumwa.'));
    const { user } = await open();
    await fill(user);
    await user.click(post());
    expect(await screen.findByText('Ombi hili lilishatumwa.')).toBeInTheDocument();
    await user.click(post());
    expect(await screen.findByText(/“Begi” is posted/)).toBeInTheDocument();
    expect(sent[0]?.key).not.toBe(sent[1]?.key);
  });

  test('says that an earlier try has published the post, and offers to publish the changed text as another post', async () => {
    const cameThrough = () => refuse(422, 'idempotency_mismatch', 'Ombi hili lilishatumwa.');
    const sent = servePosting(cameThrough, cameThrough);
    const { user } = await open();
    await fill(user);
    for (const tries of [1, 2]) {
      await user.click(post());
      const banner = within(await screen.findByRole('alert'));
      expect(banner.getByText('An earlier attempt succeeded: your post is already published.')).toBeInTheDocument();
      expect(banner.getByRole('link', { name: 'My Posts' })).toHaveAttribute('href', '/my-posts');
      expect(sent).toHaveLength(tries);
    }
    await user.click(screen.getByRole('button', { name: 'Post this one too' }));
    expect(await screen.findByText(/“Begi” is posted/)).toBeInTheDocument();
    expect(sent.map(({ key }) => key === sent[0]?.key)).toEqual([true, true, false]);
  });

  test('shows the server’s error about a field at this field, and moves the focus there', async () => {
    servePosting(() =>
      refuse(422, 'validation_failed', undefined, [{ field: 'location', message: 'Mahali hapajulikani.' }]),
    );
    const { user } = await open();
    await fill(user);
    await user.click(post());
    expect(await screen.findByText('Mahali hapajulikani.')).toBeInTheDocument();
    expect(field('Location')).toHaveAccessibleDescription(expect.stringContaining('Mahali hapajulikani.'));
    expect(field('Location')).toHaveFocus();
  });

  test('has a separate draft for each community', async () => {
    const other = { ...SCHOOL, id: 'market', name: 'Soko' };
    server.use(http.get('*/api/communities/market', () => HttpResponse.json(other)));
    const first = await open();
    await fill(first.user);
    first.unmount();
    const second = await open('/communities/market/desk');
    expect(await screen.findByRole('textbox', { name: 'Title' })).toHaveValue('');
    second.unmount();
    await open();
    expect(await screen.findByRole('textbox', { name: 'Title' })).toHaveValue('Begi');
  });

  test('starts empty if its draft is unreadable', async () => {
    localStorage.setItem('deskDraft:a-user:school', '{"values":{"title":');
    const { user } = await open();
    servePosting();
    expect(await screen.findByRole('textbox', { name: 'Title' })).toHaveValue('');
    await fill(user);
    await user.click(post());
    expect(await screen.findByText(/“Begi” is posted/)).toBeInTheDocument();
  });

  test('publishes a post even if the phone’s storage is full', async () => {
    servePosting();
    const { user } = await open();
    fillStorage();
    await fill(user);
    await user.click(post());
    expect(await screen.findByText(/“Begi” is posted/)).toBeInTheDocument();
    expect(field('Location')).toHaveValue('Uwanjani');
  });

  test('shows without a network that the post is saved on the phone, and shows no error', async () => {
    servePosting(() => HttpResponse.error());
    loseNetwork();
    const { user } = await open();
    await fill(user);
    await user.click(post());
    const said = await screen.findByText(/“Begi” is saved on this phone/);
    expect(said.closest('[role=status]')).not.toBeNull();
    expect(said).not.toHaveTextContent(/is posted/);
    expect(screen.queryByRole('alert')).toBeNull();
  });
});

describe('the list at the desk for found things', () => {
  const YESTERDAY = new Date(Date.now() - 24 * 60 * 60 * 1000).toISOString();
  const own = (overrides: Partial<Post> = {}) => aPost({ is_mine: true, community_code: CODE, ...overrides });

  /** Serves the user's own posts, page by page. @returns the requested cursors. */
  function serveOwnPosts(...pages: Post[][]) {
    const cursors: string[] = [];
    server.use(
      http.get('*/api/posts/by-owner', ({ request }) => {
        const cursor = new URL(request.url).searchParams.get('cursor') ?? '';
        cursors.push(cursor);
        const index = Number(cursor);
        const headers = new Headers();
        if (index + 1 < pages.length) headers.set('Link', `</api/posts/by-owner?cursor=${index + 1}>; rel="next"`);
        return HttpResponse.json(
          (pages[index] ?? []).map((post) => ({ Post: post })),
          { headers },
        );
      }),
    );
    return cursors;
  }
  const sheet = () => document.querySelector<HTMLElement>('body > .desk-sheet');

  beforeEach(() => {
    serveSchool();
    serveOwnPosts([]);
    vi.stubGlobal('print', vi.fn());
  });

  test('counts the posts that the user created in this community today, even if the server lists them on several pages', async () => {
    const cursors = serveOwnPosts(
      [own(), own({ community_code: null })],
      [own(), own({ created_at: YESTERDAY })],
      [own()],
    );
    await open();
    expect(await screen.findByText('2 posted today')).toBeInTheDocument();
    expect(cursors).toEqual(['', '1']);
    expect(screen.getByRole('heading', { level: 2, name: 'The desk' })).toBeInTheDocument();
  });

  test('shows no number of today’s posts if the number is unknown, and the desk still works', async () => {
    server.use(http.get('*/api/posts/by-owner', refuseWith(403, {})));
    await open();
    expect(await screen.findByRole('textbox', { name: 'Title' })).toBeInTheDocument();
    expect(screen.queryByText(/posted today/)).toBeNull();
  });

  test('prints every open post, oldest first, with the owner’s name from the post and the place where the thing is now', async () => {
    const queries = serveList(
      '/posts',
      [
        aPost({ id: 'new', title: 'Kofia', location: 'Darasani', owner_first_name: 'Juma', owner_last_name: 'Hassan' }),
        aPost({ title: 'Imefichwa', is_hidden: true }),
      ],
      [
        aPost({
          id: 'old',
          title: 'Begi',
          kept_at: 'Rafu ya 2',
          location: 'Uwanjani',
          created_at: '2026-11-02T09:00:00Z',
        }),
      ],
    );
    const { user } = await open();
    await user.click(await screen.findByRole('button', { name: 'Print the list' }));
    const said = await screen.findByText('2 items are on the list.');
    expect(said).toHaveAttribute('role', 'status');
    await waitFor(() => expect(window.print).toHaveBeenCalledOnce());
    expect(sheet()).toHaveAttribute('aria-hidden', 'true');
    const [head, old, recent, ...more] = within(sheet() as HTMLElement).getAllByRole('row', { hidden: true });
    expect(head).toHaveTextContent(/^NumberItemWhere it isSinceReturned$/);
    expect(old).toHaveTextContent(`${thingNumber('old')}BegiNeema MushiRafu ya 22 November 2026`);
    expect(recent).toHaveTextContent(`${thingNumber('new')}KofiaJuma HassanDarasani`);
    expect(more).toEqual([]);
    expect(sheet()).toHaveTextContent(/Items that wait for their owners on \d+ \w+ \d{4}/);
    expect(queries.map((query) => query.get('cursor') ?? '')).toEqual(['', '1']);
  });

  test.each([
    ['en', 'Print the list', 'No item is waiting for its owner at the moment.'],
    ['sw', 'Chapisha orodha', /^Kwa sasa hakuna/],
  ] as const)('is not printed if it is empty; a message (language: %s) says so', async (language, button, sentence) => {
    serveList('/posts', []);
    const { user } = await open(language);
    await user.click(await screen.findByRole('button', { name: button }));
    expect(await screen.findByText(sentence)).toBeInTheDocument();
    expect(window.print).not.toHaveBeenCalled();
    expect(sheet()).toBeNull();
  });

  test('shows an error and is not printed if the posts fail to load', async () => {
    const answered = Promise.withResolvers<void>();
    let count = 0;
    server.use(
      http.get('*/api/posts', async () => {
        count++;
        await answered.promise;
        return HttpResponse.error();
      }),
    );
    const { user } = await open();
    const list = within(await screen.findByRole('region', { name: 'List of stored items' }));
    await user.dblClick(list.getByRole('button', { name: 'Print the list' }));
    answered.resolve();
    expect(await list.findByRole('alert')).toHaveTextContent('There was no answer.');
    expect(count).toBe(1);
    expect(window.print).not.toHaveBeenCalled();
    serveList('/posts', [aPost()]);
    await user.click(list.getByRole('button', { name: 'Print the list' }));
    await waitFor(() => expect(window.print).toHaveBeenCalledOnce());
    expect(list.queryByRole('alert')).toBeNull();
  });

  test('shows a thing whose post waits on the phone for a network connection', async () => {
    server.use(http.post('*/api/posts', () => HttpResponse.error()));
    loseNetwork();
    const { user } = await open();
    await user.type(await screen.findByRole('textbox', { name: 'Title' }), 'Begi jekundu');
    await user.type(screen.getByRole('textbox', { name: 'Location' }), 'Uwanjani');
    await user.type(screen.getByRole('textbox', { name: 'Phone number' }), '0712345678{Enter}');
    await screen.findByText(/is saved on this phone/);
    expect(await screen.findByRole('heading', { name: 'Begi jekundu' })).toBeInTheDocument();
  });

  test('is not shown in a pending community, where the desk shows only a link to the community’s page', async () => {
    serveSchool({ approval_status: 0 });
    await open();
    expect(await screen.findByRole('link', { name: 'Open the community' })).toHaveAttribute(
      'href',
      '/communities/school',
    );
    expect(screen.queryByRole('textbox', { name: 'Title' })).toBeNull();
  });
});
