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
  | 'code'
  | 'figures'
  | 'initials'
  | 'letters'
  | 'side'
  | 'dimensions'
  | 'reference'
  | 'serial'
  | 'year'
  | 'born'
  | 'rim';

/**
 * A value and its slot. The slot is the kind of value that the word before the value (the cue) indicates: plot 45, Form
 * Two, jersey number 10, block C.
 */
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
  ['number', 'marked|number|numbers|namba|nambari|no|nos|na\\.|n°|#'],
];
/** Words that may be between a value and the word that announces the value: "jezi yenye namba 10", "plot no. 45". */
const FILLER =
  '(?:\\s?(?:namba|nambari|number|numbered|no|yenye|ina|iliyo|ya|la|cha|za|ni|is|stamped|written|painted|:|\\.|#|-|with|the)){0,8}\\s?';
const CODE = '(?:[a-z]{1,3}[ /-]?\\d{1,4}|\\d{1,4}[a-z]?)';
/** A single letter is a value only after the words for these kinds of value: "block C". */
const LETTERED = ['block', 'class', 'form', 'room', 'group', 'route'];
const YEAR_ONLY = /^(?:19[5-9]|20[0-4])\d$/;
const TYRE = /(?<![a-z])(?:tyres?|tires?|tairi|matairi|rims?|rimu)(?![a-z])/;
/** Sizes of a rim: R14, "size 13", "16 inch". */
const RIM =
  /(?<![a-z])r ?(1[2-9]|2[0-4])(?!\d)|(?:size|saizi|inchi|inch) ?(?:ya |ni )?(1[2-9]|2[0-4])(?!\d)|(?<!\d)(1[2-9]|2[0-4]) ?-?(?:inch|inchi|nchi)/g;
/** A birth date or year: "born 14/03/1999", "kazaliwa 3/2023", "mzee wa 1955". */
const BORN =
  /(?<![a-z])(?:born|dob|date of birth|(?:a?li?|a?me|ka)?(?:ye)?zaliwa|mzee wa|bibi wa|kijana wa)(?:\s(?:in|on|mwaka|wa|tarehe|is|:)){0,8}[\s:]{0,8}(?:[a-z]{3,9} |\d{1,2}[\s/.-]){0,2}((?:19|20)\d\d)(?!\d)/g;
const YEAR = /(?<![\d/.-])(19[5-9]\d|20[0-4]\d)(?![\d/.-])/g;

const PATTERNS = CUES.map(([slot, cue]) => {
  const letter = LETTERED.includes(slot) ? '|[a-h](?![a-z])' : '';
  // An ordinal, such as the Roman numeral I, may not be on a new line: in "My back seat\nI drive", "I" is a pronoun.
  const ordinal = slot === 'number' ? '' : `|(?<!\\n)(?:${NUMBER_OR_ORDINAL})`;
  return {
    slot,
    pattern: new RegExp(`(?<![a-z])(?:${cue})(?![a-z])${FILLER}(${CODE}${letter}${ordinal})(?![a-z\\d])`, 'g'),
  };
});

/** Letters and digits that are neither a plate nor a serial number: A14, TZ 118, MC 5. */
const LETTERS_AND_FIGURES = /(?<![\p{L}\d])(\p{L}{1,3})([ -]?)(\d{1,4})(?![\p{L}\d%])/gu;
const FIGURES = /(?<![\p{L}\d/.,-])(\d{3,4})(?![\p{L}\d/:]|[.,]\d)/gu;
/** Initials after a word that announces them: "Alama MK", "letters A.K", "initials S J". */
const INITIALS =
  /(?:alama|herufi|letters?|initials?|marked|mark|brand(?:ed)?|stamped|chapa|kifupi)(?:\s(?:ya|za|la|ni|of|is|are|the|with|moto)){0,8}[\s:"']{0,8}(\p{Lu}(?:[ .&]?\p{Lu}){0,3})(?![\p{L}\d])/gu;
/** Letters that can only be initials: "G & N", "J.K.". */
const JOINED_INITIALS = /(?<![\p{L}\d&])(\p{Lu}(?:\.? ?[&+] ?|\. ?)\p{Lu}(?:\. ?\p{Lu})?)(?![\p{L}\d])/gu;
/** Cattle brands: "Chapa MS12 paja la kushoto", "brand on left thigh NG40". */
const BRAND_MARK = /(?:chapa|brand(?:ed)?|muhuri)[^.;,\n]{0,25}?(?<![\p{L}\d])(\p{Lu}{1,3} ?\d{1,3})(?![\p{L}\d])/gu;
/**
 * Two capitals that no word announces as initials ("KM cut in it"). They count as initials only if the post that is
 * compared with this post has the same initials.
 */
const TWO_LETTERS = /(?<![\p{L}\d&])(\p{Lu}{2})(?![\p{L}\d])/gu;
/** Digits with a letter that is not a unit: 7C, 4B. */
const FIGURES_AND_LETTER = /(?<![\p{L}\d.,/-])(\d{1,4})([a-fj-knp-uz])(?![\p{L}\d])/gu;
const SIDED =
  'ear|eye|leg|thigh|shoulder|cheek|hip|knee|ankle|wrist|elbow|finger|thumb|flank|rump|wing|breast|temple|hand|shoe|sock|boot|crutch|headlight|tail ?light|lamp|fender|bumper|strap|pocket|corner|rear|foot|one|arm|lens|horn|handle|wheel|mirror|door|pedal|side|sleeve|sandal|slipper|glove|boot|earring|indicator|light';
const SIDES: ReadonlyArray<readonly [string, RegExp]> = [
  ['left', new RegExp(`\\bleft[- ](?:hand |front |back |rear |hind )?(?:${SIDED})s?\\b|\\bkushoto\\b`)],
  ['right', new RegExp(`\\bright[- ](?:hand |front |back |rear |hind )?(?:${SIDED})s?\\b|\\bkulia\\b`)],
];
/** Dimensions: 5x6 feet of a mattress, 3.00-18 or 175/70R13 of a tyre. */
const DIMENSIONS =
  /(?<![\d.])(\d+(?:\.\d+)? ?(?:[x×*]|by|kwa) ?\d+(?:\.\d+)?|\d\.\d{1,2} ?- ?\d{2}|\d{3}\/\d{2}[ r/]{0,3}\d{2})(?![\d.])/g;
/** References such as TB/KIB/118. With more digits, a reference is an identifier. */
const REFERENCE = /(?<![\p{L}\d/-])((?:\p{L}{2,}[/-])+\d{2,3})(?![\p{L}\d/-])/gu;
/** Short words that form no code together with the number after them. */
const NO_CODE =
  /^(?:na|ni|ya|za|la|wa|cha|vya|pa|ka|ta|kwa|at|in|on|of|to|is|no|by|the|and|for|or|i|a|x|has|was|my|std|age|saa|lot|kg|gb|cm|mm|tsh|sh|tzs|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|all|our|it|its|as|two|one|pia|tu|hadi)$/;

function rimsIn(text: string): SlotValue[] {
  return [...text.matchAll(RIM)].map(([, ...found]) => ({ slot: 'rim', value: found.find(Boolean) ?? '' }));
}

/**
 * @param typed title and description, without identifiers and sums of money.
 * @param text the same text as `typed`, in lower case and without accents.
 */
export function readValues(typed: string, text: string): SlotValue[] {
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
  const sides = SIDES.filter(([, pattern]) => pattern.test(text));
  return [
    ...values,
    ...(TYRE.test(text) ? rimsIn(text) : []),
    ...[...text.matchAll(BORN)].map(([, value = '']) => ({ slot: 'born' as const, value })),
    ...[...text.matchAll(YEAR)].map(([year]) => ({ slot: 'year' as const, value: year })),
    ...[...text.matchAll(LETTERS_AND_FIGURES)].flatMap(([, letters = '', gap = '', figures = '']) =>
      gap !== '' && NO_CODE.test(letters) ? [] : [{ slot: 'code' as const, value: `${letters}${Number(figures)}` }],
    ),
    ...[...text.matchAll(FIGURES)].flatMap(([, figures = '']) =>
      YEAR_ONLY.test(figures) ? [] : [{ slot: 'figures' as const, value: figures }],
    ),
    ...[...text.matchAll(FIGURES_AND_LETTER)].map(([code]) => ({ slot: 'code' as const, value: code })),
    ...[...text.matchAll(DIMENSIONS)].map(([, value = '']) => ({
      slot: 'dimensions' as const,
      value: value
        .replace(/^(\d{3}\/\d{2})\D*/, '$1r')
        .replace(/by|kwa|[×*]/, 'x')
        .replaceAll(' ', ''),
    })),
    ...[...text.matchAll(REFERENCE)].map(([, value = '']) => ({ slot: 'reference' as const, value })),
    ...[...typed.matchAll(INITIALS), ...typed.matchAll(JOINED_INITIALS)].map(([, found = '']) => ({
      slot: 'initials' as const,
      value: lettersOf(found),
    })),
    ...[...typed.matchAll(BRAND_MARK)].map(([, found = '']) => ({
      slot: 'tag' as const,
      value: found.toLowerCase().replace(' ', ''),
    })),
    ...[...typed.matchAll(TWO_LETTERS)].map(([, found = '']) => ({
      slot: 'letters' as const,
      value: lettersOf(found),
    })),
    ...(sides.length === 1 ? sides.map(([value]) => ({ slot: 'side' as const, value })) : []),
  ];
}

function lettersOf(initials: string): string {
  return initials.replace(/[^\p{Lu}]/gu, '').toLowerCase();
}

/** Makes different spellings equal: "02", "2", "two" and "mbili"; "IV B", "4b" and "4 B". */
function normalise(said: string): string {
  const number = /^[a-z ]+$/.test(said) ? numberOf(said) : 0;
  return number > 0
    ? String(number)
    : withoutWord(said)
        .replace(/[ /-]/g, '')
        .replace(/^0+(?=\d)/, '');
}

/** Removes letters that are a word of the sentence and not part of the code: "I marked it 3". */
function withoutWord(code: string): string {
  const [letters = '', figures] = code.split(' ');
  return figures !== undefined && NO_CODE.test(letters) ? figures : code;
}
