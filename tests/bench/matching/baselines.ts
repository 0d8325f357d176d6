import { DatabaseSync } from 'node:sqlite';
import type { MatchablePost } from '#worker/matching/reading/read-post.ts';
import { type Rate, rateOf } from './rates.ts';
import type { FixturePair } from './read-fixtures.ts';

/**
 * A search method with which the matching is compared. Returns the scores of found posts for a lost post, by the index
 * of the found post.
 */
export type Search = (lost: MatchablePost) => ReadonlyMap<number, number>;

export type BaselineFigures = { name: string; cut: number; recall: Rate; precision: Rate; firstPlace: Rate };

const SHORTEST_KEYWORD = 4;

function textOf(post: MatchablePost): string {
  return `${post.title} ${post.description} ${post.location} ${post.owner_first_name} ${post.owner_last_name}`.toLowerCase();
}

function wordsOf(text: string): string[] {
  return [...new Set(text.match(/[\p{L}\p{N}]+/gu) ?? [])];
}

/** Scores each found post by how many words of the lost post's title the found post contains. Ignores short words. */
export function substringSearch(found: readonly MatchablePost[]): Search {
  const texts = found.map(textOf);
  return (lost) => {
    const words = wordsOf(lost.title.toLowerCase()).filter((word) => word.length >= SHORTEST_KEYWORD);
    return new Map(texts.map((text, at) => [at, words.filter((word) => text.includes(word)).length]));
  };
}

/** Scores found posts by BM25, the ranking of SQLite's full-text search, on the words as written. */
export function bm25Search(found: readonly MatchablePost[]): Search {
  const db = new DatabaseSync(':memory:');
  db.exec("CREATE VIRTUAL TABLE found USING fts5(text, tokenize = 'unicode61')");
  const insert = db.prepare('INSERT INTO found (rowid, text) VALUES (?, ?)');
  for (const [at, post] of found.entries()) insert.run(at + 1, textOf(post));
  const search = db.prepare('SELECT rowid AS id, -bm25(found) AS rank FROM found WHERE found MATCH ?');
  return (lost) => {
    const query = wordsOf(textOf(lost))
      .map((word) => `"${word}"`)
      .join(' OR ');
    return new Map(search.all(query).map((row) => [Number(row.id) - 1, Number(row.rank)]));
  };
}

export function measureSubstring(pairs: readonly FixturePair[]): BaselineFigures {
  return atCut('substring', scoresOf(pairs, substringSearch(pairs.map(({ found }) => found))), 1);
}

/** Measures BM25 with the cut-off score that gives the highest F1 score (of recall and precision) on these pairs. */
export function measureBm25(pairs: readonly FixturePair[]): BaselineFigures {
  const scores = scoresOf(pairs, bm25Search(pairs.map(({ found }) => found)));
  const cuts = scores.map(({ own }) => own).filter((own) => own > 0);
  const qualityAt = (cut: number): number => {
    const { recall, precision } = atCut('', scores, cut);
    return (2 * recall.rate * precision.rate) / (recall.rate + precision.rate || 1);
  };
  const tried = cuts.map((cut) => ({ cut, quality: qualityAt(cut) })).sort((a, b) => b.quality - a.quality);
  return atCut('FTS5 bm25, best cut-off', scores, tried[0]?.cut ?? 1);
}

type Scores = { isSame: boolean; own: number; isFirst: boolean };

function scoresOf(pairs: readonly FixturePair[], search: Search): Scores[] {
  return pairs.map(({ isSame, lost }, at) => {
    const scores = search(lost);
    const own = scores.get(at) ?? 0;
    const isFirst = own > 0 && [...scores].every(([other, score]) => other === at || score < own);
    return { isSame, own, isFirst };
  });
}

function atCut(name: string, scores: Scores[], cut: number): BaselineFigures {
  const told = scores.filter(({ own }) => own >= cut);
  const same = scores.filter(({ isSame }) => isSame);
  const right = told.filter(({ isSame }) => isSame).length;
  return {
    name,
    cut,
    recall: rateOf(right, same.length),
    precision: rateOf(right, told.length),
    firstPlace: rateOf(same.filter(({ isFirst }) => isFirst).length, same.length),
  };
}
