import { expect } from 'vitest';
import type * as z from 'zod/mini';

/** Returns the schema's findings as `field: message`, in the order that clients receive. */
export function problemsOf(schema: z.ZodMiniType, input: unknown): string[] {
  const { error } = schema.safeParse(input);
  return (error?.issues ?? []).map(({ path, message }) => `${path.join('.')}: ${message}`);
}

/** Expects that a text of this length is accepted, and one character more is refused. */
export function expectLongest(
  schema: z.ZodMiniType,
  length: number,
  { around = (text) => text, problem }: { around?: (text: string) => unknown; problem: string },
): void {
  const longest = 'a'.repeat(length);
  expect(problemsOf(schema, around(longest))).toEqual([]);
  expect(problemsOf(schema, around(`${longest}a`))).toEqual([problem]);
}
