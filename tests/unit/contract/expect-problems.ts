import { expect } from 'vitest';
import type * as z from 'zod/mini';

/** What the schema finds wrong: each `field: message`, in the order in which a client is told. */
export function problemsOf(schema: z.ZodMiniType, input: unknown): string[] {
  const { error } = schema.safeParse(input);
  return (error?.issues ?? []).map(({ path, message }) => `${path.join('.')}: ${message}`);
}

/** A text of that length is taken, and one more is too many. */
export function expectLongest(
  schema: z.ZodMiniType,
  length: number,
  { around = (text) => text, problem }: { around?: (text: string) => unknown; problem: string },
): void {
  const longest = 'a'.repeat(length);
  expect(problemsOf(schema, around(longest))).toEqual([]);
  expect(problemsOf(schema, around(`${longest}a`))).toEqual([problem]);
}
