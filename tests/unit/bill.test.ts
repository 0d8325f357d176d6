import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { billOf } from '#tests/bench/bill/compute-bill.ts';
import { PRICES } from '#tests/bench/bill/prices.ts';
import { billTables } from '#tests/bench/bill/tables.ts';

const PAGE = readFileSync('docs/scale.md', 'utf8');

test('docs/scale.md has the tables that npm run bench:bill prints', () => {
  for (const table of billTables()) expect.soft(PAGE).toContain(table);
});

test('docs/scale.md says which page each price is from', () => {
  for (const { page } of Object.values(PRICES)) expect.soft(PAGE).toContain(`| ${page} |`);
});

test('nobody pays less than the plan, and what is included is used up once', () => {
  const [small, big] = [billOf(1_000_000).total, billOf(10_000_000).total];
  expect(billOf(0).total).toBe(5);
  expect(big).toBeGreaterThan(10 * (small - 5));
});
