import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import type { ErrorBody } from '#contract/error-codes.ts';
import type { NoticeList } from '#contract/notices.ts';
import type { Post, PostEntry, PostMatch } from '#contract/posts.ts';
import { NO_DETAILS } from '#tests/support/posts.ts';
import { call, newPerson, newPost, type Person, read, somePost } from '#tests/worker/support/api.ts';
import { openDb } from '#worker/db/client.ts';
import { renewReadings } from '#worker/matching/renew-readings.ts';

async function errorOf(answer: Response): Promise<[number, string]> {
  return [answer.status, (await answer.json<ErrorBody>()).code];
}

function post(author: Person, body: unknown, headers: Record<string, string> = {}) {
  return call('POST', '/api/posts', body, { token: author.token, headers });
}

test('the response to a new post contains all fields that the author sent and all fields that the server sets', async () => {
  const author = await newPerson();
  const before = Date.now();
  const answer = await post(author, { ...somePost, owner_first_name: 'Neema', owner_last_name: 'Mushi' });
  expect(answer.status).toBe(201);
  const made = await answer.json<Post>();
  expect(made).toEqual({
    ...NO_DETAILS,
    ...somePost,
    owner_first_name: 'Neema',
    owner_last_name: 'Mushi',
    kind: 'electronics',
    on_behalf: false,
    private_marks: null,
    contact: 'number',
    has_identifiers: false,
    id: expect.any(String),
    is_found: false,
    state: 'open',
    rests_at: expect.any(String),
    is_mine: true,
    is_hidden: false,
    hidden_by: [],
    is_author_proven: false,
    is_contact_limited: false,
    photos: [],
    created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
  });
  expect(Date.parse(made.created_at)).toBeGreaterThanOrEqual(before - 1);
  const read = await call('GET', `/api/posts/${made.id}`, undefined, author);
  expect(await read.json()).toEqual(made);
});

test('optional fields of a post may be omitted or null', async () => {
  const author = await newPerson();
  const required = { title: 'Funguo', location: 'Moshi', phone_number: '112' };
  const nulls = { owner_first_name: null, owner_last_name: null, description: null, community_code: null };
  for (const body of [required, { ...required, ...nulls }, { ...required, community_code: '' }]) {
    const answer = await post(author, body);
    expect(answer.status).toBe(201);
    expect(await answer.json<Post>()).toMatchObject({
      owner_first_name: '',
      owner_last_name: '',
      description: '',
      posted_by: 'finder',
      community_code: null,
    });
  }
});

test.each([
  ['spaces and mixed case', '  Simu   YA  Tecno  ', '  Kariakoo '],
  ['emoji', 'Pochi 👛👨‍👩‍👧 🇹🇿', 'Posta 📍'],
  ['a right-to-left script', 'محفظة ضائعة', 'زنجبار، مدينة'],
  ['markup', '<script>alert(1)</script> & "quotes"', "'; drop table posts; --"],
  ['diacritics', 'Ng’ombe Zoë cafe\u0301 naïve', 'Ünguja'],
])('a post’s text with %s is stored exactly as typed', async (_what, title, location) => {
  const author = await newPerson();
  const description = `${title}\n\tmstari wa pili\r\n${location}`;
  const made = await newPost(author, { title, location, description });
  const read = await (await call('GET', `/api/posts/${made.id}`)).json<Post>();
  expect([read.title, read.location, read.description]).toEqual([title, location, description]);
});

test.each([
  [{ title: '' }, 'title', 'Title is required', 'Kichwa cha tangazo kinahitajika'],
  [{ title: ' \u00a0 ' }, 'title', 'Title is required', 'Kichwa cha tangazo kinahitajika'],
  [{ title: '\u200b\u2068\u2069' }, 'title', 'Title is required', 'Kichwa cha tangazo kinahitajika'],
  [{ title: undefined }, 'title', 'Title is required', 'Kichwa cha tangazo kinahitajika'],
  [
    { title: 'x'.repeat(121) },
    'title',
    'This is too long: at most 120 characters.',
    'Maandishi ni marefu mno: yasizidi herufi 120.',
  ],
  [
    { title: 'a\u0000b' },
    'title',
    'This contains characters that are not allowed.',
    'Kuna herufi zisizoweza kutumika hapa.',
  ],
  [
    { title: 'mistari\nmiwili' },
    'title',
    'This contains characters that are not allowed.',
    'Kuna herufi zisizoweza kutumika hapa.',
  ],
  [{ location: '' }, 'location', 'Location is required', 'Mahali panahitajika'],
  [
    { location: 'x'.repeat(121) },
    'location',
    'This is too long: at most 120 characters.',
    'Maandishi ni marefu mno: yasizidi herufi 120.',
  ],
  [
    { owner_first_name: 'x'.repeat(61) },
    'owner_first_name',
    'This is too long: at most 60 characters.',
    'Maandishi ni marefu mno: yasizidi herufi 60.',
  ],
  [{ owner_last_name: ['x'] }, 'owner_last_name', 'This must be text.', 'Hapa panahitajika maandishi.'],
  [
    { description: 'x'.repeat(2_001) },
    'description',
    'This is too long: at most 2000 characters.',
    'Maandishi ni marefu mno: yasizidi herufi 2000.',
  ],
  [
    { description: '\u001b[31m' },
    'description',
    'This contains characters that are not allowed.',
    'Kuna herufi zisizoweza kutumika hapa.',
  ],
  [
    { description: 'nusu \ud83d' },
    'description',
    'This contains characters that are not allowed.',
    'Kuna herufi zisizoweza kutumika hapa.',
  ],
  [{ phone_number: '' }, 'phone_number', 'Phone number is required', 'Namba ya simu inahitajika'],
  [{ phone_number: '1' }, 'phone_number', 'Invalid phone number', 'Namba ya simu si sahihi'],
  [{ phone_number: '+1234567890123456' }, 'phone_number', 'Invalid phone number', 'Namba ya simu si sahihi'],
  [{ phone_number: '0712 345 678' }, 'phone_number', 'Invalid phone number', 'Namba ya simu si sahihi'],
  [{ phone_number: 712345678 }, 'phone_number', 'Phone number is required', 'Namba ya simu inahitajika'],
  [
    { posted_by: 'thief' },
    'posted_by',
    'Say whether the owner or a finder is posting.',
    'Sema kama anayetangaza ni mwenyewe au aliyekiokota.',
  ],
  [{ community_code: 7 }, 'community_code', 'This must be text.', 'Hapa panahitajika maandishi.'],
])('a post with the invalid data %j gets an error in the user’s language', async (overrides, field, en, sw) => {
  const author = await newPerson();
  for (const [language, message] of [
    ['en', en],
    ['sw', sw],
  ] as const) {
    const answer = await call('POST', '/api/posts', { ...somePost, ...overrides }, { token: author.token, language });
    expect(answer.status).toBe(422);
    expect(await answer.json()).toEqual({ code: 'validation_failed', detail: message, errors: [{ field, message }] });
  }
});

test('a post with the longest allowed texts is accepted', async () => {
  const author = await newPerson();
  const longest = {
    title: '字'.repeat(120),
    location: 'é'.repeat(120),
    owner_first_name: 'x'.repeat(60),
    phone_number: '+123456789012345',
  };
  const made = await newPost(author, { ...longest, owner_last_name: 'y'.repeat(60), description: '字'.repeat(2_000) });
  expect(made).toMatchObject(longest);
});

test('a post with several invalid fields is refused with an error for each field', async () => {
  const author = await newPerson();
  const answer = await post(author, { title: '', location: '', phone_number: 'x', posted_by: 'x' });
  const { errors } = await answer.json<ErrorBody>();
  expect(errors?.map(({ field }) => field)).toEqual(['title', 'location', 'phone_number', 'posted_by']);
});

test.each([null, 'text', 7, [somePost]])(
  'a request to create a post with the body %j instead of an object gives 422',
  async (body) => {
    const author = await newPerson();
    expect((await post(author, JSON.stringify(body))).status).toBe(422);
  },
);

test('in a request to create a post, fields that the author may not set are ignored', async () => {
  const author = await newPerson();
  const made = await newPost(author, {
    id: 'mine',
    is_found: true,
    author_id: 'x',
    created_at: '2000-01-01',
    is_mine: false,
  });
  expect(made).toMatchObject({ is_found: false, is_mine: true });
  expect(made.id).not.toBe('mine');
  expect(made.created_at.startsWith('2000')).toBe(false);
});

test('an update of a post replaces its text and keeps its other data, and a search finds the post by the new words', async () => {
  const author = await newPerson();
  const made = await newPost(author, { title: 'Baiskeli ya zamani kabisa' });
  const changed = { ...somePost, title: 'Pikipiki mpyaxyz', posted_by: 'owner', description: null };
  const answer = await call('PUT', `/api/posts/${made.id}`, changed, author);
  expect(answer.status).toBe(200);
  // The change also postpones the time at which the post rests.
  expect(await answer.json()).toEqual({ ...made, ...changed, description: '', rests_at: expect.any(String) });
  const search = async (words: string) =>
    (await (await call('GET', `/api/posts?search=${words}`)).json<PostEntry[]>()).length;
  expect([await search('mpyaxyz'), await search('baiskeli')]).toEqual([1, 0]);
});

test('an update of a post is validated like a new post', async () => {
  const author = await newPerson();
  const { id } = await newPost(author);
  const answer = await call(
    'PUT',
    `/api/posts/${id}`,
    { ...somePost, title: '' },
    { token: author.token, language: 'sw' },
  );
  expect(answer.status).toBe(422);
  expect((await answer.json<ErrorBody>()).errors).toEqual([
    { field: 'title', message: 'Kichwa cha tangazo kinahitajika' },
  ]);
});

test('the response to marking a post as found contains the post, and a repeated request gets the same response', async () => {
  const author = await newPerson();
  const made = await newPost(author);
  for (let turn = 0; turn < 2; turn++) {
    const answer = await call('PATCH', `/api/posts/${made.id}/found`, undefined, author);
    expect(answer.status).toBe(200);
    const found_until = expect.any(String);
    expect(await answer.json()).toEqual({ ...made, is_found: true, state: 'returned', rests_at: null, found_until });
  }
  const terms = await env.DB.prepare(
    'select count(*) as n from match_terms where post_seq = (select seq from posts where id = ?)',
  )
    .bind(made.id)
    .first();
  expect(terms).toEqual({ n: 0 });
});

test('deleting a post returns an empty response, and the post is no longer found, listed or shown', async () => {
  const author = await newPerson();
  const made = await newPost(author, { title: 'Kifutwachoxyz' });
  const answer = await call('DELETE', `/api/posts/${made.id}`, undefined, author);
  expect([answer.status, await answer.text()]).toEqual([204, '']);
  expect(await errorOf(await call('GET', `/api/posts/${made.id}`))).toEqual([404, 'post_not_found']);
  expect(await errorOf(await call('DELETE', `/api/posts/${made.id}`, undefined, author))).toEqual([
    404,
    'post_not_found',
  ]);
  expect(await (await call('GET', '/api/posts?search=kifutwachoxyz')).json()).toEqual([]);
  expect(await (await call('GET', '/api/posts/by-owner', undefined, author)).json()).toEqual([]);
});

test('a person can read another person’s post, and cannot change or delete it', async () => {
  const [author, stranger] = [await newPerson(), await newPerson()];
  const made = await newPost(author);
  const read = await call('GET', `/api/posts/${made.id}`, undefined, stranger);
  const { private_marks: _, has_identifiers: __, rests_at: ___, ...shown } = made;
  expect(await read.json()).toEqual({ ...shown, is_mine: false });
  for (const [method, path, body] of [
    ['PUT', '', somePost],
    ['DELETE', '', undefined],
    ['PATCH', '/found', undefined],
    ['DELETE', '/found', undefined],
    ['GET', '/matches', undefined],
  ] as const) {
    const answer = await call(method, `/api/posts/${made.id}${path}`, body, stranger);
    expect(await errorOf(answer), method).toEqual([403, 'forbidden']);
  }
  expect(await (await call('GET', `/api/posts/${made.id}`, undefined, author)).json()).toEqual(made);
});

test.each(['hakuna', '%20', '1 or 1=1', '..%2f..', 'ü', "'"])('the unknown post id %j gives 404', async (id) => {
  const author = await newPerson();
  for (const [method, suffix, body] of [
    ['GET', '', undefined],
    ['PUT', '', somePost],
    ['DELETE', '', undefined],
    ['PATCH', '/found', undefined],
    ['DELETE', '/found', undefined],
    ['GET', '/matches', undefined],
  ] as const) {
    const answer = await call(method, `/api/posts/${encodeURI(id)}${suffix}`, body, {
      token: author.token,
      language: 'sw',
    });
    const error = await answer.json<ErrorBody>();
    expect([method, answer.status, error.detail]).toEqual([method, 404, 'Tangazo hili halipo, au huruhusiwi kuliona.']);
  }
});

test('a visitor may not create, change or delete a post', async () => {
  const made = await newPost(await newPerson());
  for (const [method, path, body] of [
    ['POST', '/api/posts', somePost],
    ['PUT', `/api/posts/${made.id}`, somePost],
    ['DELETE', `/api/posts/${made.id}`, undefined],
    ['PATCH', `/api/posts/${made.id}/found`, undefined],
    ['DELETE', `/api/posts/${made.id}/found`, undefined],
    ['GET', '/api/posts/by-owner', undefined],
    ['GET', `/api/posts/${made.id}/matches`, undefined],
  ] as const) {
    expect(await errorOf(await call(method, path, body)), `${method} ${path}`).toEqual([401, 'unauthorized']);
  }
});

const db = openDb(env);

async function change(author: Person, { id }: Post, changes: object): Promise<Post> {
  const answer = await call('PUT', `/api/posts/${id}`, { ...somePost, ...changes }, author);
  expect(answer.status).toBe(200);
  return answer.json<Post>();
}

const kindInTable = (id: string) =>
  env.DB.prepare('select kind from posts where id = ?').bind(id).first<string | null>('kind');

test('a post’s kind is determined from its text, when it is created and at each change', async () => {
  const author = await newPerson();
  const made = await newPost(author, { title: 'Nimepoteza pasipoti' });
  expect(made.kind).toBe('document');
  expect((await change(author, made, { title: 'Mbwa mweupe amepotea', description: '' })).kind).toBe('animal');
  expect(await (await call('GET', `/api/posts/${made.id}`)).json()).toMatchObject({ kind: 'animal' });
});

test('a kind chosen by the author stays until the author chooses another kind or lets the app read the kind from the text', async () => {
  const author = await newPerson();
  const made = await newPost(author, { title: 'Nimepoteza pasipoti', kind: 'bag' });
  expect(made.kind).toBe('bag');
  expect((await change(author, made, { title: 'Nimepoteza leseni' })).kind).toBe('bag');
  expect((await change(author, made, { title: 'Nimepoteza leseni', kind: 'wear' })).kind).toBe('wear');
  expect((await change(author, made, { title: 'Nimepoteza leseni', kind: null })).kind).toBe('document');
  expect((await change(author, made, { title: 'Funguo za gari', description: '' })).kind).toBe('key');
});

test('a new post with the kind null gets its kind from its text', async () => {
  expect(await newPost(await newPerson(), { title: 'Baiskeli', kind: null })).toMatchObject({ kind: 'vehicle' });
});

test.each(['', 'phone', 'Document', 7])('the value %j is refused as the kind of a post', async (kind) => {
  const author = await newPerson();
  const { id } = await newPost(author);
  for (const [method, path] of [['POST', '/api/posts'] as const, ['PUT', `/api/posts/${id}`] as const]) {
    const answer = await call(method, path, { ...somePost, kind }, author);
    expect(answer.status).toBe(422);
    expect((await answer.json<ErrorBody>()).errors).toEqual([{ field: 'kind', message: expect.any(String) }]);
  }
});

test('the scheduled job updates a post’s kind after the word lists for kinds change, unless the author chose the kind', async () => {
  const author = await newPerson();
  const [derived, chosen] = [await newPost(author), await newPost(author, { kind: 'wear' })];
  await env.DB.batch([
    env.DB.prepare("update posts set kind = 'bag' where id = ?").bind(derived.id),
    env.DB.prepare("update search_meanings set version = '0'"),
  ]);
  await renewReadings(db);
  expect([await kindInTable(derived.id), await kindInTable(chosen.id)]).toEqual(['electronics', 'wear']);
});

test('two posts with the same words are a sure match only while both authors choose the same kind', async () => {
  const [owner, finder] = [await newPerson(), await newPerson()];
  const words = { title: 'Zulufuna QRT yenye kamba nyekundu', description: 'Imeandikwa Zawadi Mollel 77' };
  const lost = await newPost(owner, { ...words, posted_by: 'owner', kind: 'key' });
  const found = await newPost(finder, { ...words, posted_by: 'finder', kind: 'electronics' });
  const match = async () => (await read<PostMatch[]>(`/api/posts/${lost.id}/matches`, owner))[0];
  expect(await match()).toMatchObject({ confidence: 'possible', Post: { id: found.id } });
  expect((await read<NoticeList>('/api/notices', owner)).notices).toEqual([]);
  await change(finder, found, { ...words, posted_by: 'finder', kind: 'key' });
  expect(await match()).toMatchObject({ confidence: 'sure', Post: { id: found.id } });
});

test('a post made on behalf of another person is marked as such until its author removes the mark', async () => {
  const author = await newPerson();
  const change = async (id: string, changes: object) =>
    (await call('PUT', `/api/posts/${id}`, { ...somePost, ...changes }, author)).json<Post>();
  const made = await newPost(author, { on_behalf: true });
  expect(made.on_behalf).toBe(true);
  expect(await (await call('GET', `/api/posts/${made.id}`)).json()).toMatchObject({ on_behalf: true });
  expect((await change(made.id, { title: 'Simu' })).on_behalf).toBe(true);
  expect((await change(made.id, { on_behalf: null })).on_behalf).toBe(false);
  expect((await change(made.id, { on_behalf: true })).on_behalf).toBe(true);
  expect((await change(made.id, { on_behalf: false })).on_behalf).toBe(false);
  expect((await newPost(author)).on_behalf).toBe(false);
});

test.each(['ndiyo', 1])('the value %j is refused for a field that must be true or false', async (on_behalf) => {
  const answer = await call('POST', '/api/posts', { ...somePost, on_behalf }, await newPerson());
  expect([answer.status, (await answer.json<{ errors: unknown[] }>()).errors]).toMatchObject([
    422,
    [{ field: 'on_behalf' }],
  ]);
});
