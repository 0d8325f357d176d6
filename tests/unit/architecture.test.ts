import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  GROUND,
  isTop,
  isWorkerNoun,
  listImports,
  NOUN_EDGES,
  readSources,
  roomOf,
} from '#scripts/lint/check-imports.ts';

const ROOT = join(import.meta.dirname, '../..');
const PICTURE = /```mermaid\n([\s\S]*?)```/.exec(readFileSync(join(ROOT, 'docs/architecture.md'), 'utf8'))?.[1] ?? '';
const NOUNS = Object.keys(NOUN_EDGES).sort();

/** Boxes and arrows of some lines of the picture; a box is named by what stands before its label. */
function read(lines: string): { boxes: string[]; arrows: string[] } {
  const chains = lines
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => line.split(' --> ').map((box) => box.trim().replace(/\[.*/, '')));
  const arrows = chains.flatMap((chain) => chain.slice(1).map((to, index) => `${chain[index]} → ${to}`));
  return { boxes: [...new Set(chains.flat())].sort(), arrows: arrows.sort() };
}

const SUBGRAPH = /^ {2}subgraph (\w+).*\n([\s\S]*?)^ {2}end\n/gm;
const SUBGRAPHS = Object.fromEntries([...PICTURE.matchAll(SUBGRAPH)].map(([, name = '', lines = '']) => [name, lines]));

/** What of the application runs, by file; its imports lead to files of the project alone. */
const IMPORTS = readSources().flatMap(([from, source]) =>
  /^(contract|worker|durable|web)\//.test(from)
    ? listImports(from, source).flatMap(({ to }) => (/\.(tsx?|css|json)$/.test(to) ? [{ from, to }] : []))
    : [],
);

const isRoute = (path: string) => path.endsWith('routes.ts');

function sorted(edges: string[]): string[] {
  return [...new Set(edges)].sort();
}

test('the diagram shows the same nouns and edges as NOUN_EDGES', () => {
  const { boxes, arrows } = read(SUBGRAPHS.nouns ?? '');
  const allowed = Object.entries(NOUN_EDGES).flatMap(([noun, others]) => others.map((other) => `${noun} → ${other}`));
  expect(arrows).toEqual(allowed.sort());
  expect(boxes).toEqual(NOUNS);
});

test('each of these edges is one of the code', () => {
  const edges = IMPORTS.filter(({ from, to }) => isWorkerNoun(from) && !isRoute(from) && isWorkerNoun(to))
    .map(({ from, to }) => [roomOf(from), roomOf(to)])
    .filter(([noun, other]) => noun !== other)
    .map(([noun, other]) => `${noun} → ${other}`);
  expect(read(SUBGRAPHS.nouns ?? '').arrows).toEqual(sorted(edges));
});

test('every folder of the Worker is in the diagram, and nothing else', () => {
  const rooms = readdirSync(join(ROOT, 'worker'), { withFileTypes: true }).filter((entry) => entry.isDirectory());
  expect(rooms.map(({ name }) => name).sort()).toEqual([...NOUNS, ...GROUND].sort());
  const chain = GROUND.slice(1).map((room, index) => `${room} → ${GROUND[index]}`);
  expect(read(SUBGRAPHS.ground ?? '')).toEqual({ boxes: [...GROUND].sort(), arrows: chain.sort() });
});

test('every file of the top floor is in the diagram', () => {
  const files = readdirSync(join(ROOT, 'worker')).filter((name) => isTop(`worker/${name}`));
  const named = /\["(.*?)"\]/.exec(SUBGRAPHS.top ?? '')?.[1]?.split(', ') ?? [];
  expect(named.sort()).toEqual(files.sort());
});

test('the floors import along the arrows of the diagram, or past a floor, and every one does', () => {
  const { arrows } = read(PICTURE.replace(SUBGRAPH, '').replace(/^flowchart.*\n/, ''));
  const below = (floor: string): string[] =>
    arrows.map((arrow) => arrow.split(' → ')).flatMap(([from, to = '']) => (from === floor ? [to, ...below(to)] : []));
  const floorOf = (path: string) => {
    if (!path.startsWith('worker/')) return roomOf(`/${path}`);
    if (isTop(path) || isRoute(path)) return 'top';
    return NOUNS.includes(roomOf(path)) ? 'nouns' : 'ground';
  };
  const edges = IMPORTS.filter(({ from, to }) => floorOf(from) !== floorOf(to))
    // The bindings name the objects' class, as a type.
    .filter(({ from, to }) => from !== 'worker/env.ts' || !to.startsWith('durable/'))
    .map(({ from, to }) => `${floorOf(from)} → ${floorOf(to)}`);
  const floors = ['top', 'nouns', 'durable', 'ground', 'contract', 'web'];
  expect(sorted(edges)).toEqual(sorted(floors.flatMap((floor) => below(floor).map((to) => `${floor} → ${to}`))));
});

test('no noun imports itself through others', () => {
  const reach = (noun: string, seen: string[]): string[] =>
    (NOUN_EDGES[noun] ?? []).flatMap((next) => (seen.includes(next) ? [next] : reach(next, [...seen, next])));
  expect(NOUNS.flatMap((noun) => reach(noun, [noun]))).toEqual([]);
});
