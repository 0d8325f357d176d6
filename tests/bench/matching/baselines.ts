import { DatabaseSync } from 'node:sqlite';
import type { FixturePair } from './read-fixtures.ts';

export type BaselineFigures = { name: string; recall: number; precision: number; recallAtFirst: number };

const SHORTEST_KEYWORD = 4;

function textOf(post: FixturePair['lost']): string {
  return `${post.title} ${post.description} ${post.location} ${post.owner_first_name} ${post.owner_last_name}`.toLowerCase();
}

function wordsOf(text: string): string[] {
  return [...new Set(text.match(/[\p{L}\p{N}]+/gu) ?? [])];
}

/** What most systems do: a word of the one title stands in the other post. */
export function measureSubstring(pairs: FixturePair[]): BaselineFigures {
  const overlap = (lost: FixturePair, found: FixturePair): number => {
    const text = textOf(found.found);
    return wordsOf(lost.lost.title.toLowerCase()).filter(
      (word) => word.length >= SHORTEST_KEYWORD && text.includes(word),
    ).length;
  };
  return figures('substring', pairs, overlap, 1);
}

/** SQLite's full-text ranking on the raw words, with the cut-off that serves it best on this very set. */
export function measureBm25(pairs: FixturePair[]): BaselineFigures {
  const db = new DatabaseSync(':memory:');
  db.exec("CREATE VIRTUAL TABLE found USING fts5(text, tokenize = 'unicode61')");
  const insert = db.prepare('INSERT INTO found (rowid, text) VALUES (?, ?)');
  for (const [index, pair] of pairs.entries()) insert.run(index + 1, textOf(pair.found));
  const search = db.prepare('SELECT rowid AS id, -bm25(found) AS rank FROM found WHERE found MATCH ?');
  const ranks = pairs.map((pair) => {
    const query = wordsOf(textOf(pair.lost))
      .map((word) => `"${word}"`)
      .join(' OR ');
    return new Map(search.all(query).map((row) => [Number(row.id) - 1, Number(row.rank)]));
  });
  const positions = new Map(pairs.map((pair, index) => [pair, index]));
  const rank = (lost: FixturePair, found: FixturePair): number =>
    ranks[positions.get(lost) ?? 0]?.get(positions.get(found) ?? 0) ?? 0;
  const cuts = pairs.map((pair) => rank(pair, pair)).filter((cut) => cut > 0);
  const tried = cuts.map((cut) => figures('FTS5 bm25, best cut-off', pairs, rank, cut));
  const quality = (one: BaselineFigures): number =>
    (2 * one.recall * one.precision) / (one.recall + one.precision || 1);
  return tried.sort((a, b) => quality(b) - quality(a))[0] ?? figures('FTS5 bm25', pairs, rank, 1);
}

type Score = (lost: FixturePair, found: FixturePair) => number;

function figures(name: string, pairs: FixturePair[], score: Score, cut: number): BaselineFigures {
  const told = pairs.filter((pair) => score(pair, pair) >= cut);
  const same = pairs.filter((pair) => pair.isSame);
  const right = told.filter((pair) => pair.isSame).length;
  return {
    name,
    recall: right / same.length,
    precision: told.length === 0 ? 1 : right / told.length,
    get recallAtFirst() {
      return same.filter((pair) => isFirst(pair, same, score)).length / same.length;
    },
  };
}

function isFirst(pair: FixturePair, all: FixturePair[], score: Score): boolean {
  const own = score(pair, pair);
  return own > 0 && all.every((other) => other === pair || score(pair, other) < own);
}
