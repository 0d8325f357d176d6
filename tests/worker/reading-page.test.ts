import { createExecutionContext } from 'cloudflare:test';
import { env, exports } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { DESCRIPTION_MAX_CHARS } from '#contract/limits.ts';
import { app } from '#worker/app.ts';
import { newPerson, ORIGIN } from './support/api.ts';
import { postAndMatch } from './support/saved-posts.ts';

const PAGE = `${ORIGIN}/dev/reading`;

function type(fields: Record<string, string>): Promise<Response> {
  return exports.default.fetch(new Request(PAGE, { method: 'POST', body: new URLSearchParams(fields) }));
}

const LOST = { lost_title: 'Nimepoteza simu ya Tecno nyeusi', lost_location: 'Kariakoo', lost_owner: 'Asha Mushi' };
const FOUND = { found_title: 'Found a black Tecno phone', found_location: 'Kariakoo' };

test('the page of readings exists beside the local transport alone', async () => {
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

test('the page of readings has no script and allows none', async () => {
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

test('two posts are read and compared, with the reasons in both languages', async () => {
  const page = await (await type({ ...LOST, ...FOUND })).text();
  expect(page).toMatch(/Probability [\d.]+ %, (sure|possible)/);
  expect(page).toContain('colour: <bdi lang="en">black</bdi> / <bdi lang="sw">nyeusi</bdi>');
  expect(page).toContain('asha mushi (said)');
  expect(page).toContain('Stored under');
});

test('what was typed stands in the form again, each text where it was', async () => {
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

test('the evidence of two posts is told line by line, and in all', async () => {
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

test('the style sheet of the page is one', async () => {
  const answer = await exports.default.fetch(new Request(`${PAGE}.css`));
  expect(answer.headers.get('Content-Type')).toBe('text/css; charset=utf-8');
  expect(await answer.text()).toContain('.sides {');
  expect(await (await exports.default.fetch(new Request(PAGE))).text()).toContain('href="/dev/reading.css"');
});

test('one post is held against the open ones here', async () => {
  const finder = await newPerson();
  const id = await postAndMatch(finder, { posted_by: 'finder', title: FOUND.found_title, location: 'Kariakoo' });
  const page = await (await type(LOST)).text();
  expect(page).toContain('Open posts here that match');
  expect(page).toContain(`href="/posts/${id}"`);
  expect(page).toMatch(/Probability [\d.]+ %, (sure: both people are told|possible: listed)\./);
  expect(page).toContain(`<bdi>${FOUND.found_title}, Kariakoo</bdi>`);
  expect(await (await type({ lost_title: 'Nimepoteza mbuzi', lost_location: 'Mbeya' })).text()).toContain('None.');
});

test('what is typed is shown as text, and no more of it is read than of a post', async () => {
  const page = await (await type({ lost_title: '"><script>alert(1)</script>' })).text();
  expect(page).toContain('&lt;script&gt;');
  expect(page).not.toContain('<script');
  const tooLong = { ...LOST, lost_description: 'a'.repeat(DESCRIPTION_MAX_CHARS + 1) };
  expect((await type(tooLong)).status).toBe(422);
});
