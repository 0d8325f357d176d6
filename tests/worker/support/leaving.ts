import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import type { Post } from '#contract/posts.ts';
import { PushService } from '#tests/support/push-service.ts';
import { call, newPerson, newPost, type Person, signIn } from './api.ts';
import { FOUND, newClaim, read, take } from './claims.ts';
import { join, newApprovedCommunity, newCommunity } from './communities.ts';
import { askForLink, waitForEmails } from './emails.ts';
import { channelOf } from './live.ts';
import { report } from './moderation.ts';
import { PUSH_ORIGIN, put } from './push.ts';
import { judge, saveMatched } from './saved-posts.ts';
import { want } from './waiting.ts';

export function leave(person: Person, password = person.password): Promise<Response> {
  return call('DELETE', '/api/me', { current_password: password }, person);
}

/** Whether the database contains them. */
export async function isKnown({ id }: { id: string }): Promise<boolean> {
  return (await env.DB.prepare('select 1 from users where id = ?').bind(id).first()) !== null;
}

/** A unique text, by which a person's words are found anywhere. */
function newWord(): string {
  return `zumaridi${crypto.randomUUID().replace(/[^a-f]/g, '')}`;
}

/** A person with data in every place, and the others involved. */
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
  await env.DB.prepare('update users set email_proven_at = 1 where id = ?').bind(leaver.id).run();
  await call('POST', `/api/posts/${(await newPost(await newPerson())).id}/block-author`, undefined, leaver);
  const number = { whatsapp_number: leaver.phone };
  await call('POST', '/api/auth/request-password-reset', number);
  await call('POST', '/api/me/whatsapp-number', { ...number, current_password: leaver.password }, leaver);
  return { word, leaver, other, platformAdmin, post, theirs, community, pending, pair };
}

/** The other party's text in a claim. */
export const STAYS = 'Maneno yanayobaki';

/** Like `newLeaver`, with claims on both sides and every channel. */
export async function newEntangledLeaver() {
  const world = await newLeaver();
  const { leaver, other, word } = world;
  await env.DB.prepare('update phone_numbers set proven_at = 1 where user_id in (?, ?)')
    .bind(leaver.id, other.id)
    .run();
  const say: Say = (person) => (person.id === leaver.id ? `Ni ${word}` : STAYS);
  const marked = { title: `Lililookotwa na ${word}`, claim_question: `Swali ${word}`, private_marks: `Alama ${word}` };
  const asFinder = [
    await newMeeting(leaver, other, { ...marked, identifiers: ['TZ1234567'] }, say),
    await newMeeting(leaver, other, marked, say),
    await newMeeting(leaver, other, marked, say),
  ];
  const asClaimant = [await newMeeting(other, leaver, FOUND, say), await newMeeting(other, leaver, FOUND, say)];
  for (const [accepted, handedOver] of [asFinder, asClaimant]) {
    if (accepted) await take(accepted.id, 'accept', accepted.finder);
    if (handedOver) await handOver(handedOver);
  }
  await openChannels(leaver, word);
  return { ...world, claims: [...asFinder, ...asClaimant], digest: await digestOf(asFinder[0]?.postId ?? '') };
}

type Say = (person: Person) => string;
type Meeting = { id: string; postId: string; finder: Person; claimant: Person };

/** A claim with texts by both parties. The word marks the leaver's text. */
async function newMeeting(finder: Person, claimant: Person, post: object, say: Say): Promise<Meeting> {
  const { id: postId } = await newPost(finder, { ...FOUND, ...post });
  const { id } = await newClaim(postId, claimant, { answer: say(claimant) });
  await take(id, 'ask', finder, { text: say(finder) });
  await take(id, 'reply', claimant, { text: say(claimant) });
  return { id, postId, finder, claimant };
}

async function handOver({ id, finder, claimant }: Meeting): Promise<void> {
  await take(id, 'accept', finder);
  await take(id, 'hand-over', finder, { code: (await read(id, claimant)).handover_code });
}

async function digestOf(postId: string): Promise<string> {
  const stored = await env.DB.prepare('select identifiers from posts where id = ?')
    .bind(postId)
    .first<string>('identifiers');
  return JSON.parse(stored ?? '[]')[0];
}

/** A browser, an address that waits for its link, settings, and a WhatsApp message to us. */
async function openChannels(leaver: Person, word: string): Promise<void> {
  await want(leaver, { quiet_from: '21:00', quiet_to: '06:00' });
  const { keys } = new PushService(PUSH_ORIGIN).subscribe();
  await put({ endpoint: `${PUSH_ORIGIN}/${word}`, keys }, leaver);
  await askForLink(leaver, `${word}@example.com`);
  await waitForEmails(`${word}@example.com`);
  await env.DB.batch([
    env.DB.prepare('insert into whatsapp_words (user_id, message_id, is_on, sent_at) values (?, ?, 1, 1)').bind(
      leaver.id,
      word,
    ),
    env.DB.prepare(
      'insert into push_dead_letters (id, notice_id, recorded_at) select ?, id, 1 from notices where recipient_id = ? limit 1',
    ).bind(word, leaver.id),
  ]);
}

/** Two posts that surely match. The leaver's is newer, so the other person is notified. */
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

/** Every row of every table as text, including the search indexes and waiting jobs. */
export async function everyRow(): Promise<string> {
  const { results } = await env.DB.prepare(
    "select name from sqlite_master where type = 'table' and name not like '_cf_%'",
  ).all<{
    name: string;
  }>();
  const tables = await Promise.all(results.map(({ name }) => env.DB.prepare(`select * from "${name}"`).all()));
  return JSON.stringify(tables.map((table) => table.results)).toLowerCase();
}

/** Everything in a person's object's storage, as text. */
export function everythingIn(person: { id: string }): Promise<string> {
  return runInDurableObject(channelOf(person), async (_object, { storage }) => {
    const tables = storage.sql
      .exec<{ name: string }>("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '_cf_%'")
      .toArray();
    const rows = tables.map(({ name }) => [name, storage.sql.exec(`SELECT * FROM "${name}"`).toArray()]);
    return JSON.stringify([rows, [...(await storage.list())]]).toLowerCase();
  });
}
