import { expect, test } from 'vitest';
import { ENDPOINTS, type Endpoint } from '#contract/endpoints.ts';
import { exportSchema } from '#contract/leaving.ts';
import { problemsOf } from './expect-problems.ts';

const ALL = Object.entries<Endpoint>(ENDPOINTS);

function namesWhere(is: (endpoint: Endpoint, method: string) => boolean): string[] {
  return ALL.filter(([name, endpoint]) => is(endpoint, name.split(' ')[0] ?? '')).map(([name]) => name);
}

function hasField(schema: Endpoint['query'], field: string): boolean {
  return problemsOf(schema ?? exportSchema, { [field]: {} }).some((problem) => problem.startsWith(`${field}:`));
}

test('a list that takes a cursor names its next page, and no other does', () => {
  const taking = namesWhere(({ query }) => query !== undefined && hasField(query, 'cursor'));
  expect(namesWhere(({ isPaged }) => isPaged === true)).toEqual(taking);
});

test('an answer of an endpoint is described unless there is none', () => {
  expect(namesWhere(({ status }) => status === 204)).toEqual(namesWhere(({ answer }) => answer === undefined));
});

test('no GET has a body', () => {
  expect(namesWhere(({ body, fileTypes }, method) => method === 'GET' && (body ?? fileTypes) !== undefined)).toEqual(
    [],
  );
});
