import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { NOUN_EDGES } from '#scripts/check-imports.ts';

const ROOT = join(import.meta.dirname, '../..');
const GROUND = ['db', 'errors', 'http', 'identity', 'limits'];
const PICTURE = readFileSync(join(ROOT, 'docs/architecture.md'), 'utf8');

/** What a subgraph of the picture shows: its boxes and its arrows. */
function readSubgraph(name: string): { boxes: string[]; arrows: string[] } {
  const body = new RegExp(`subgraph ${name}\\[.*\\]\\n([\\s\\S]*?)\\n {2}end`).exec(PICTURE)?.[1] ?? '';
  const lines = body.split('\n').map((line) => line.trim());
  const chains = lines.map((line) => line.split(' --> '));
  const arrows = chains.flatMap((chain) => chain.slice(1).map((to, index) => `${chain[index]} → ${to}`));
  return { boxes: [...new Set(chains.flat())].sort(), arrows: arrows.sort() };
}

test('the diagram shows the same nouns and edges as NOUN_EDGES', () => {
  const { boxes, arrows } = readSubgraph('nouns');
  const allowed = Object.entries(NOUN_EDGES).flatMap(([noun, others]) => others.map((other) => `${noun} → ${other}`));
  expect(arrows).toEqual(allowed.sort());
  expect(boxes).toEqual(Object.keys(NOUN_EDGES).sort());
});

test('every folder of the Worker is in the diagram, and nothing else', () => {
  const rooms = readdirSync(join(ROOT, 'worker'), { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const shown = [...readSubgraph('nouns').boxes, ...readSubgraph('ground').boxes].sort();
  expect(rooms.map(({ name }) => name).sort()).toEqual(shown);
  expect(readSubgraph('ground').boxes).toEqual(GROUND);
});

test('no noun imports itself through others', () => {
  const reach = (noun: string, seen: string[]): string[] =>
    (NOUN_EDGES[noun] ?? []).flatMap((next) => (seen.includes(next) ? [next] : reach(next, [...seen, next])));
  expect(Object.keys(NOUN_EDGES).flatMap((noun) => reach(noun, [noun]))).toEqual([]);
});
