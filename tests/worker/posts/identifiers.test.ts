import { createExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { expect, test, vi } from 'vitest';
import type { NoticeList } from '#contract/notices.ts';
import type { Post, PostEntry, PostMatch } from '#contract/posts.ts';
import { call, newPerson, newPost, ORIGIN, type Person, somePost } from '#tests/worker/support/api.ts';
import { communityCodeOf, join, newApprovedCommunity } from '#tests/worker/support/communities.ts';
import { prove } from '#tests/worker/support/people.ts';
import { captureLogs } from '#tests/worker/support/test-run.ts';
import { app } from '#worker/app.ts';
import { openDb } from '#worker/db/client.ts';
import { readConfig } from '#worker/env.ts';
import { exportPerson } from '#worker/leaving/export-account.ts';
import { findCandidates } from '#worker/matching/find-candidates.ts';
import { digestIdentifier } from '#worker/posts/identifiers.ts';

const LOST = { posted_by: 'owner', title: 'Nimepoteza mwavuli wa kijani', description: '', location: 'Tanga' };
/** A finder's post whose words do not describe the thing in `LOST`. */
const FOUND = { posted_by: 'finder', title: 'Kitu', description: '', location: 'Mwanza' };

let numbers = 0;
/** A serial number that no other thing has. */
function newIdentifier(): string {
  return `TZ-${String(Date.now()).slice(-6)}${String(++numbers).padStart(4, '0')}`;
}

async function newProven(): Promise<Person> {
  const person = await newPerson();
  await prove(person);
  return person;
}

function put(author: Person, id: string, overrides: Record<string, unknown>): Promise<Response> {
  return call('PUT', `/api/posts/${id}`, { ...somePost, ...overrides }, author);
}

function lookUp(person: Person, identifier: unknown, headers = {}): Promise<Response> {
  return call('POST', '/api/identifiers/lookup', { identifier }, { ...person, headers });
}

async function messagesOf(person: Person) {
  const { notices } = await (await call('GET', '/api/notices', undefined, person)).json<NoticeList>();
  return notices.map(({ message }) => message);
}

async function matchesOf(author: Person, id: string): Promise<PostMatch[]> {
  return (await call('GET', `/api/posts/${id}/matches`, undefined, author)).json<PostMatch[]>();
}

test('two posts with the same identifier are a sure match, even if the identifier is written differently in each', async () => {
  const [owner, finder] = [await newProven(), await newProven()];
  const lost = await newPost(owner, { ...LOST, identifiers: ['oi-s b 99 120'] });
  const found = await newPost(finder, { ...FOUND, identifiers: ['Ｏ158/99.12O'] });
  await expect
    .poll(() => messagesOf(owner))
    .toMatchObject([
      { type: 'matching_post', confidence: 'sure', post_id: found.id, phone_number: null, is_contact_limited: false },
    ]);
  for (const [author, own] of [
    [owner, lost],
    [finder, found],
  ] as const) {
    const [match] = await matchesOf(author, own.id);
    expect(match).toMatchObject({ confidence: 'sure' });
    expect(match?.reasons[0]?.kind).toBe('same_identifier');
  }
  // The notice contains no phone number, so it uses none of the phone numbers that the owner may see in a day.
  expect(
    await env.DB.prepare('select 1 from given_numbers where reader_id = ? and notice_count > 0').bind(owner.id).first(),
  ).toBeNull();
});

test('two posts with the same identifier are only a possible match if their owners’ names contradict each other', async () => {
  const [owner, finder] = [await newProven(), await newProven()];
  const identifiers = [newIdentifier()];
  const lost = await newPost(owner, { ...LOST, identifiers, owner_first_name: 'Juma', owner_last_name: 'Mushi' });
  const thing = await newPost(finder, { ...FOUND, identifiers, owner_first_name: 'Neema', owner_last_name: 'Kimaro' });
  const findMatch = async () => (await matchesOf(owner, lost.id)).find(({ Post }) => Post.id === thing.id);
  await expect.poll(findMatch).toMatchObject({ confidence: 'possible' });
  const match = await findMatch();
  expect(match?.reasons.map(({ kind }) => kind)).toContain('same_identifier');
  expect(await messagesOf(owner)).toEqual([]);
});

test('a match by identifier is found even if hundreds of other posts share every word with the lost post', async () => {
  const [owner, finder] = [await newProven(), await newProven()];
  const identifiers = [newIdentifier()];
  const { id } = await newPost(owner, { ...LOST, identifiers });
  await newPost(finder, { ...FOUND, title: 'Mwavuli wa kijani', location: 'Tanga', identifiers });
  await env.DB.prepare(
    `insert into match_terms (posted_by, term, post_seq)
     with recursive n(i) as (select 1 union all select i + 1 from n where i < 400)
     select 'finder', t.term, 5000000 + i from n, (
       select distinct term from match_terms where post_seq = (select seq from posts where id = ?)) t where t.term not like '!%'`,
  )
    .bind(id)
    .run();
  const { results } = await env.DB.prepare(
    "select distinct term from match_terms where post_seq = (select seq from posts where id = ?) and term not like '!%'",
  )
    .bind(id)
    .all<{ term: string }>();
  const terms = results.map(({ term }) => term);
  const post = { id, author_id: owner.id, community_id: null, posted_by: 'owner' as const };
  const candidates = await findCandidates(openDb(env), post, terms);
  expect(candidates.map(({ shares_identifier }) => shares_identifier)).toEqual([1]);
  await env.DB.prepare('delete from match_terms where post_seq > 5000000').run();
});

test.each([
  ['that are too short are refused', ['AB12'], 422],
  ['of six characters, three of them digits, are accepted', ['abc-123'], 201],
  ['with too few digits are refused', ['ACDEF12'], 422],
  ['with letters that look like digits and are read as digits are accepted', ['OISBACD'], 201],
  ['of forty characters are accepted', ['1'.repeat(40)], 201],
  ['of forty-one characters are refused', ['1'.repeat(41)], 422],
  ['with many separators are accepted', [`${'-'.repeat(110)}ABC123`], 201],
  ['with too many separators are refused', [`${'-'.repeat(200)}ABC123`], 422],
  ['beyond two are refused', ['ABC123', 'ABC124', 'ABC125'], 422],
  ['that are not a list are refused', 'ABC123', 422],
  ['that are numbers instead of texts are refused', [123456], 422],
  ['may be an empty list', [], 201],
  ['may be null', null, 201],
] as const)('the server checks a new post’s identifiers: identifiers %s', async (_name, identifiers, status) => {
  const author = await newProven();
  expect((await call('POST', '/api/posts', { ...somePost, identifiers }, author)).status).toBe(status);
});

test('an author can change a post’s identifiers at most twice; entering the first identifiers does not count as a change', async () => {
  const author = await newProven();
  const { id, has_identifiers } = await newPost(author);
  expect(has_identifiers).toBe(false);
  const [a, b, c] = [newIdentifier(), newIdentifier(), newIdentifier()];
  for (const [identifiers, status, has] of [
    [null, 200, false],
    [[a], 200, true],
    [[a.toLowerCase()], 200, true],
    [undefined, 200, true],
    [[a, a], 200, true],
    [[a, b], 200, true],
    [[b, a], 200, true],
    [[c], 200, true],
    [[a], 409, true],
    [null, 409, true],
    [undefined, 200, true],
    [[c], 200, true],
  ] as const) {
    const answer = await put(author, id, { ...(identifiers !== undefined && { identifiers }) });
    expect([identifiers, answer.status]).toEqual([identifiers, status]);
    const body = await answer.json();
    expect(body).toMatchObject(status === 200 ? { has_identifiers: has } : { code: 'sealed' });
  }
});

test('clearing a post’s identifiers and setting them again uses up the two changes that each post allows', async () => {
  const author = await newProven();
  const a = newIdentifier();
  const { id } = await newPost(author, { identifiers: [a] });
  expect((await put(author, id, { identifiers: null })).status).toBe(200);
  expect((await put(author, id, { identifiers: [a] })).status).toBe(200);
  expect((await put(author, id, { identifiers: null })).status).toBe(409);
});

test('a post’s identifiers can be changed at most twice, even by twenty concurrent requests', async () => {
  const author = await newProven();
  const { id } = await newPost(author, { identifiers: [newIdentifier()] });
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => put(author, id, { identifiers: [newIdentifier()] })),
  );
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(2);
  expect(answers.filter(({ status }) => status === 409)).toHaveLength(18);
});

test('a person can add identifiers to at most five posts a day until they have proven their phone number', async () => {
  const [unproven, proven] = [await newPerson(), await newProven()];
  const { id } = await newPost(unproven);
  expect((await put(unproven, id, { identifiers: [newIdentifier()] })).status).toBe(200);
  const make = (author: Person) =>
    call('POST', '/api/posts', { ...somePost, identifiers: [newIdentifier()] }, author).then(({ status }) => status);
  const made = await Promise.all(Array.from({ length: 10 }, () => make(unproven)));
  expect(made.filter((status) => status === 201)).toHaveLength(4);
  expect(made.filter((status) => status === 429)).toHaveLength(6);
  const other = await newPost(unproven);
  expect((await put(unproven, other.id, { identifiers: [newIdentifier()] })).status).toBe(429);
  expect((await put(unproven, id, { identifiers: [newIdentifier()] })).status).toBe(200);
  for (let count = 0; count < 7; count++) expect(await make(proven)).toBe(201);
});

test('looking up an identifier reveals only whether a finder’s post that is open and public has this identifier', async () => {
  const [finder, reader] = [await newProven(), await newProven()];
  const { community } = await newApprovedCommunity();
  await join(community.access_code, finder);
  const community_code = await communityCodeOf(community.id, finder);
  const [there, inside, lost, closed] = [newIdentifier(), newIdentifier(), newIdentifier(), newIdentifier()];
  await newPost(finder, { ...FOUND, identifiers: [there] });
  await newPost(finder, { ...FOUND, identifiers: [inside], community_code });
  await newPost(finder, { ...LOST, identifiers: [lost] });
  const { id } = await newPost(finder, { ...FOUND, identifiers: [closed] });
  await call('PUT', `/api/posts/${id}/outcome`, { outcome: 'with_police' }, finder);
  const due = () =>
    env.DB.prepare('select count(*) as n from posts where author_id = ? and match_pending_since is not null')
      .bind(finder.id)
      .first('n');
  await expect.poll(due).toBe(0);
  for (const [identifier, found] of [
    [there.toLowerCase(), true],
    [inside, false],
    [lost, false],
    [closed, false],
    [newIdentifier(), false],
  ] as const)
    expect(await (await lookUp(reader, identifier)).json()).toEqual({ found });
});

test('a person with a proven phone number can look up five identifiers a day, not counting invalid identifiers', async () => {
  const [unproven, person] = [await newPerson(), await newProven()];
  expect((await lookUp(unproven, newIdentifier())).status).toBe(403);
  expect(await (await lookUp(unproven, newIdentifier())).json()).toMatchObject({ code: 'number_not_proven' });
  expect((await call('POST', '/api/identifiers/lookup', { identifier: newIdentifier() })).status).toBe(401);
  expect((await lookUp(person, 'AB')).status).toBe(422);
  const answers = await Promise.all(Array.from({ length: 20 }, () => lookUp(person, newIdentifier())));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(5);
  for (const { status, headers } of answers.filter((answer) => answer.status !== 200)) {
    expect(status).toBe(429);
    expect(Number(headers.get('Retry-After'))).toBeGreaterThan(0);
  }
});

test('one IP address can look up at most sixty identifiers a day', async () => {
  const address = { 'CF-Connecting-IP': '10.60.60.60' };
  let answered = 0;
  for (let count = 0; count < 13; count++) {
    const person = await newProven();
    const answers = await Promise.all(Array.from({ length: 5 }, () => lookUp(person, newIdentifier(), address)));
    answered += answers.filter(({ status }) => status === 200).length;
  }
  expect(answered).toBe(60);
  expect((await lookUp(await newProven(), newIdentifier())).status).toBe(200);
});

test('each look-up of an identifier is logged, without the identifier', async () => {
  const logs = captureLogs();
  const person = await newProven();
  const identifier = newIdentifier();
  const request = new Request(`${ORIGIN}/api/identifiers/lookup`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${person.token}` },
    body: JSON.stringify({ identifier }),
  });
  expect((await app.fetch(request, env, createExecutionContext())).status).toBe(200);
  const lines = logs.log.mock.calls.map(([line]) => line);
  expect(lines).toContainEqual(
    expect.objectContaining({ event: 'identifier_looked_up', user_id: person.id, is_found: false }),
  );
  expect(JSON.stringify(lines)).not.toContain(identifier.slice(-8));
});

test('no response, data export, database row or log entry contains the identifier of a post', async () => {
  const logs = captureLogs();
  const [author, reader] = [await newProven(), await newProven()];
  const identifier = newIdentifier();
  const digest = digestIdentifier(readConfig(env), identifier);
  const made = await call(
    'POST',
    '/api/posts',
    { ...somePost, identifiers: [identifier] },
    { ...author, headers: { 'Idempotency-Key': 'namba' } },
  );
  const post = await made.json<Post>();
  expect(post.has_identifiers).toBe(true);
  const answers: string[] = [JSON.stringify(post)];
  for (const person of [author, reader, undefined]) {
    for (const path of [`/api/posts/${post.id}`, '/api/posts?limit=100', `/api/posts?search=${identifier}`])
      answers.push(await (await call('GET', path, undefined, person)).text());
    const [seen] = (await (await call('GET', '/api/posts?limit=100', undefined, person)).json<PostEntry[]>()).filter(
      (entry) => entry.Post.id === post.id,
    );
    expect(seen?.Post.has_identifiers).toBe(person === author ? true : undefined);
  }
  answers.push(JSON.stringify(await exportPerson(openDb(env), author.id)));
  expect(answers.at(-1)).toContain('"has_identifiers":1');
  const tables = await env.DB.prepare(
    "select name from sqlite_schema where type = 'table' and sql not like 'create virtual%' and name not like '%\\_%search%' escape '\\' and name not like '\\_%' escape '\\'",
  ).all<{ name: string }>();
  for (const { name } of tables.results) {
    const rows = JSON.stringify((await env.DB.prepare(`select * from "${name}"`).all()).results);
    expect(rows.includes(identifier) || rows.includes(identifier.replace('-', '')), name).toBe(false);
  }
  for (const text of [...answers, JSON.stringify([logs.log, logs.warn, logs.error].map(({ mock }) => mock.calls))]) {
    expect(text).not.toContain(identifier);
    expect(text).not.toContain(identifier.slice(3));
    expect(text).not.toContain(digest);
  }
  vi.restoreAllMocks();
});
