import { expect, test } from 'vitest';
import type { Config } from '#worker/env.ts';
import { digestIdentifier, digestIdentifiers } from '#worker/posts/identifiers.ts';

const CONFIG = { keys: { identifier: 'a-secret-that-only-the-tests-know-0123456789' } } as Config;
const digestsOf = (identifiers: string[] | null | undefined) => digestIdentifiers(CONFIG, { identifiers });

test('a digest stays what it was, as those that are stored are compared with it', () => {
  expect(digestIdentifier(CONFIG, 'abc-123')).toMatch(/^1\.eVbeMbN43qCzdHAwd_u6kaRbMnx3-IVC50q/);
  expect(digestIdentifier(CONFIG, 'ABC 123')).toBe(digestIdentifier(CONFIG, 'abc-123'));
  expect(digestIdentifier(CONFIG, 'abc-124')).not.toBe(digestIdentifier(CONFIG, 'abc-123'));
});

test('identifiers are stored each once and in one order; none is null, and left out is neither', () => {
  const [a, b] = [digestIdentifier(CONFIG, 'abc-123'), digestIdentifier(CONFIG, 'abc-124')].sort();
  expect(digestsOf(['abc-124', 'abc-123', 'ABC123'])).toBe(JSON.stringify([a, b]));
  expect(digestsOf(['abc-123', 'abc-124'])).toBe(JSON.stringify([a, b]));
  expect([digestsOf([]), digestsOf(null), digestsOf(undefined)]).toEqual([null, null, undefined]);
});
