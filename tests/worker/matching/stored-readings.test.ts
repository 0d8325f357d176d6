import { createExecutionContext } from 'cloudflare:test';
import { env, exports } from 'cloudflare:workers';
import { beforeAll, describe, expect, test } from 'vitest';
import { HOUR_MS } from '#contract/durations.ts';
import { DESCRIPTION_MAX_CHARS } from '#contract/posts.ts';
import { call, newPerson, ORIGIN, type Person, somePost } from '#tests/worker/support/api.ts';
import { counting } from '#tests/worker/support/count-trips.ts';
import { lostAndFound } from '#tests/worker/support/notices.ts';
import { pairsOf, postAndMatch } from '#tests/worker/support/posts.ts';
import { app } from '#worker/app.ts';
import { openDb } from '#worker/db/client.ts';
import { findCandidates, readCompetition, refreshShares, valuesOf } from '#worker/matching/find-candidates.ts';
import { indexTerms, lookupTerms } from '#worker/matching/index-terms.ts';
import { decodeReading, encodeReading, readPost } from '#worker/matching/reading/read-post.ts';
import { renewReadings } from '#worker/matching/renew-readings.ts';
import type { StoredPost } from '#worker/posts/post-columns.ts';

const db = openDb(env);
const PHONE = { posted_by: 'owner', title: 'Nimepoteza simu ya Tecno nyeusi', location: 'Manzese' } as const;

const readingOf = (postId: string) =>
  env.DB.prepare('select r.* from match_readings r join posts p on p.seq = r.post_seq where p.id = ?')
    .bind(postId)
    .first<{ post_seq: number; version: string; reading: string; agreeable: string }>();

const termsOf = async (postId: string) =>
  (
    await env.DB.prepare('select term from match_terms t join posts p on p.seq = t.post_seq where p.id = ?')
      .bind(postId)
      .all<{ term: string }>()
  ).results;

test('the data that matching extracts from a post is unchanged after encoding and decoding', () => {
  const reading = readPost({
    ...PHONE,
    description: 'Kioo kina ufa, IMEI 490154203237518, jina Asha Juma',
    owner_first_name: 'Asha',
    owner_last_name: 'Juma',
    created_at: Date.UTC(2026, 10, 10),
  });
  expect(decodeReading(encodeReading(reading))).toEqual(reading);
});

test('if the data that matching stores about a post has an outdated version, the scheduled job analyses the post again', async () => {
  const id = await postAndMatch(await newPerson(), PHONE);
  const before = await readingOf(id);
  await env.DB.batch([
    env.DB.prepare("update match_readings set version = '0', reading = '' where post_seq = ?").bind(before?.post_seq),
    env.DB.prepare('delete from match_terms where post_seq = ?').bind(before?.post_seq),
    env.DB.prepare("update search_meanings set version = '0' where post_seq = ?").bind(before?.post_seq),
  ]);

  await renewReadings(db);

  expect(await readingOf(id)).toEqual(before);
  expect((await termsOf(id)).length).toBeGreaterThan(5);
});

test('after eight failed analyses of a post’s text, matching skips the post and analyses the other posts', async () => {
  const [cutOff, healthy] = [
    await postAndMatch(await newPerson(), PHONE),
    await postAndMatch(await newPerson(), PHONE),
  ];
  const versionOf = async (id: string) => (await readingOf(id))?.version;
  const current = await versionOf(healthy);
  await env.DB.exec("update match_readings set version = '0'");
  await env.DB.exec("update search_meanings set version = '0'");
  await env.DB.exec(
    `create trigger cut_off before insert on match_terms when new.post_seq = (select seq from posts where id = '${cutOff}') begin select raise(abort, 'cut off'); end`,
  );
  for (let tries = 0; tries < 8; tries++) {
    await expect(renewReadings(db)).rejects.toThrow();
    expect(await versionOf(healthy)).toBe('0');
  }
  await renewReadings(db);
  expect(await versionOf(healthy)).toBe(current);
  expect(await versionOf(cutOff)).toBe('0');
  const failures = env.DB.prepare('select match_failures from posts where id = ?');
  expect(await failures.bind(healthy).first('match_failures')).toBe(0);
  await env.DB.exec('drop trigger cut_off');
});

test('a post that matching has failed to analyse eight times is not a match candidate for other posts', async () => {
  const { lost, found } = lostAndFound();
  const mine = await postAndMatch(await newPerson(), lost);
  await env.DB.prepare('update posts set match_failures = 8 where id = ?').bind(mine).run();
  expect(await pairsOf(await postAndMatch(await newPerson(), found))).toEqual([]);
  await env.DB.prepare('update posts set match_failures = 7 where id = ?').bind(mine).run();
  expect(await pairsOf(await postAndMatch(await newPerson(), found))).toHaveLength(1);
});

test.each([
  ['marked as found', 'PATCH', '/found'],
  ['deleted', 'DELETE', ''],
])('the data that matching stores about a post is deleted when the post is %s', async (_, method, suffix) => {
  const person = await newPerson();
  const id = await postAndMatch(person, PHONE);
  expect(await readingOf(id)).not.toBeNull();
  const { post_seq } = (await readingOf(id)) ?? {};

  await call(method, `/api/posts/${id}${suffix}`, undefined, { token: person.token });

  const kept = env.DB.prepare('select count(*) as count from match_readings where post_seq = ?').bind(post_seq);
  expect(await kept.first('count')).toBe(0);
});

test('once an hour, matching counts the open posts, and for a value such as “brand Tecno” computes the share of posts with this value', async () => {
  const person = await newPerson();
  const posts = ['Manzese', 'Manzese', 'Mbagala'].map((location) => ({ ...PHONE, location }));
  for (const post of posts) await postAndMatch(person, post);
  const start = Date.now() + HOUR_MS * 24;

  await refreshShares(db, start);
  const values = valuesOf(
    readPost({ ...PHONE, description: '', owner_first_name: '', owner_last_name: '', created_at: 0 }),
  );
  const competition = await readCompetition(db, 'finder', values);
  expect(values).toEqual(expect.arrayContaining(['thing phone', 'colour black', 'brand Tecno']));
  expect(competition.openPosts).toBeGreaterThanOrEqual(3);
  expect(competition.shareOf('brand Tecno')).toBeGreaterThan(0);
  expect(competition.shareOf('brand Tecno')).toBeLessThanOrEqual(1);
  expect(competition.shareOf('brand Nokia')).toBeNull();

  await postAndMatch(person, PHONE);
  await refreshShares(db, start + HOUR_MS - 1);
  expect((await readCompetition(db, 'finder', values)).openPosts).toBe(competition.openPosts);
  await refreshShares(db, start + HOUR_MS + 1);
  expect((await readCompetition(db, 'finder', values)).openPosts).toBe(competition.openPosts + 1);
});

const PAGE = `${ORIGIN}/dev/reading`;

function type(fields: Record<string, string>): Promise<Response> {
  return exports.default.fetch(new Request(PAGE, { method: 'POST', body: new URLSearchParams(fields) }));
}

const LOST = { lost_title: 'Nimepoteza simu ya Tecno nyeusi', lost_location: 'Kariakoo', lost_owner: 'Asha Mushi' };
const FOUND = { found_title: 'Found a black Tecno phone', found_location: 'Kariakoo' };

test('the developers’ matching page exists only if WHATSAPP_TRANSPORT is “local”', async () => {
  const cloud = {
    ...env,
    WHATSAPP_TRANSPORT: 'cloud-api',
    WHATSAPP_PHONE_NUMBER_ID: '1',
    WHATSAPP_ACCESS_TOKEN: 'token',
  };
  for (const request of [
    () => new Request(PAGE),
    () => new Request(`${PAGE}.css`),
    () => new Request(PAGE, { method: 'POST', body: new URLSearchParams(LOST) }),
  ]) {
    expect((await app.fetch(request(), cloud, createExecutionContext())).status).toBe(404);
    expect((await app.fetch(request(), { ...env }, createExecutionContext())).status).toBe(200);
  }
});

test('the developers’ matching page has no script and allows no script', async () => {
  const answer = await exports.default.fetch(new Request(PAGE));
  expect(answer.headers.get('Content-Type')).toMatch(/^text\/html/);
  expect(answer.headers.get('Cache-Control')).toBe('no-store');
  expect(answer.headers.get('X-Content-Type-Options')).toBe('nosniff');
  const policy = answer.headers.get('Content-Security-Policy');
  expect(policy).toContain("default-src 'none'");
  for (const part of ["style-src 'self'", "form-action 'self'", "base-uri 'none'", "frame-ancestors 'none'"])
    expect(policy).toContain(part);
  expect(policy).not.toMatch(/script-src|unsafe/);
  expect(await answer.text()).not.toMatch(/<script|<style| style=| on\w+=/);
});

test('the developers’ matching page compares two posts, and gives the reasons for the match in both languages', async () => {
  const page = await (await type({ ...LOST, ...FOUND })).text();
  expect(page).toMatch(/Probability [\d.]+ %, (sure|possible)/);
  expect(page).toContain('colour: <bdi lang="en">black</bdi> / <bdi lang="sw">nyeusi</bdi>');
  expect(page).toContain('asha mushi (said)');
  expect(page).toContain('Stored under');
});

test('after the form on the developers’ matching page is submitted, the page shows the form with the typed texts', async () => {
  const fields = Object.fromEntries(
    ['lost', 'found'].flatMap((side) =>
      ['title', 'description', 'location', 'owner'].map((field) => [`${side}_${field}`, `Zulu${side}${field}`]),
    ),
  );
  const page = await (await type(fields)).text();
  for (const side of ['lost', 'found']) {
    for (const [field, max] of Object.entries({ title: 120, location: 120, owner: 60 }))
      expect(page).toContain(`name="${side}_${field}" value="Zulu${side}${field}" maxlength="${max}"`);
    expect(page).toMatch(new RegExp(`name="${side}_description"[^>]*maxlength="2000"[^>]*>Zulu${side}description<`));
  }
  expect(page).toMatch(/<legend>Lost<\/legend>[\s\S]*<legend>Found<\/legend>/);
  expect(page).toMatch(/<h2>Lost<\/h2>[\s\S]*<h2>Found<\/h2>/);
  expect(page).toContain('not shown');
});

test('the developers’ matching page lists the weight of each piece of evidence for a match, and the sum of these weights', async () => {
  const page = await (await type({ ...LOST, ...FOUND })).text();
  const rows = [...page.matchAll(/<th scope="row">([\w ]+)<\/th>\s*<td class="number">(-?[\d.]+)<\/td>/g)];
  const points = rows.map(([, aspect = '', count]) => [aspect, Number(count)] as const);
  const [total, ...aspects] = points.toReversed();
  expect(total?.[0]).toBe('in all');
  expect(aspects.map(([aspect]) => aspect)).toEqual(expect.arrayContaining(['thing', 'colour', 'make', 'place']));
  expect(total?.[1]).toBeCloseTo(
    aspects.reduce((sum, [, count]) => sum + count, 0),
    1,
  );
  expect(aspects.filter(([, count]) => count === 0)).toEqual([]);
  expect(page).toMatch(/<summary>\d+<\/summary>/);
});

test('the style sheet of the developers’ matching page is valid', async () => {
  const answer = await exports.default.fetch(new Request(`${PAGE}.css`));
  expect(answer.headers.get('Content-Type')).toBe('text/css; charset=utf-8');
  expect(await answer.text()).toContain('.sides {');
  expect(await (await exports.default.fetch(new Request(PAGE))).text()).toContain('href="/dev/reading.css"');
});

test('the developers’ matching page compares one post with the open posts in the database', async () => {
  const finder = await newPerson();
  const id = await postAndMatch(finder, { posted_by: 'finder', title: FOUND.found_title, location: 'Kariakoo' });
  const page = await (await type(LOST)).text();
  expect(page).toContain('Open posts here that match');
  expect(page).toContain(`href="/posts/${id}"`);
  expect(page).toMatch(/Probability [\d.]+ %, (sure: both people are told|possible: listed)\./);
  expect(page).toContain(`<bdi>${FOUND.found_title}, Kariakoo</bdi>`);
  expect(await (await type({ lost_title: 'Nimepoteza mbuzi', lost_location: 'Mbeya' })).text()).toContain('None.');
});

test('the developers’ matching page escapes typed text, and refuses a text longer than a post may have', async () => {
  const page = await (await type({ lost_title: '"><script>alert(1)</script>' })).text();
  expect(page).toContain('&lt;script&gt;');
  expect(page).not.toContain('<script');
  const tooLong = { ...LOST, lost_description: 'a'.repeat(DESCRIPTION_MAX_CHARS + 1) };
  expect((await type(tooLong)).status).toBe(422);
});

describe('cost of finding candidates for a match', () => {
  /**
   * The limits of worker/matching/find-candidates.ts: how many of each term's newest posts are read, and how many posts
   * are judged.
   */
  const NEWEST_PER_TERM = 100;
  const CANDIDATES_MAX = 150;
  /**
   * The most rows that matching may read. SQLite reads a term's newest rows three times: to find, collect and group
   * them.
   */
  const rowsMax = (terms: number): number => terms * 3 * NEWEST_PER_TERM + CANDIDATES_MAX * 4;

  const FOUND = { ...somePost, title: 'Found a black Tecno phone', location: 'Sinza', posted_by: 'finder' as const };
  const LOST = {
    ...somePost,
    title: 'Nimepoteza simu ya Tecno nyeusi',
    location: 'Sinza',
    posted_by: 'owner' as const,
  };

  /** Adds posts that all contain the terms that the look-up searches for: the case with the most candidates. */
  async function addAlike(authorId: string, from: number, to: number): Promise<void> {
    const terms = JSON.stringify(indexTerms(readPost({ ...FOUND, created_at: Date.now() })));
    const numbers = 'with recursive n (seq) as (select ?1 union all select seq + 1 from n where seq < ?2)';
    await env.DB.batch([
      env.DB.prepare(
        `${numbers} insert into posts (seq, id, author_id, title, owner_first_name, owner_last_name, location,
         phone_number, description, posted_by, kind, search_text, created_at)
       select seq, 'alike-' || seq, ?3, ?4, '', '', ?5, '0712345678', '', 'finder', 'other', '', ?6 from n`,
      ).bind(from, to, authorId, FOUND.title, FOUND.location, Date.now()),
      env.DB.prepare(
        `${numbers} insert into match_terms (posted_by, term, post_seq) select 'finder', value, seq from json_each(?3), n`,
      ).bind(from, to, terms),
    ]);
  }

  async function costOfLookup(authorId: string) {
    const terms = lookupTerms(readPost({ ...LOST, created_at: Date.now() }));
    const post = { ...LOST, id: 'asking', seq: 0, author_id: authorId, community_id: null } as unknown as StoredPost;
    const tally = { trips: 0, rowsRead: 0, isOver: false };
    const candidates = await findCandidates(openDb({ DB: counting(env.DB, tally) }), post, terms);
    return { ...tally, candidates, terms: terms.length };
  }

  let author: Person;
  beforeAll(async () => {
    await env.DB.batch(['match_terms', 'posts'].map((table) => env.DB.prepare(`delete from ${table}`)));
    author = await newPerson();
    await addAlike(author.id, 1, 2_000);
  });

  test('finding candidates takes one database call, and reads the same number of rows among 2,000 posts as among 20,000', async () => {
    const asking = await newPerson();
    const few = await costOfLookup(asking.id);
    await addAlike(author.id, 2_001, 20_000);
    const many = await costOfLookup(asking.id);

    expect(few.rowsRead).toBeLessThanOrEqual(rowsMax(few.terms));
    expect(many.rowsRead).toBe(few.rowsRead);
    expect(many.trips).toBe(1);
    expect(many.candidates[0]?.seq).toBe(20_000);
  });

  test('candidates with photos cost no more than candidates without photos', async () => {
    const asking = await newPerson();
    const before = await costOfLookup(asking.id);
    await env.DB.prepare(
      `insert into photos (id, post_id, author_id, position, width, height, alt, has_og, created_at)
     select p.id || '-' || n.value, p.id, p.author_id, n.value, 640, 480, '', 0, 1
     from posts p, json_each('[0, 1, 2, 3]') n where p.id like 'alike-%'`,
    ).run();
    const { rowsRead, candidates } = await costOfLookup(asking.id);
    expect(candidates.length).toBeGreaterThan(0);
    expect(rowsRead).toBe(before.rowsRead);
  });
});
