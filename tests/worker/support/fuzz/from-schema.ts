import * as z from 'zod/mini';
import type { Dice } from '#tests/support/dice.ts';
import { anyText, hostileValue } from './values.ts';

type Shape = z.core.JSONSchema._JSONSchema;
type ObjectShape = z.core.JSONSchema.JSONSchema;

const shapes = new WeakMap<z.ZodMiniType, ObjectShape>();
const ITEMS_MAX = 4;
const LONGEST_TEXT = 4_000;
const LONGEST_OF_POST = 2_000;

/** What a schema takes, as far as JSON Schema can say it; what it transforms or checks by itself is anything there. */
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

/** The fields that take a text, and how long it may be: as long as the longest text where the schema checks it itself. */
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

/** A value that the schema takes or nearly takes: on a limit, a little beyond it, of its form or not. */
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
