import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import type { ErrorBody } from '#contract/error-codes.ts';
import type { NoticeList } from '#contract/notices.ts';
import { type Post, type PostEntry, type PostMatch, postSchema } from '#contract/posts.ts';
import { call, newPerson, newPost, type Person, readRoutes, somePost } from '#tests/worker/support/api.ts';
import { newPlatformAdmin } from '#tests/worker/support/communities.ts';
import { connect, settled } from '#tests/worker/support/notices.ts';
import { newReader } from '#tests/worker/support/people.ts';
import { insertPhoto } from '#tests/worker/support/posts.ts';
import { batch, openDb } from '#worker/db/client.ts';
import { planErasure } from '#worker/leaving/erase-person.ts';
import { exportPerson } from '#worker/leaving/export-account.ts';
import { exportPosts } from '#worker/leaving/export-things.ts';
import { endOfDay } from '#worker/limits/limits.ts';

const SECRET_NUMBER = '0666123987';

test('no public route shows a phone number to a visitor', async () => {
  const author = await newPerson();
  const { id } = await newPost(author, { phone_number: SECRET_NUMBER, title: 'Sirixyz' });
  const twin = { ...somePost, posted_by: 'owner', phone_number: SECRET_NUMBER, title: 'Sirixyz' };
  await newPost(await newPerson(), twin);
  const paths = readRoutes(id);
  expect(paths).toEqual(expect.arrayContaining(['/api/posts', `/api/posts/${id}`, `/api/posts/${id}/matches`]));
  for (const path of [
    ...paths,
    '/api/posts?search=sirixyz',
    '/api/posts?search=si',
    '/api/posts?limit=100',
    `/api/posts?search=${SECRET_NUMBER}`,
  ]) {
    const answer = await call('GET', path);
    expect(await answer.text(), path).not.toContain(SECRET_NUMBER);
    expect(JSON.stringify([...answer.headers]), path).not.toContain(SECRET_NUMBER);
  }
});

test('a visitor gets null as a post’s phone number, and a signed-in person gets the number', async () => {
  const [author, reader] = [await newPerson(), await newPerson()];
  const { id } = await newPost(author, { phone_number: SECRET_NUMBER });
  for (const [viewer, number] of [
    [{}, null],
    [reader, SECRET_NUMBER],
    [author, SECRET_NUMBER],
  ] as const) {
    const one = await (await call('GET', `/api/posts/${id}`, undefined, viewer)).json<Post>();
    const list = await (await call('GET', '/api/posts?limit=100', undefined, viewer)).json<PostEntry[]>();
    expect(one.phone_number).toBe(number);
    expect(list.find(({ Post }) => Post.id === id)?.Post.phone_number).toBe(number);
  }
});

test('a search for a post’s phone number does not find the post', async () => {
  const author = await newPerson();
  await newPost(author, { phone_number: SECRET_NUMBER });
  for (const search of [SECRET_NUMBER, SECRET_NUMBER.slice(0, 5), '66612'])
    expect(await (await call('GET', `/api/posts?search=${search}`, undefined, author)).json()).toEqual([]);
});

test('a response with a post reveals about the author only whether the author is the person who sent the request', async () => {
  const author = await newPerson();
  const { id } = await newPost(author);
  const text = await (await call('GET', `/api/posts/${id}`, undefined, await newPerson())).text();
  for (const secret of [author.id, author.email, author.phone, author.username]) expect(text).not.toContain(secret);
  const ofAuthorAlone = ['private_marks', 'has_identifiers', 'rests_at'];
  const keys = Object.keys(postSchema.shape).filter((key) => !ofAuthorAlone.includes(key));
  expect(Object.keys(JSON.parse(text)).sort()).toEqual(keys.sort());
});

test('a response with a phone number is never stored in a shared cache', async () => {
  const author = await newPerson();
  const { id } = await newPost(author);
  for (const path of ['/api/posts', '/api/posts/by-owner', `/api/posts/${id}`]) {
    const answer = await call('GET', path, undefined, author);
    expect(answer.headers.get('Cache-Control'), path).toMatch(/no-store|private/);
  }
});

test('a request with a revoked session token gets 401 and no phone number', async () => {
  const [author, reader] = [await newPerson(), await newPerson()];
  const { id } = await newPost(author, { phone_number: SECRET_NUMBER });
  await env.DB.prepare('update users set token_version = 2 where id = ?').bind(reader.id).run();
  for (const path of ['/api/posts', `/api/posts/${id}`]) {
    const answer = await call('GET', path, undefined, reader);
    expect([answer.status, (await answer.text()).includes(SECRET_NUMBER)]).toEqual([401, false]);
  }
});

const TEXTS = ['title', 'owner_first_name', 'owner_last_name', 'location', 'description'] as const;

/** A post that contains the text in each of its fields. */
const saying = (text: string) => Object.fromEntries(TEXTS.map((field) => [field, `${text} ${field}`]));
const textsOf = (post: Post) => TEXTS.map((field) => post[field]);
const asShown = (text: string) => TEXTS.map((field) => `${text} ${field}`);

async function readBoth(id: string, viewer: { token?: string }) {
  const one = await (await call('GET', `/api/posts/${id}`, undefined, viewer)).json<Post>();
  const list = await (await call('GET', '/api/posts?limit=100', undefined, viewer)).json<PostEntry[]>();
  expect(list.find(({ Post }) => Post.id === id)?.Post).toEqual(one);
  return textsOf(one);
}

test('a visitor does not see a phone number that is written in a post’s text, and a signed-in person does', async () => {
  const [author, reader] = [await newPerson(), await newPerson()];
  const { id } = await newPost(author, saying('Simu 0612 345 678 juma@example.com'));
  expect(await readBoth(id, {})).toEqual(asShown('Simu ••• •••'));
  for (const viewer of [reader, author])
    expect(await readBoth(id, viewer)).toEqual(asShown('Simu 0612 345 678 juma@example.com'));
});

test('phone numbers in a photo’s description are masked for visitors: in the list of posts, the post and its share page', async () => {
  const [author, reader] = [await newPerson(), await newPerson()];
  const { id } = await newPost(author);
  const photo = { id: await insertPhoto(id, author) };
  await call('PATCH', `/api/posts/${id}/photos/${photo.id}`, { alt: 'Piga 0612 345 678' }, author);
  const altsFor = async (viewer: { token?: string }) => {
    const one = await (await call('GET', `/api/posts/${id}`, undefined, viewer)).json<Post>();
    const list = await (await call('GET', '/api/posts?limit=100', undefined, viewer)).json<PostEntry[]>();
    return [one, list.find(({ Post }) => Post.id === id)?.Post].map((post) => post?.photos[0]?.alt);
  };
  expect(await altsFor({})).toEqual(['Piga •••', 'Piga •••']);
  expect(await altsFor(reader)).toEqual(['Piga 0612 345 678', 'Piga 0612 345 678']);
  const page = await (await call('GET', `/p/${id}`)).text();
  expect([page.includes('Piga •••'), page.includes('345 678')]).toEqual([true, false]);
});

test('a post’s author sees a document’s number in full; visitors and other signed-in users see the number masked', async () => {
  const [author, reader] = [await newPerson(), await newPerson()];
  const { id } = await newPost(author, saying('Leseni AB654321, simu 0612345678'));
  expect(await readBoth(id, {})).toEqual(asShown('Leseni AB•••4321, simu •••'));
  expect(await readBoth(id, reader)).toEqual(asShown('Leseni AB•••4321, simu •••5678'));
  expect(await readBoth(id, author)).toEqual(asShown('Leseni AB654321, simu 0612345678'));
});

test('a platform admin sees a document’s number in full only on the admin page for deciding on the post', async () => {
  const [author, admin] = [await newPerson(), await newPlatformAdmin()];
  const { id } = await newPost(author, saying('Leseni AB654321'));
  expect(await readBoth(id, admin)).toEqual(asShown('Leseni AB•••4321'));
  const { post } = await (await call('GET', `/api/admin/posts/${id}`, undefined, admin)).json<{ post: Post }>();
  expect(textsOf(post)).toEqual(asShown('Leseni AB654321'));
});

test('numbers in a post’s text are masked as soon as its kind is “document”, and shown as soon as the kind is changed back', async () => {
  const [author, reader] = [await newPerson(), await newPerson()];
  const { id } = await newPost(author, { title: 'Pochi 654321' });
  for (const [kind, title] of [
    ['document', 'Pochi •••4321'],
    ['bag', 'Pochi 654321'],
  ]) {
    await call('PUT', `/api/posts/${id}`, { ...somePost, title: 'Pochi 654321', kind }, author);
    expect(await (await call('GET', `/api/posts/${id}`, undefined, reader)).json()).toMatchObject({ title });
  }
});

test('in every match notice a document’s number is masked', async () => {
  const [loser, finder] = [await newPerson(), await newPerson()];
  const nida = '19900101-14105-00002-24';
  const [hidden, hiddenToo] = ['88887777666655554444', '777788889999'];
  const live = await connect(loser);
  const lost = { title: `Nimepoteza kitambulisho cha NIDA ${nida}`, owner_first_name: 'Asha', owner_last_name: 'Juma' };
  const { id } = await newPost(loser, { ...lost, posted_by: 'owner', description: '' });
  await newPost(finder, {
    ...lost,
    title: `Kitambulisho cha NIDA, ${hidden}`,
    description: `Namba ${nida}`,
    location: `Kariakoo, kibanda ${hiddenToo}`,
  });
  await expect.poll(() => live.messages.length, { timeout: 20_000 }).toBe(1);
  await settled(live);

  const title = 'Kitambulisho cha NIDA, •••4444';
  const { notices } = await (await call('GET', '/api/notices', undefined, loser)).json<NoticeList>();
  const matches = await (await call('GET', `/api/posts/${id}/matches`, undefined, loser)).json<PostMatch[]>();
  expect(live.messages[0]).toMatchObject({ title, location: 'Kariakoo, kibanda •••9999' });
  expect(notices[0]?.message).toEqual(live.messages[0]);
  expect(matches[0]?.Post).toMatchObject({ title, description: 'Namba •••02-24' });
  const read = await Promise.all(
    [...readRoutes(id), `/api/posts?search=kitambulisho`].map(async (path) => {
      return (await call('GET', path, undefined, loser)).text();
    }),
  );
  for (const text of [...read, JSON.stringify(live.messages)]) {
    expect(text).not.toContain(hidden);
    expect(text).not.toContain(hiddenToo);
  }
  live.socket.close();
});

test('no route for visitors shows a phone number that is written in a post’s text', async () => {
  const { id } = await newPost(await newPerson(), saying('Simu 0612345679'));
  for (const path of [...readRoutes(id), '/api/posts?search=simu', '/api/posts?limit=100']) {
    expect(await (await call('GET', path)).text(), path).not.toContain('0612345679');
  }
});

test('a data export contains the person’s own posts, oldest first, and the posts whose phone numbers the person saw', async () => {
  const [author, other] = [await newReader('196.43.0.1'), await newReader('196.43.0.2')];
  const open = await newPost(author, { identifiers: ['ABC123'], claim_question: 'Nini?', private_marks: 'Doa' });
  const closed = await newPost(author, { title: 'Funguo' });
  await call('PUT', `/api/posts/${closed.id}/outcome`, { outcome: 'given_up' }, author);
  const [first, second] = [await newPost(other), await newPost(other)];
  for (const { id } of [second, first]) await call('GET', `/api/posts/${id}`, undefined, author);
  await call('GET', `/api/posts/${open.id}`, undefined, other);
  const until = new Date(endOfDay(Date.now())).toISOString().replace('.000', '');
  const { title, location, phone_number, description, posted_by } = somePost;
  expect(await exportPerson(openDb(env), author.id)).toMatchObject({
    posts: [
      { id: open.id, title, location, phone_number, description, posted_by, has_identifiers: 1, is_away: 0 },
      { id: closed.id, title: 'Funguo', outcome: 'given_up', has_identifiers: 0, is_away: 1, claim_question: null },
    ],
    numbers_given: [
      { until, post_id: first.id },
      { until, post_id: second.id },
    ],
  });
  expect(await exportPerson(openDb(env), other.id)).toMatchObject({
    posts: [{ id: first.id }, { id: second.id }],
    numbers_given: [{ until, post_id: open.id }],
  });
});

test('erasing a person’s posts, idempotency keys and record of seen phone numbers leaves other people’s data unchanged', async () => {
  const [leaver, other] = [await newReader('196.43.0.3'), await newReader('196.43.0.4')];
  for (const author of [leaver, other]) {
    const headers = { ...author.headers, 'Idempotency-Key': 'moja' };
    expect((await call('POST', '/api/posts', somePost, { ...author, headers })).status).toBe(201);
  }
  const theirs = await newPost(await newPerson());
  for (const reader of [leaver, other]) await call('GET', `/api/posts/${theirs.id}`, undefined, reader);
  const countOf = async (id: string) =>
    env.DB.prepare(
      `select (select count(*) from posts where author_id = ?1) as posts,
         (select count(*) from idempotency_keys where user_id = ?1) as keys,
         (select count(*) from given_numbers where reader_id = ?1) as numbers`,
    )
      .bind(id)
      .first();
  const db = openDb(env);
  await batch(db, planErasure(db, leaver.id).posts);
  expect(await countOf(leaver.id)).toEqual({ posts: 0, keys: 0, numbers: 0 });
  expect(await countOf(other.id)).toEqual({ posts: 1, keys: 1, numbers: 1 });
});

describe('a post’s field for the current place of a found thing', () => {
  const PLACE = 'Kituo cha polisi Mwengexyz';

  async function change(author: Person, { id }: Post, changes: object): Promise<Post> {
    const answer = await call('PUT', `/api/posts/${id}`, { ...somePost, ...changes }, author);
    expect(answer.status).toBe(200);
    return answer.json<Post>();
  }

  const find = async (search: string, viewer: { token?: string } = {}) =>
    (await (await call('GET', `/api/posts?search=${search}`, undefined, viewer)).json<PostEntry[]>()).length;

  test('keeps its value until the post’s author changes or clears the field', async () => {
    const author = await newPerson();
    const made = await newPost(author, { kept_at: PLACE });
    expect(made.kept_at).toBe(PLACE);
    expect(await (await call('GET', `/api/posts/${made.id}`)).json()).toMatchObject({ kept_at: PLACE });
    expect((await change(author, made, { title: 'Simu' })).kept_at).toBe(PLACE);
    expect((await change(author, made, { kept_at: 'Ofisi ya kata' })).kept_at).toBe('Ofisi ya kata');
    for (const none of [null, '', '  ']) {
      expect((await change(author, made, { kept_at: 'Ofisi ya kata' })).kept_at).toBe('Ofisi ya kata');
      expect((await change(author, made, { kept_at: none })).kept_at).toBeNull();
    }
    expect((await newPost(author)).kept_at).toBeNull();
  });

  test('is empty in a lost post, even if the post was a found post before', async () => {
    const author = await newPerson();
    expect((await newPost(author, { posted_by: 'owner', kept_at: PLACE })).kept_at).toBeNull();
    const found = await newPost(author, { kept_at: PLACE });
    expect((await change(author, found, { posted_by: 'owner' })).kept_at).toBeNull();
    expect((await change(author, found, {})).kept_at).toBeNull();
  });

  test.each(['x'.repeat(121), 'Kituo\nMwenge', 7])('is refused if its value is %j', async (kept_at) => {
    const answer = await call('POST', '/api/posts', { ...somePost, kept_at }, await newPerson());
    expect([answer.status, (await answer.json<ErrorBody>()).errors]).toMatchObject([422, [{ field: 'kept_at' }]]);
  });

  test('is searchable until the post is changed to a lost post', async () => {
    const author = await newPerson();
    const post = await newPost(author, { kept_at: 'Ghala la Bwanakipekee' });
    const finds = async () => [await find('bwanakipekee'), await find('bwanakipekee', author)];
    expect(await finds()).toEqual([1, 1]);
    await change(author, post, { title: 'Simu' });
    expect(await finds()).toEqual([1, 1]);
    await change(author, post, { posted_by: 'owner' });
    expect(await finds()).toEqual([0, 0]);
  });

  test('shows numbers in full only to the author if the post is about a document, and shows visitors no digit of a phone number', async () => {
    const [author, reader] = [await newPerson(), await newPerson()];
    const { id } = await newPost(author, { kind: 'document', kept_at: 'Kwa Juma 0612345678, ID 8812345' });
    const shown = async (viewer: object) =>
      (await (await call('GET', `/api/posts/${id}`, undefined, viewer)).json<Post>()).kept_at;
    expect(await shown({})).toBe('Kwa Juma •••, ID •••2345');
    expect(await shown(reader)).toBe('Kwa Juma •••5678, ID •••2345');
    expect(await shown(author)).toBe('Kwa Juma 0612345678, ID 8812345');
    expect([await find('8812345'), await find('8812345', reader), await find('8812345', author)]).toEqual([0, 0, 1]);
  });

  test('appears in a match notice about a document, with each number in the field masked except for its last four digits', async () => {
    const [owner, finder] = [await newPerson(), await newPerson()];
    const card = { title: 'NIDA card of Zuhura Kipekee', owner_first_name: 'Zuhura', owner_last_name: 'Kipekee' };
    await newPost(owner, { ...card, posted_by: 'owner' });
    const live = await connect(owner);
    await newPost(finder, { ...card, kept_at: 'Kituo cha polisi, RB 8812345' });
    await expect.poll(() => live.messages).toMatchObject([{ kept_at: 'Kituo cha polisi, RB •••2345' }]);
  });

  test('is in the author’s data export', async () => {
    const author = await newPerson();
    await newPost(author, { kept_at: PLACE, on_behalf: true });
    expect(await exportPosts(openDb(env), author.id)).toMatchObject([{ kept_at: PLACE, on_behalf: 1 }]);
  });
});
