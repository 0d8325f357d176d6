import { NUMBER_OR_ORDINAL, numberOf } from './spoken-numbers.ts';

export type Slot =
  | 'number'
  | 'plot'
  | 'block'
  | 'room'
  | 'seat'
  | 'tag'
  | 'jersey'
  | 'class'
  | 'form'
  | 'volume'
  | 'file'
  | 'route'
  | 'group'
  | 'chapter'
  | 'line'
  | 'year';

/** What a cue gives a value: plot 45, Form Two, jersey number 10, block C. */
export type SlotValue = { slot: Slot; value: string };

const CUES: ReadonlyArray<readonly [Slot, string]> = [
  ['plot', 'plot|ploti|kiwanja|shamba namba|farm'],
  ['block', 'block|bloku|blok|kitalu'],
  ['room', 'room|chumba|ofisi namba|office'],
  ['seat', 'seat|siti|kiti'],
  ['tag', 'ear ?tags?|tags?|tegi|hereni|lebo|label'],
  ['jersey', 'jersey|jezi|shirt'],
  ['class', 'class|darasa|standard|std|grade'],
  ['form', 'form|kidato'],
  ['volume', 'volume|vol|toleo|juzuu|part|sehemu|book|kitabu'],
  ['file', 'file|faili|jalada'],
  ['route', 'route|ruti|njia'],
  ['group', 'group|kundi|kikundi|team|timu'],
  ['chapter', 'chapter|sura'],
  ['line', 'line|laini|mstari'],
  ['number', 'number|numbers|namba|nambari|no|nos|na\\.|n°|#'],
];
/** Between the cue and its value: "jezi yenye namba 10", "plot no. 45". */
const FILLER =
  '(?:\\s*(?:namba|nambari|number|numbered|no|yenye|ina|iliyo|ya|la|cha|za|ni|is|:|\\.|#|-|with|the))*\\s*';
const CODE = '(?:[a-z]{1,3}[ /-]?\\d{1,4}|\\d{1,4}[a-z]?)';
/** A letter alone is a value after these only. */
const LETTERED = ['block', 'class', 'form', 'room', 'group', 'route'];
const YEAR = /(?<![\d/.-])(19[5-9]\d|20[0-4]\d)(?![\d/.-])/g;

const PATTERNS = CUES.map(([slot, cue]) => {
  const letter = LETTERED.includes(slot) ? '|[a-h](?![a-z])' : '';
  const ordinal = slot === 'number' ? '' : `|${NUMBER_OR_ORDINAL}`;
  return { slot, pattern: new RegExp(`(?<![a-z])(?:${cue})${FILLER}(${CODE}${letter}${ordinal})(?![a-z\\d])`, 'g') };
});

/** @param text folded: small letters, no accents; without the numbers that name one single thing, and without money. */
export function readValues(text: string): SlotValue[] {
  const taken = new Set<number>();
  const values = PATTERNS.flatMap(({ slot, pattern }) =>
    [...text.matchAll(pattern)].flatMap((found) => {
      const said = found[1] ?? '';
      const end = found.index + found[0].length;
      if (taken.has(end)) return [];
      taken.add(end);
      return [{ slot, value: normalise(said) }];
    }),
  );
  const years = [...text.matchAll(YEAR)].map(([year]) => ({ slot: 'year' as const, value: year }));
  return [...values, ...years];
}

/** "02", "2", "two" and "mbili" are one value; "b 12" and "B12" too. */
function normalise(said: string): string {
  const number = /^[a-z ]+$/.test(said) ? numberOf(said) : 0;
  return number > 0 ? String(number) : said.replace(/[ /-]/g, '').replace(/^0+(?=\d)/, '');
}
