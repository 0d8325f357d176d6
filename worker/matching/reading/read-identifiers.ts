import { getLexicon } from '#worker/matching/lexicon/lexicon.ts';
import { KIND_BITS } from '#worker/matching/lexicon/lexicon-types.ts';
import { foldSpace, foldText, type Token } from '#worker/matching/words/tokens.ts';
import { readAmounts } from './spoken-numbers.ts';

/** A number or code that only one thing in the world has. */
export type Identifier = {
  kind: 'plate' | 'nida' | 'imei' | 'beginning' | 'ending' | 'serial';
  /** The identifier in upper case, without separators, with look-alike characters unified (O is 0). */
  folded: string;
  /** The last characters as typed. Only these may be shown. */
  tail: string;
};

const LOOK_ALIKES: Record<string, string> = { O: '0', Q: '0', I: '1', L: '1', S: '5', B: '8', Z: '2' };
const PHONE_NUMBER = /(?<![\dA-Za-z])(?:\+?255|0)[\s-]?[67]\d(?:[\s-]?\d){7}(?!\d)/g;
const PLATE = /(?<![A-Za-z\d])(MC|M\.C|T|SM|STK|DFP|Z)\.?[\s-]?(\d{3,4})[\s-]?([A-Z]{2,3})(?![A-Za-z\d])/gi;
/** Not a plate: the letters after the number are a word, as in "T 482 kwa rangi nyeupe" (in white). */
const NO_PLATE = /[\s-](?:kwa|na|ya|la|za|wa|cha|ni|in|on|at|and|of)$/;
const NIDA = /(?<!\d)\d{8}[\s-]?\d{5}[\s-]?\d{5}[\s-]?\d{2}(?!\d)/g;
const IMEI = /(?<!\d)\d{2}[\s-]?\d{6}[\s-]?\d{6}[\s-]?\d(?!\d)/g;
const ENDING =
  /(?:ends?(?:ing)?(?:\s(?:with|in))?|last\s(?:four|4|3|three)?\s?(?:digits?|numbers?)?(?:\s(?:are|is))?|mwisho(?:\swa\s(?:kadi|namba))?(?:\sni)?|inaishia(?:\sna)?|zinaishia(?:\sna)?|yanaishia|inayoishia(?:\sna)?|namba\sza\smwisho(?:\sni)?|tarakimu\sza\smwisho(?:\sni)?|(?<!\*)\*{2,}|(?<!x)x{3,})[\s:.]*(\d{3,6})\b/gi;
const BEGINNING =
  /(?:(?:starts?|starting|begins?|beginning)\s(?:with|from)|(?:ina|zina|ya|lina|kina|inayo|zinazo)anza(?:\sna|\skwa)?|mwanzo(?:\sni)?|first\s(?:digits?|numbers?)(?:\s(?:are|is))?)[\s:.]*(\d{3,6})\b/gi;
const SERIAL = /[A-Za-z\d]+(?:[/.-][A-Za-z\d]+)*/g;
const MONTH_DATE = /^\d{1,2}[/.-]\d{1,2}(?:[/.-]\d{2,4})?$|^\d{4}-\d{1,2}-\d{1,2}$/;
/** A letter between digits may be a misread digit. A letter before the first digit is not, as in BM150. */
const MISREAD_LETTER = /(?<=\d)[OQILSBZ](?=[OQILSBZ]*\d)/gi;
/** Tyre sizes such as 265/70R16 or "195/65 R15" look like serial numbers, but thousands of tyres have the same size. */
const TYRE_SIZE = /(?<![A-Za-z\d])(\d{3}\/\d{2})(?:\/| ?[rR] ?)(\d{2})(?![A-Za-z\d])/g;
const WHOLE_TYRE_SIZE = /^\d{3}\/\d{2}R\d{2}$/;
const SHORTEST_SERIAL = 5;
/** The fewest digits of a serial number. Look-alike letters count as digits: somebody may have read a 5 as S. */
const FEWEST_SERIAL_DIGITS = 4;
const FEWEST_TYPED_DIGITS = 3;
const IMEI_DIGITS = 15;
/**
 * How many of an identifier's last characters are shown. The owner recognises the identifier, but a stranger does not
 * learn it.
 */
const SHOWN_CHARACTERS = 3;

function foldIdentifier(text: string): string {
  return text
    .toUpperCase()
    .replace(/[^A-Z\d]/g, '')
    .replace(/[OQILSBZ]/g, (letter) => LOOK_ALIKES[letter] ?? letter);
}

/**
 * Returns the identifiers and sums of money in a text. `rest` is the text with placeholders for them and for phone
 * numbers, and with one space or line break for each run of white space.
 */
export function readIdentifiers(text: string): { identifiers: Identifier[]; amounts: number[]; rest: string } {
  const identifiers: Identifier[] = [];
  const take = (kind: Identifier['kind'], typed: string): string => {
    identifiers.push({
      kind,
      folded: foldIdentifier(typed),
      tail: typed.replace(/[^A-Za-z\d]/g, '').slice(-SHOWN_CHARACTERS),
    });
    return ' ; ';
  };
  const unnumbered = foldSpace(text)
    .replace(PHONE_NUMBER, ' ; ')
    .replace(PLATE, (typed) => (NO_PLATE.test(typed) ? typed : take('plate', typed)))
    .replace(NIDA, (typed) => take('nida', typed))
    .replace(IMEI, (typed) => (isImei(typed.replace(/\D/g, '')) ? take('imei', typed) : take('serial', typed)))
    .replace(ENDING, (_, digits: string) => take('ending', digits))
    .replace(BEGINNING, (_, digits: string) => take('beginning', digits));
  const { amounts, rest } = readAmounts(unnumbered);
  // Reads serial numbers last, because other identifiers and amounts also look like serial numbers.
  const left = rest
    .replace(TYRE_SIZE, '$1R$2')
    .replace(SERIAL, (typed) => (isSerial(typed) ? take('serial', typed) : typed));
  return { identifiers, amounts, rest: foldSpace(left) };
}

/** Checks the Luhn digit that every IMEI has. */
export function isImei(digits: string): boolean {
  if (digits.length !== IMEI_DIGITS) return false;
  let sum = 0;
  for (let index = 0; index < IMEI_DIGITS; index += 1) {
    const digit = Number(digits[index]) * (index % 2 === 1 ? 2 : 1);
    sum += digit > 9 ? digit - 9 : digit;
  }
  return sum % 10 === 0;
}

function isSerial(typed: string): boolean {
  if (typed.replace(/\D/g, '').length < FEWEST_TYPED_DIGITS) return false;
  if (WHOLE_TYRE_SIZE.test(typed)) return false;
  if (isWrittenAsName(typed) || MONTH_DATE.test(typed) || /^(?:19|20)\d\d$/.test(typed)) return false;
  const folded = typed.replace(/[^A-Za-z\d]/g, '');
  const digits = folded.replace(MISREAD_LETTER, '0').replace(/\D/g, '').length;
  if (/^\d+(?:gb|mb|mah|w|v|kg|km|cm|th|st|am|pm|hrs)$/i.test(folded)) return false;
  return folded.length >= SHORTEST_SERIAL && digits >= FEWEST_SERIAL_DIGITS;
}

/**
 * A name of three or more letters with up to four digits. A12 and MC5 have fewer letters and are codes. More digits
 * make a serial number.
 */
const NUMBERED = /^\d{0,4}(?<letters>\p{L}{3,})\d{0,4}$/u;
/** A name that may also be a make keeps its digits, because the digits may be the model: "Mark2" (a car). */
const MAKES = KIND_BITS.brand | KIND_BITS.series;

/**
 * Returns a name without digits that come from a nickname or a typing error ("Kimaro2", "neema95"). Returns codes
 * unchanged.
 */
export function withoutFigures(word: string): string {
  return NUMBERED.exec(word)?.groups?.letters ?? word;
}

/** Removes digits from people's names that the lexicon contains. Any other word with digits may be a code. */
export function dropFigures(tokens: Token[]): Token[] {
  return tokens.map((token) => (isNumberedName(token.text) ? { ...token, text: withoutFigures(token.text) } : token));
}

/** Whether a word with digits is a name: "asha2015" is Asha, but ALI2015 in capitals is probably a serial number. */
function isWrittenAsName(typed: string): boolean {
  return typed !== typed.toUpperCase() && isNumberedName(foldText(typed));
}

function isNumberedName(word: string): boolean {
  const { names, vocabulary } = getLexicon();
  const name = withoutFigures(word);
  return name !== word && names.has(name) && ((vocabulary.get(name) ?? 0) & MAKES) === 0;
}
