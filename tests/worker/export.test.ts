import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import type { Export } from '#contract/leaving.ts';
import { call, newPerson, newPost, type Person, signIn } from './support/api.ts';
import { WRONG } from './support/devices.ts';
import { judge, saveMatched } from './support/judged-posts.ts';
import { newLeaver } from './support/leaving.ts';
import { savePost } from './support/saved-posts.ts';

const exportOf = (person: Person, password = person.password) =>
  call('POST', '/api/me/export', { current_password: password }, person);

test('an export has everything that is held of its person, and nothing of others but what they were shown', async () => {
  const { word, leaver, other, post, theirs, community, pair } = await newLeaver();
  await call('POST', `/api/matches/${await pairIdOf(pair.mine)}/confirm`, undefined, leaver);
  await call('GET', `/api/posts/${theirs.id}`, undefined, leaver);
  const answer = await exportOf(leaver);
  expect(answer.status).toBe(200);
  expect(answer.headers.get('Content-Disposition')).toMatch(/^attachment; filename="patikana-\d{4}-\d\d-\d\d\.json"$/);
  expect(answer.headers.get('Cache-Control')).toBe('no-store');
  const all = await answer.json<Export>();
  expect(all).toMatchObject({
    me: { id: leaver.id, email: leaver.email, whatsapp_number: leaver.phone, created_at: expect.stringContaining('T') },
    devices: [{ name: 'Firefox, Android' }],
    photos: [],
    claims: [],
    communities: [expect.objectContaining({ name: community.name, member_role: 'admin' }), expect.anything()],
    notices: [expect.objectContaining({ type: 'community_approved' })],
    reports: [expect.objectContaining({ text: 'Maneno ya ripoti' })],
    blocks: [expect.anything()],
    settings: { push: true, email: true },
    push: [],
    feedback: [expect.objectContaining({ message: `Asante, ${word}` })],
    match_answers: [expect.objectContaining({ answer: 'confirmed' })],
  });
  expect(all.posts.map(({ id }) => id)).toEqual([post.id, pair.mine]);
  const text = JSON.stringify(all);
  for (const foreign of [other.id, other.email, other.phone, other.username, 'anayebaki'])
    expect([foreign, text.includes(foreign)]).toEqual([foreign, false]);
  expect(text).not.toMatch(/scrypt|password_hash|access_code|token_version|digest|"code"/);
  expect(text).not.toContain(community.access_code);
});

async function pairIdOf(postId: string): Promise<string> {
  const pair = env.DB.prepare('select id from match_pairs where lost_post_id = ?').bind(postId);
  return (await pair.first<string>('id')) ?? '';
}

test('a matching notice in an export has the id and title of the other post, and neither once that is hidden', async () => {
  const [owner, finder] = [await newPerson(), await newPerson()];
  const mine = await saveMatched(owner, 'owner');
  const theirs = await savePost(finder, {
    posted_by: 'finder',
    title: 'Kitambulisho 19900101123456',
    location: 'Mwenge',
  });
  await judge(theirs, { [mine]: 'sure' });
  const ofMatch = async () => {
    const { notices } = await (await exportOf(owner)).json<Export>();
    return notices.map(({ type, post_id, title, your_post_id }) => ({ type, post_id, title, your_post_id }));
  };
  expect(await ofMatch()).toEqual([
    { type: 'matching_post', post_id: theirs, title: 'Kitambulisho •••3456', your_post_id: mine },
  ]);
  const text = await (await exportOf(owner)).text();
  for (const notShown of ['19900101123456', 'Mwenge', finder.id, finder.username])
    expect([notShown, text.includes(notShown)]).toEqual([notShown, false]);
  await env.DB.prepare('update posts set hidden_by = 4 where id = ?').bind(theirs).run();
  expect(await ofMatch()).toEqual([{ type: 'matching_post', post_id: null, title: null, your_post_id: mine }]);
});

test('there are three exports a day, each with the password', async () => {
  const person = await newPerson();
  await newPost(person);
  expect((await exportOf(person, WRONG)).status).toBe(403);
  for (let time = 0; time < 3; time++) expect((await exportOf(person)).status).toBe(200);
  const refused = await exportOf(person);
  expect([refused.status, Number(refused.headers.get('Retry-After')) > 3_600]).toEqual([429, true]);
});

test('whoever is suspended has their data all the same, with why', async () => {
  const person = await newPerson();
  await env.DB.batch([
    env.DB.prepare(
      "update users set suspended_at = 1000, suspension_reason = 'Utapeli', email_proven_at = 2000, created_at = 3000 where id = ?",
    ).bind(person.id),
    env.DB.prepare('update phone_numbers set proven_at = 4000 where user_id = ?').bind(person.id),
  ]);
  expect((await (await exportOf(person)).json<Export>()).me).toEqual({
    id: person.id,
    username: person.username,
    email: person.email,
    email_proven_at: '1970-01-01T00:00:02.000Z',
    whatsapp_number: person.phone,
    number_proven_at: '1970-01-01T00:00:04.000Z',
    language: 'en',
    is_platform_admin: false,
    became_platform_admin_at: null,
    suspended_at: '1970-01-01T00:00:01.000Z',
    suspension_reason: 'Utapeli',
    created_at: '1970-01-01T00:00:03.000Z',
  });
  expect((await signIn(person.email, person.password)).status).toBe(200);
});
