/// <reference types="vite/types/importMeta.d.ts" />
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { captureLogs } from './support/capture-logs.ts';
import { DATABASE_FAULTS } from './support/faults/database-faults.ts';
import { DELIVERY_FAULTS } from './support/faults/delivery-faults.ts';
import { OUTSIDE_FAULTS } from './support/faults/outside-faults.ts';
import { PHOTO_FAULTS } from './support/faults/photo-faults.ts';

/** Every part that can fail by itself; whoever adds one adds what it is like when it does. */
const FAULTS = [...DATABASE_FAULTS, ...DELIVERY_FAULTS, ...PHOTO_FAULTS, ...OUTSIDE_FAULTS];

const [PAGE = ''] = Object.values(
  import.meta.glob<string>('/docs/reliability.md', { query: '?raw', import: 'default', eager: true }),
);

beforeEach(() => void captureLogs());
afterEach(() => vi.unstubAllGlobals());

test.each(FAULTS)('$part, $fails: $afterwards', ({ tryIt }) => tryIt(), 60_000);

test('docs/reliability.md says of each what people see and what is true afterwards', () => {
  const rows = FAULTS.map((row) => `| ${row.part} | ${row.fails} | ${row.seen} | ${row.afterwards} |`);
  expect(PAGE).toContain(rows.join('\n'));
});
