import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { ask, CutOff, type Person } from '#tests/bench/kills/client.ts';
import type { Dice } from '#tests/support/dice.ts';

/**
 * An identity card that some people have lost and others have found. All posts contain its number, so they all match.
 */
export type Thing = { name: string; number: string; owners: Person[]; finders: Person[] };
export type Draft = { author: Person; body: Record<string, unknown>; key: string };
/** When the response to each new post arrived (a time of `performance.now`), by the post's id. */
export type Answers = Map<string, number>;

const LETTERS = [...'abcdefghijklmnopqrstuvwxyz'];
const NAME_CHARS = 14;
const NUMBER_DIGITS = 20;
const MAKERS = 8;

/** @param each how many people look for each thing, and how many find it. */
export function makeThings(
  people: readonly Person[],
  count: number,
  each: { owners: number; finders: number },
  dice: Dice,
): Thing[] {
  const text = (length: number, of: readonly string[]) => Array.from({ length }, () => dice.pick(of)).join('');
  const sides = each.owners + each.finders;
  const stride = Math.floor(people.length / sides);
  return Array.from({ length: count }, (_, n) => {
    const concerned = Array.from({ length: sides }, (_, nth) => people[(n + nth * stride) % people.length] as Person);
    return {
      name: `M${text(NAME_CHARS, LETTERS)}`,
      number: text(NUMBER_DIGITS, [...'0123456789']),
      owners: concerned.slice(0, each.owners),
      finders: concerned.slice(each.owners),
    };
  });
}

export function lostPosts(things: readonly Thing[]): Draft[] {
  return things.flatMap((thing) =>
    thing.owners.map((author) => draft(author, thing, 'owner', `Nimepoteza kitambulisho cha NIDA ${thing.name}`)),
  );
}

/** @param nth which of each thing's finders creates the post: an index into `finders`. */
export function foundPosts(things: readonly Thing[], nth: number): Draft[] {
  return things.map((thing) => draft(thing.finders[nth] as Person, thing, 'finder', `Found a NIDA card ${thing.name}`));
}

function draft(author: Person, { name, number }: Thing, posted_by: 'owner' | 'finder', title: string): Draft {
  const names = { owner_first_name: 'Neema', owner_last_name: name };
  const place = { location: 'Kariakoo', phone_number: '0712345678', description: '' };
  return { author, key: randomUUID(), body: { ...names, ...place, posted_by, title, identifiers: [number] } };
}

/**
 * Posts everything as fast as possible, several at once. Wrangler may reload the Worker at first, so interrupted posts
 * are repeated.
 */
export async function postQuickly(origin: string, drafts: readonly Draft[]): Promise<void> {
  const left = [...drafts];
  const work = async () => {
    for (let one = left.pop(); one; one = left.pop()) {
      try {
        await post(origin, one);
      } catch (error) {
        if (!(error instanceof CutOff)) throw error;
        left.push(one);
      }
    }
  };
  await Promise.all(Array.from({ length: MAKERS }, work));
}

/**
 * Creates posts at an even pace: does not wait for one response before the next request.
 * @returns the posts whose request was cut off before a response.
 */
export async function postEvenly(
  origin: string,
  drafts: readonly Draft[],
  { perSecond, answers }: { perSecond: number; answers: Answers },
): Promise<Draft[]> {
  const begin = performance.now();
  const cutOff: Draft[] = [];
  const under = drafts.map(async (one, n) => {
    await sleep(Math.max(0, begin + (1_000 * n) / perSecond - performance.now()));
    try {
      answers.set(await post(origin, one), performance.now());
    } catch (error) {
      if (!(error instanceof CutOff)) throw error;
      cutOff.push(one);
    }
  });
  await Promise.all(under);
  return cutOff;
}

async function post(origin: string, { author, body, key }: Draft): Promise<string> {
  const answer = await ask(origin, 'POST', '/posts', { token: author.token, body, key });
  if (answer.status !== 201 || !answer.body.id) throw new Error(`A post was answered ${answer.status}`);
  return answer.body.id;
}
