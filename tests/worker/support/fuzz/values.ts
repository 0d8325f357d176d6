import type { Dice } from '#tests/support/dice.ts';

/** Texts that have broken something somewhere. */
const HOSTILE_TEXTS = [
  '',
  ' ',
  '\u0000',
  '\u0007\u001b[31m',
  '\ud800',
  '\udfff\ud800',
  '\ufeff',
  '\u202eabc\u2066',
  'e\u0301'.repeat(40),
  '\u200d\u200b\u2060',
  'ﷺ'.repeat(60),
  '👩‍👩‍👧‍👦🇹🇿',
  'İSTANBUL ıı ß ﬀ',
  "'; drop table posts; --",
  '" or 1=1 --',
  '%_\\%',
  '* AND NEAR("a" OR',
  '"^title: {a b}',
  '<script>alert(1)</script>',
  '{{7*7}}#{7*7}',
  '../../../../etc/passwd',
  '\r\nSet-Cookie: a=b',
  '__proto__',
  'constructor',
  'toString',
  'null',
  'NaN',
  '-1',
  '1e309',
  '9007199254740993',
  '0x1F',
  '٠٧١٢٣٤٥٦٧٨',
  '2026-02-30T25:61:00Z',
  '99999999999999.x',
  'a'.repeat(128),
  'ab '.repeat(700),
] as const;

/** What people type. */
const USUAL_TEXTS = [
  'Simu ya Tecno nyeusi',
  'Found a black phone near Posta',
  'Kariakoo, Dar es Salaam',
  'Asha',
  'O’Neil-Mushi',
  '0712345678',
  '+255 712 345 678',
  'asha@example.com',
  'AB1234567',
  '2026-11-22T08:00:00.000Z',
  '21:00',
  '10',
  'mkoba 🎒',
] as const;

const HOSTILE_VALUES = [
  null,
  true,
  0,
  -1,
  1.5,
  1e308,
  Number.MAX_SAFE_INTEGER + 2,
  [],
  {},
  [[[[]]]],
  [null],
  { length: 5 },
  { toString: 'x' },
  { $ne: 1 },
] as const;

export function hostileText(dice: Dice): string {
  return dice.pick(HOSTILE_TEXTS);
}

export function anyText(dice: Dice): string {
  return dice.isLucky(0.5) ? dice.pick(USUAL_TEXTS) : hostileText(dice);
}

export function hostileValue(dice: Dice): unknown {
  return dice.isLucky(0.5) ? hostileText(dice) : dice.pick(HOSTILE_VALUES);
}
