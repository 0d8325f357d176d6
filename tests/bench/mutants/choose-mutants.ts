import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Breakage } from './breakage.ts';
import { findBreakages } from './find-breakages.ts';

/** A breakage in its place. */
export type Mutant = Breakage & { path: string; noun: string; line: number; original: string };

const SOURCES = '{contract,durable,worker,web}/**/*.{ts,tsx}';
/** What is only text, and what runs in the build or in a built app alone, which the browser tests look at. */
const NOT_HERE = /\.d\.ts$|^web\/(locales\/|service-worker\/|main\.tsx|app\/(prerender|take-over)\.tsx)/;

/**
 * All mutants in the order in which they are to be tried: noun by noun in turn, of each noun another kind of breakage
 * first. A seed gives each noun an order of its own, so that a change in one does not move the others.
 */
export function chooseMutants(root: string, seed: number, only: string[]): Mutant[] {
  const paths = globSync(SOURCES, { cwd: root }).map((path) => path.replaceAll('\\', '/'));
  const mutants = paths
    .filter((path) => only.some((start) => path.startsWith(start)) && !NOT_HERE.test(path))
    .flatMap((path) => mutantsOf(path, readFileSync(join(root, path), 'utf8')));
  const nouns = Map.groupBy(mutants, ({ noun }) => noun);
  const order = shuffle([...nouns.keys()], seed, (noun) => noun);
  return takeTurns(order.map((noun) => takeTurns(shuffleKinds(nouns.get(noun) ?? [], seed))));
}

function shuffleKinds(mutants: Mutant[], seed: number): Mutant[][] {
  const kinds = Map.groupBy(shuffle(mutants, seed, nameOf), ({ kind }) => kind);
  return shuffle([...kinds.values()], seed, ([first]) => first?.kind ?? '');
}

function mutantsOf(path: string, source: string): Mutant[] {
  return findBreakages(path, source).map((breakage) => {
    const { start, end } = breakage;
    const original = source.slice(start, end);
    const line = source.slice(0, start).split('\n').length;
    return { ...breakage, path, noun: nounOf(path), line, original };
  });
}

function nameOf({ path, start, end, replacement }: Mutant): string {
  return `${path} ${start} ${end} ${replacement}`;
}

/** `worker/posts`, `web/lib`; the files beside such a folder are its parent's. */
function nounOf(path: string): string {
  const [area = '', folder = ''] = path.split('/');
  return /^(worker|web)$/.test(area) && !folder.includes('.') ? `${area}/${folder}` : area;
}

/** The same order for the same seed and the same names. */
function shuffle<Item>(items: Item[], seed: number, nameItem: (item: Item) => string): Item[] {
  return items
    .map((item) => ({ item, rank: digest(`${seed} ${nameItem(item)}`) }))
    .sort((left, right) => (left.rank < right.rank ? -1 : 1))
    .map(({ item }) => item);
}

function takeTurns<Item>(rows: Item[][]): Item[] {
  const longest = Math.max(0, ...rows.map((row) => row.length));
  return Array.from({ length: longest }, (_, turn) => rows.flatMap((row) => row.slice(turn, turn + 1))).flat();
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
