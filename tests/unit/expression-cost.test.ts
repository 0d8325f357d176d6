import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAst } from 'vite';
import { expect, test } from 'vitest';
import { speaksOfMoney } from '#worker/claims/claim-rules.ts';
import { foldPhrase, splitSearch, toSearchText } from '#worker/db/search-text.ts';
import { indexTerms, lookupTerms } from '#worker/matching/index-terms.ts';
import { judgePair } from '#worker/matching/judging/match-rules.ts';
import { type MatchablePost, readPost } from '#worker/matching/reading/read-post.ts';
import { hideContacts, hideLongNumbers } from '#worker/redaction/hide-contacts.ts';
import { hideAnyContact } from '#worker/redaction/redact-for.ts';
import { makePost } from './matching/make-post.ts';

/**
 * About a part of a regular expression. `samples`: texts that match the part. `cues`: texts after which a repetition
 * inside the part begins.
 */
type Reading = { samples: string[]; cues: string[] };

/** Characters tried for a character class such as `[a-z]` or an escape such as `\d`. */
const CANDIDATES = [...' 1aA.-,:/@#°×’(\n\t*€é'];
/**
 * If all alternatives are plain words, as in `(?:one|two)`, only this many are tried: the same part of the expression
 * follows each word.
 */
const WORDS_MAX = 12;

/**
 * Lists texts that match the expression, and texts after which a repeated part of the expression begins: in
 * `last (four )?\d+`, digits repeat after "last " and after "last four ". Every alternative occurs at least once; if
 * all alternatives are plain texts, only the first WORDS_MAX occur. Assertions and back references count as empty.
 */
function listCues({ source, flags }: RegExp): string[] {
  let at = 0;

  function read(pattern: RegExp): string {
    const [text = ''] = new RegExp(pattern.source, 'sy').exec(source.slice(at)) ?? [];
    at += text.length;
    return text;
  }

  function readAlternatives(): Reading {
    const alternatives = [readSequence()];
    while (read(/\|/) !== '') alternatives.push(readSequence());
    const arePlain = alternatives.every(({ samples, cues }) => samples.length === 1 && cues.length === 0);
    const some = arePlain ? alternatives.slice(0, WORDS_MAX) : alternatives;
    return { samples: some.flatMap(({ samples }) => samples), cues: some.flatMap(({ cues }) => cues) };
  }

  /**
   * Reads consecutive parts of an expression. Each returned sample consists of the first sample of every earlier part
   * and one sample of the last part.
   */
  function readSequence(): Reading {
    let samples = [''];
    const cues: string[] = [];
    while (at < source.length && !/[|)]/.test(source[at] ?? '')) {
      const atom = readAtom();
      const quantifier = read(/(?:[*+?]|\{\d+(?:,\d*)?\})\??/);
      const count = Math.max(1, Number(/\d+/.exec(quantifier)?.[0] ?? 1));
      const [first = '', ...others] = atom.samples.map((sample) => sample.repeat(count));
      const [start = ''] = samples;
      if (quantifier !== '') cues.push(...samples);
      cues.push(...atom.cues.map((cue) => start + cue));
      const isOptional = /^(?:[*?]|\{0)/.test(quantifier);
      const varied = isOptional ? [first, ...others] : others;
      samples = [
        ...samples.map((sample) => sample + (isOptional ? '' : first)),
        ...varied.map((sample) => start + sample),
      ];
    }
    return { samples: [...new Set(samples)], cues: [...new Set(cues)] };
  }

  function readAtom(): Reading {
    if (read(/\^|\$|\\[bB]|\\k<[^>]*>/) !== '') return { samples: [''], cues: [] };
    const opening = read(/\((?:\?(?:<?[=!]|:|<[^>]*>))?/);
    if (opening === '')
      return { samples: [sampleOf(read(/\[(?:\\.|[^\]])*\]|\\[pP]\{[^}]*\}|\\u[\da-f]{4}|\\.|./))], cues: [] };
    const inside = readAlternatives();
    read(/\)/);
    return /[=!]$/.test(opening) ? { ...inside, samples: [''] } : inside;
  }

  function sampleOf(atom: string): string {
    if (/^[\w ]$/.test(atom)) return atom;
    const one = new RegExp(`^${atom}$`, flags.replace(/[gy]/g, ''));
    return CANDIDATES.find((sign) => one.test(sign)) ?? '';
  }

  const { samples, cues } = readAlternatives();
  return [...new Set(['', ...cues, ...samples])];
}

const ROOT = join(import.meta.dirname, '../..');
/** The folders with regular expressions that may run on a client's text. */
const FOLDERS = ['contract', 'durable', 'worker'];
/** The longest text of a post, in characters. */
const LENGTH = 2_000;
const MOST_MS = 50;
/** The fastest of several runs counts, because another process may slow down the others. */
const RUNS_MAX = 6;
const HOPELESS_MS = 10 * MOST_MS;
const SIGNS = [' ', '\n', '\t', '\u00a0', '.', '*', '1', 'a', 'A'];
/**
 * A test text repeats one of these words, so that each copy may begin a match of a regular expression. Unicode folding
 * turns the last word into 18 characters.
 */
const WORDS = ['red ', 'moja ', 'no ', 'ng’ombe ', 'a@', '1.', '1l ', '0712 ', 'ﷺ'];
const MOST_MS_FOR_WORDS = 250;

type Site = { file: string; expression: RegExp };

const files = FOLDERS.flatMap((folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.d.ts'))
    .map((name) => join(folder, name)),
);

function readSource(file: string): string {
  return readFileSync(join(ROOT, file), 'utf8');
}

/** The regular expressions that a file contains as literals. */
function listLiterals(file: string): Site[] {
  const found: Site[] = [];
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    if ('regex' in node) {
      const { pattern, flags } = node.regex as { pattern: string; flags: string };
      found.push({ file, expression: new RegExp(pattern, flags) });
    }
    for (const inside of Object.values(node)) visit(inside);
  };
  visit(parseAst(readSource(file), { lang: 'ts' }));
  return found;
}

const built = new Map<string, Site[]>();

/** The regular expressions that a file builds while it loads. To record them, loads a separate copy of the file. */
async function listBuilt(file: string): Promise<Site[]> {
  const known = built.get(file);
  if (known) return known;
  const found: Site[] = [];
  built.set(file, found);
  const Native = globalThis.RegExp;
  globalThis.RegExp = new Proxy(Native, {
    construct(target, [source, flags]: [string, string?]) {
      const expression = new target(source, flags);
      found.push({ file, expression });
      return expression;
    },
  });
  try {
    await import(/* @vite-ignore */ `${join(ROOT, file)}?built`);
  } finally {
    globalThis.RegExp = Native;
  }
  return found;
}

const building = files.filter((file) => readSource(file).includes('RegExp('));

/**
 * Returns the time of the fastest of up to RUNS_MAX runs. Stops early after a run within the limit, or after two runs
 * that are both so slow that a busy machine cannot be the reason.
 */
function measure(run: () => unknown, mostMs = MOST_MS): number {
  let best = Number.POSITIVE_INFINITY;
  for (let count = 0; count < RUNS_MAX && best > mostMs && !(count > 1 && best > HOPELESS_MS); count++) {
    const startedAt = performance.now();
    run();
    best = Math.min(best, performance.now() - startedAt);
  }
  return best;
}

/** Returns the first text on which an expression is too slow. */
function findSlow({ file, expression }: Site): string[] {
  const all = expression.global ? expression : new RegExp(expression.source, `${expression.flags}g`);
  for (const cue of listCues(expression)) {
    for (const sign of SIGNS) {
      const run = cue + sign.repeat(LENGTH);
      // The added character prevents a match of an expression that ends with `$`.
      const ms = measure(() => [run, `${run}\u0001`].map((text) => text.replace(all, '')));
      if (ms > MOST_MS) return [`${file} ${expression} after ${JSON.stringify(cue + sign)}: ${Math.round(ms)} ms`];
    }
  }
  return [];
}

test('every RegExp(…) call in a module runs when the module loads, so that the speed check can find the regular expression', async () => {
  for (const file of building) {
    const sites = readSource(file).match(/\bRegExp\(/g) ?? [];
    expect((await listBuilt(file)).length, file).toBeGreaterThanOrEqual(sites.length);
  }
});

test('each regular expression of the Worker takes at most 50 ms for a text that repeats one character 2,000 times', async () => {
  const sites = files.flatMap(listLiterals);
  for (const file of building) sites.push(...(await listBuilt(file)));
  const distinct = new Map(sites.map((site) => [String(site.expression), site]));
  expect([...distinct.values()].flatMap(findSlow)).toEqual([]);
}, 120_000);

const lost = makePost('Nimepoteza simu | | Manzese |');

function readAndJudge(changes: Partial<MatchablePost>) {
  const reading = readPost({ ...lost, ...changes });
  indexTerms(reading);
  lookupTerms(reading);
  return judgePair(reading, reading);
}

const WHOLE: Record<string, (text: string) => unknown> = {
  'reading a description': (text) => readAndJudge({ description: text }),
  'reading a title': (text) => readAndJudge({ title: text }),
  'reading a place': (text) => readAndJudge({ location: text }),
  'reading a name': (text) => readAndJudge({ owner_first_name: text, owner_last_name: text }),
  'hiding contacts': hideContacts,
  'hiding numbers': hideLongNumbers,
  'hiding contacts in claims': hideAnyContact,
  'normalising a post’s text for search': (text) => toSearchText([text]),
  'normalising a search': (text) => [foldPhrase(text), splitSearch(text)],
  'looking for a sum of money': speaksOfMoney,
};

/** Returns the first characters and the time of each text for which the operation `name` of WHOLE is too slow. */
function listSlow(name: string, units: string[], mostMs: number): string[] {
  return units.flatMap((unit) => {
    const text = unit.repeat(Math.ceil(LENGTH / unit.length)).slice(0, LENGTH);
    const ms = measure(() => WHOLE[name]?.(text), mostMs);
    return ms > mostMs ? [`${JSON.stringify(unit.slice(0, 8))}: ${Math.round(ms)} ms`] : [];
  });
}

test.each(Object.keys(WHOLE))(
  'the operation “%s” takes at most 50 ms for a text that repeats one character 2,000 times',
  (name) => {
    const units = [...SIGNS, ...SIGNS.map((sign) => `last ${sign.repeat(LENGTH)}`)];
    expect(listSlow(name, units, MOST_MS)).toEqual([]);
  },
);

test.each(Object.keys(WHOLE))(
  'the operation “%s” takes at most 250 ms for a text of 2,000 characters that repeats one word',
  (name) => {
    expect(listSlow(name, WORDS, MOST_MS_FOR_WORDS)).toEqual([]);
  },
);
