import { env } from 'cloudflare:workers';
import type { Post } from '#contract/posts.ts';
import { call, newPerson, newPost, type Person, signIn } from './api.ts';
import { join, newApprovedCommunity, newCommunity } from './communities.ts';
import { judge, saveMatched } from './judged-posts.ts';
import { report } from './moderation.ts';

export function leave(person: Person, password = person.password): Promise<Response> {
  return call('DELETE', '/api/me', { current_password: password }, person);
}

/** Whether the database knows of them. */
export async function isKnown({ id }: { id: string }): Promise<boolean> {
  return (await env.DB.prepare('select 1 from users where id = ?').bind(id).first()) !== null;
}

/** What nobody else writes: by it what somebody has said is found again, wherever it is. */
function newWord(): string {
  return `zumaridi${crypto.randomUUID().replace(/[^a-f]/g, '')}`;
}

/** Somebody who has left something in every place, among others with whom they had to do. */
export async function newLeaver() {
  const { community, creator: leaver, platformAdmin } = await newApprovedCommunity();
  const other = await newPerson();
  const word = newWord();
  await call('PATCH', '/api/me', { username: `Wa ${word}` }, leaver);
  await signIn(leaver.email, leaver.password, { 'User-Agent': `Firefox/1.0 Android ${word}` });
  const post = await newPost(leaver, { title: `Begi la ${word}`, posted_by: 'owner', description: word });
  const theirs = await newPost(other, { title: 'Begi la anayebaki', posted_by: 'finder' });
  const pair = await pairOf(leaver, other);
  await join(community.access_code, other);
  const pending = await newCommunity(leaver);
  await report(theirs.id, leaver, { reason: 'other', text: 'Maneno ya ripoti' });
  await call('POST', '/api/feedback', { email: leaver.email, message: `Asante, ${word}` });
  await call('POST', `/api/posts/${(await newPost(await newPerson())).id}/block-author`, undefined, leaver);
  const number = { whatsapp_number: leaver.phone };
  await call('POST', '/api/auth/request-password-reset', number);
  await call('POST', '/api/me/whatsapp-number', { ...number, current_password: leaver.password }, leaver);
  return { word, leaver, other, platformAdmin, post, theirs, community, pending, pair };
}

/** A post of each of them that are surely about the same thing: the leaver's came later, so that the other is told of it. */
async function pairOf(leaver: Person, other: Person): Promise<{ mine: string; theirs: string }> {
  const theirs = await saveMatched(other, 'finder');
  const mine = await saveMatched(leaver, 'owner');
  await judge(mine, { [theirs]: 'sure' });
  return { mine, theirs };
}

export async function titlesFound(search: string, viewer: Person): Promise<string[]> {
  const answer = await call('GET', `/api/posts?search=${search}`, undefined, viewer);
  return (await answer.json<{ Post: Post }[]>()).map(({ Post }) => Post.title);
}
