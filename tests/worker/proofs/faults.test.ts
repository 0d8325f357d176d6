import { afterEach, beforeEach, test, vi } from 'vitest';
import { captureLogs } from '#tests/worker/support/capture-logs.ts';
import { DATABASE_FAULTS } from '#tests/worker/support/faults/database-faults.ts';
import { DELIVERY_FAULTS, OUTSIDE_FAULTS } from '#tests/worker/support/faults/delivery-faults.ts';
import { PHOTO_FAULTS } from '#tests/worker/support/faults/photo-faults.ts';

/** Every part that can fail. Add a new part here, with the effects of its failure. */
const FAULTS = [...DATABASE_FAULTS, ...DELIVERY_FAULTS, ...PHOTO_FAULTS, ...OUTSIDE_FAULTS];

beforeEach(() => void captureLogs());
afterEach(() => vi.unstubAllGlobals());

test.each(FAULTS)('$part, $fails: people see $seen; then $afterwards', ({ tryIt }) => tryIt(), 60_000);
