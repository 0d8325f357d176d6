import { beforeAll, expect, test } from 'vitest';
import { newPerson, type Person } from './support/api.ts';
import { countTrips } from './support/count-trips.ts';
import { insertPosts } from './support/insert-posts.ts';

const FEW = 4_000;
const MANY = 16_000;
/** Nothing has both words, nor "ubuz": its trigrams are everywhere. */
const TITLES = ['Simu nyeusi kubwa', 'Mbuzi mweupe wa Bukoba'];

/** Each as a visitor and signed in: it looks at no more than it may at once, so that it costs the same among more. */
const SEARCHES = {
  'one word': 'simu',
  'two words that are everywhere together': 'simu nyeusi',
  'two that are everywhere and nowhere together': 'simu mbuzi',
  'what no post has, of trigrams that all have': 'mweubwa',
  'a phrase': 'mweupe wa bukoba',
  'one letter': 'm',
  'two letters': 'mb',
  'two times two letters that are nowhere together': 'im uz',
  'two letters that are nowhere': 'qz',
  'a word beside two letters that it never has': 'simu zi',
};

let reader: Person;
const rowsAmong: Record<string, { few: number; many: number }> = {};

async function rowsOf(search: string, viewer: Partial<Person>): Promise<number> {
  const path = `/api/posts?search=${encodeURIComponent(search)}&limit=20`;
  // The first time the numbers that it gives are counted.
  await countTrips('GET', path, viewer);
  const { answer, rowsRead, trips } = await countTrips('GET', path, viewer);
  expect([answer.status, trips]).toEqual([200, 1]);
  return rowsRead;
}

beforeAll(async () => {
  const author = await newPerson();
  reader = await newPerson();
  const add = (count: number) =>
    insertPosts(
      author.id,
      Array.from({ length: count }, (_, at) => TITLES[at % 2] ?? ''),
    );
  await add(FEW);
  const few = await measure();
  await add(MANY - FEW);
  const many = await measure();
  for (const name of Object.keys(few)) rowsAmong[name] = { few: few[name] ?? 0, many: many[name] ?? 0 };
}, 120_000);

async function measure(): Promise<Record<string, number>> {
  const rows: Record<string, number> = {};
  for (const [name, search] of Object.entries(SEARCHES)) {
    rows[`${name}, visitor`] = await rowsOf(search, {});
    rows[`${name}, signed in`] = await rowsOf(search, reader);
  }
  return rows;
}

test.each(Object.keys(SEARCHES).flatMap((name) => [`${name}, visitor`, `${name}, signed in`]))(
  'a search for %s reads as many rows among 16,000 posts as among 4,000',
  (name) => {
    const { few, many } = rowsAmong[name] ?? { few: 0, many: 1 };
    expect(many).toBe(few);
    expect(few).toBeGreaterThan(0);
  },
);
