import { afterEach, beforeEach, test, vi } from 'vitest';
import { captureLogs } from './support/capture-logs.ts';
import { DATABASE_FAULTS } from './support/faults/database-faults.ts';
import { DELIVERY_FAULTS } from './support/faults/delivery-faults.ts';
import { OUTSIDE_FAULTS } from './support/faults/outside-faults.ts';
import { PHOTO_FAULTS } from './support/faults/photo-faults.ts';

/** Every part that can fail by itself; whoever adds one adds what it is like when it does. */
const FAULTS = [...DATABASE_FAULTS, ...DELIVERY_FAULTS, ...PHOTO_FAULTS, ...OUTSIDE_FAULTS];

beforeEach(() => void captureLogs());
afterEach(() => vi.unstubAllGlobals());

test.each(FAULTS)('$part, $fails: people see $seen; then $afterwards', ({ tryIt }) => tryIt(), 60_000);
