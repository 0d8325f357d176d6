import * as z from 'zod/mini';
import { BODY_MAX_BYTES } from '#contract/limits.ts';
import type { Dice } from '#tests/support/dice.ts';

/** Texts that often break software. */
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

/** Realistic texts. */
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

type Shape = z.core.JSONSchema._JSONSchema;
type ObjectShape = z.core.JSONSchema.JSONSchema;

const shapes = new WeakMap<z.ZodMiniType, ObjectShape>();
const ITEMS_MAX = 4;
const LONGEST_TEXT = 4_000;
const LONGEST_OF_POST = 2_000;

/**
 * The values that a schema accepts, as far as JSON Schema can express them; transformed or refined parts accept
 * anything.
 */
function shapeOf(schema: z.ZodMiniType): ObjectShape {
  const known = shapes.get(schema);
  if (known) return known;
  const shape = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  shapes.set(schema, shape);
  return shape;
}

/** The fields of an object's schema. */
export function fieldsOf(schema: z.ZodMiniType | undefined): [name: string, shape: Shape][] {
  return schema ? Object.entries(shapeOf(schema).properties ?? {}) : [];
}

/** The text fields with their longest text; the overall maximum if the schema has a custom check. */
export function textFieldsOf(schema: z.ZodMiniType | undefined): { name: string; longest: number }[] {
  return fieldsOf(schema).flatMap(([name, shape]) => {
    const longest = longestText(shape);
    return longest === null ? [] : [{ name, longest }];
  });
}

function longestText(shape: Shape): number | null {
  if (typeof shape === 'boolean' || shape.enum || shape.const !== undefined) return null;
  const choices = shape.anyOf ?? shape.oneOf ?? shape.allOf;
  if (choices) return choices.map(longestText).find((length) => length !== null) ?? null;
  if (shape.type !== undefined && shape.type !== 'string') return null;
  return shape.maxLength ?? LONGEST_OF_POST;
}

/** A value that the schema accepts or almost accepts: at a limit, beyond it, or in another format. */
export function valueFrom(shape: Shape, dice: Dice): unknown {
  if (typeof shape === 'boolean' || dice.isLucky(0.1)) return hostileValue(dice);
  if (shape.const !== undefined) return shape.const;
  if (shape.enum) return dice.pick(shape.enum);
  const choices = shape.anyOf ?? shape.oneOf ?? shape.allOf;
  if (choices) return valueFrom(dice.pick(choices), dice);
  const type = Array.isArray(shape.type) ? dice.pick(shape.type) : shape.type;
  if (type === 'string') return textFrom(shape, dice);
  if (type === 'number' || type === 'integer') return numberFrom(shape, dice);
  if (type === 'boolean') return dice.isLucky(0.5);
  if (type === 'null') return null;
  if (type === 'array') return listFrom(shape, dice);
  if (type === 'object') return objectFrom(shape, dice);
  return dice.isLucky(0.7) ? anyText(dice) : hostileValue(dice);
}

function textFrom({ minLength = 0, maxLength = 200 }: ObjectShape, dice: Dice): string {
  if (dice.isLucky(0.5)) return anyText(dice);
  const length = dice.pick([minLength - 1, minLength, maxLength, maxLength + 1]);
  return dice.pick(['a', 'Ö', '👜', ' ', '7']).repeat(Math.min(Math.max(length, 0), LONGEST_TEXT));
}

function numberFrom({ minimum = 0, maximum = 1_000 }: ObjectShape, dice: Dice): number {
  return dice.pick([minimum, maximum, minimum - 1, maximum + 1, minimum + 0.5]);
}

function listFrom({ items, maxItems = ITEMS_MAX }: ObjectShape, dice: Dice): unknown[] {
  const length = dice.pick([0, 1, 2, Math.min(maxItems, 100), Math.min(maxItems, 100) + 1]);
  const item = Array.isArray(items) ? items[0] : items;
  return Array.from({ length }, () => valueFrom(item ?? {}, dice));
}

function objectFrom({ properties = {}, required = [] }: ObjectShape, dice: Dice): Record<string, unknown> {
  const kept = Object.entries(properties).filter(([name]) => dice.isLucky(required.includes(name) ? 0.95 : 0.5));
  return Object.fromEntries(kept.map(([name, shape]) => [name, valueFrom(shape, dice)]));
}

type Fields = Record<string, unknown>;

/** The sample with one or two fields replaced, removed or added. */
export function nearlyValid(sample: Fields, schema: z.ZodMiniType | undefined, dice: Dice): Fields {
  const body = { ...sample };
  const fields = fieldsOf(schema);
  for (let changes = 1 + dice.below(2); changes > 0; changes--) {
    if (fields.length === 0 || dice.isLucky(0.1)) {
      body[hostileText(dice)] = hostileValue(dice);
      continue;
    }
    const [name, shape] = dice.pick(fields);
    if (dice.isLucky(0.15)) delete body[name];
    else body[name] = valueFrom(shape, dice);
  }
  return body;
}

/** The bytes of a JSON body, valid or not. */
export function hostileBody(sample: Fields, dice: Dice): string | Uint8Array<ArrayBuffer> {
  const text = JSON.stringify(sample);
  const [name = 'x'] = Object.keys(sample);
  return dice.pick<() => string | Uint8Array<ArrayBuffer>>([
    () => '',
    () => text.slice(0, dice.below(text.length)),
    () => text.replace('{', `{${JSON.stringify(name)}:${JSON.stringify(hostileValue(dice))},`),
    () => text.replace('{', '{"__proto__":{"is_platform_admin":true},"constructor":{"prototype":{}},'),
    () => `\ufeff${text}`,
    () => JSON.stringify(hostileValue(dice)),
    () => JSON.stringify([sample]),
    () => '[1e400,-0,"\\ud800"]',
    () => '['.repeat(6_000),
    () => `${'{"a":'.repeat(2_000)}1${'}'.repeat(2_000)}`,
    () => new Uint8Array([0x7b, 0x22, 0xff, 0xfe, 0xc0, 0x80, 0x22, 0x3a, 0x31, 0x7d]),
    () => text.padEnd(BODY_MAX_BYTES, ' '),
    () => JSON.stringify({ ...sample, [name]: 'x'.repeat(BODY_MAX_BYTES + 1) }),
  ])();
}
