/** A number that names one single thing. */
export type Identifier = {
  kind: 'plate' | 'nida' | 'imei' | 'ending' | 'serial';
  /** Upper case, without separators, look-alike characters folded. */
  folded: string;
  /** The last characters as typed: all that may be shown. */
  tail: string;
};

const LOOK_ALIKES: Record<string, string> = { O: '0', Q: '0', I: '1', L: '1', S: '5', B: '8', Z: '2' };
const PHONE_NUMBER = /(?<![\dA-Za-z])(?:\+?255|0)[\s-]?[67]\d(?:[\s-]?\d){7}(?!\d)/g;
const MONEY =
  /(?:\b(?:tsh|tzs|sh|shs|shilingi|tshs)\.?\s*\d[\d,.]*\s*(?:\/=|\/-)?|\b\d{1,3}(?:[,.]\d{3})+(?:\/=|\/-)?|\b\d+\s*(?:\/=|\/-)|\b\d+\s*(?:tsh|tzs|shilingi|shillings|elfu|thousand|laki|million|milioni)\b|\b(?:elfu|laki)\s+(?:\d+|[a-z]+)(?:\s+(?:na\s+)?[a-z]+)?)/gi;
const PLATE = /(?<![A-Za-z\d])(MC|M\.C|T|SM|STK|DFP|Z)\.?[\s-]?(\d{3,4})[\s-]?([A-Z]{2,3})(?![A-Za-z\d])/gi;
const NIDA = /(?<!\d)\d{8}[\s-]?\d{5}[\s-]?\d{5}[\s-]?\d{2}(?!\d)/g;
const IMEI = /(?<!\d)\d{2}[\s-]?\d{6}[\s-]?\d{6}[\s-]?\d(?!\d)/g;
const ENDING =
  /(?:ends?(?:ing)?(?:\s+(?:with|in))?|last\s+(?:four|4|3|three)?\s*(?:digits?|numbers?)?(?:\s+(?:are|is))?|mwisho(?:\s+wa\s+(?:kadi|namba))?(?:\s+ni)?|inaishia(?:\s+na)?|zinaishia(?:\s+na)?|yanaishia|inayoishia(?:\s+na)?|namba\s+za\s+mwisho(?:\s+ni)?|tarakimu\s+za\s+mwisho(?:\s+ni)?|\*{2,}|x{3,})[\s:.]*(\d{3,6})\b/gi;
const SERIAL =
  /(?<![A-Za-z\d])(?=[A-Za-z\d/.-]*\d[A-Za-z\d/.-]*\d[A-Za-z\d/.-]*\d)[A-Za-z\d]+(?:[/.-][A-Za-z\d]+)*(?![A-Za-z\d])/g;
const MONTH_DATE = /^\d{1,2}[/.-]\d{1,2}(?:[/.-]\d{2,4})?$|^\d{4}-\d{1,2}-\d{1,2}$/;
const SHORTEST_SERIAL = 5;

export function foldIdentifier(text: string): string {
  return text
    .toUpperCase()
    .replace(/[^A-Z\d]/g, '')
    .replace(/[OQILSBZ]/g, (letter) => LOOK_ALIKES[letter] ?? letter);
}

/** What the text says in numbers, and the text without it. */
export function readIdentifiers(text: string): { identifiers: Identifier[]; amounts: number[]; rest: string } {
  const identifiers: Identifier[] = [];
  const amounts: number[] = [];
  const take = (kind: Identifier['kind'], typed: string): string => {
    identifiers.push({ kind, folded: foldIdentifier(typed), tail: typed.replace(/[^A-Za-z\d]/g, '').slice(-3) });
    return ' ; ';
  };
  const rest = text
    .replace(PHONE_NUMBER, ' ; ')
    .replace(PLATE, (typed) => take('plate', typed))
    .replace(NIDA, (typed) => take('nida', typed))
    .replace(IMEI, (typed) => (isImei(typed.replace(/\D/g, '')) ? take('imei', typed) : take('serial', typed)))
    .replace(ENDING, (_, digits: string) => take('ending', digits))
    .replace(MONEY, (typed) => {
      const amount = readAmount(typed);
      if (amount !== null) amounts.push(amount);
      return amount === null ? typed : ' pesa ';
    })
    .replace(SERIAL, (typed) => (isSerial(typed) ? take('serial', typed) : typed));
  return { identifiers, amounts, rest };
}

/** The Luhn check that every IMEI passes. */
export function isImei(digits: string): boolean {
  if (digits.length !== 15) return false;
  let sum = 0;
  for (let index = 0; index < 15; index += 1) {
    const digit = Number(digits[index]) * (index % 2 === 1 ? 2 : 1);
    sum += digit > 9 ? digit - 9 : digit;
  }
  return sum % 10 === 0;
}

function isSerial(typed: string): boolean {
  if (MONTH_DATE.test(typed) || /^(?:19|20)\d\d$/.test(typed)) return false;
  const folded = typed.replace(/[^A-Za-z\d]/g, '');
  const digits = foldIdentifier(folded).replace(/\D/g, '').length;
  if (/^\d+(?:gb|mb|mah|w|v|kg|km|cm|th|st|am|pm|hrs)$/i.test(folded)) return false;
  return folded.length >= SHORTEST_SERIAL && digits >= 4;
}

const SW_NUMBERS: Record<string, number> = {
  moja: 1,
  mbili: 2,
  tatu: 3,
  nne: 4,
  tano: 5,
  sita: 6,
  saba: 7,
  nane: 8,
  tisa: 9,
  kumi: 10,
  ishirini: 20,
  thelathini: 30,
  arobaini: 40,
  hamsini: 50,
  sitini: 60,
  sabini: 70,
  themanini: 80,
  tisini: 90,
  mia: 100,
};

function readAmount(typed: string): number | null {
  const text = typed.toLowerCase();
  const unit = /laki/.test(text) ? 100_000 : /mil/.test(text) ? 1_000_000 : /elfu|thousand/.test(text) ? 1000 : 1;
  const digits = /\d[\d,.]*/.exec(text)?.[0].replace(/[,.](?=\d{3}(?!\d))/g, '');
  if (digits !== undefined) {
    const amount = Number.parseFloat(digits) * unit;
    return Number.isFinite(amount) && amount >= 500 ? amount : null;
  }
  const words = text.split(/\s+/).map((word) => SW_NUMBERS[word] ?? 0);
  const sum = words.reduce((total, value) => total + value, 0);
  return sum > 0 ? sum * unit : null;
}
