import { expect, test } from 'vitest';
import { deriveCode, digestResetCode } from '#worker/whatsapp/code.ts';

const SECRET = 'a-secret-that-only-the-tests-know-0123456789';

test('a code is six digits, the same each time for one request and another for another secret', () => {
  const requestId = crypto.randomUUID();
  const code = deriveCode(SECRET, requestId);
  expect(code).toMatch(/^\d{6}$/);
  expect(deriveCode(SECRET, requestId)).toBe(code);
  const others = Array.from({ length: 5 }, (_, index) => deriveCode(`${SECRET}${index}`, requestId));
  expect(new Set([code, ...others]).size).toBeGreaterThan(1);
});

test('codes are spread evenly, leading zeros included', () => {
  const codes = Array.from({ length: 20_000 }, () => deriveCode(SECRET, crypto.randomUUID()));
  const byFirstDigit = Map.groupBy(codes, (code) => code[0]);
  // 2,000 each are expected, with a standard deviation of 42.
  for (const digit of '0123456789') {
    expect(byFirstDigit.get(digit)?.length).toBeGreaterThan(1_750);
    expect(byFirstDigit.get(digit)?.length).toBeLessThan(2_250);
  }
});

test('the digest of a code differs between numbers and secrets, and does not hold the code', () => {
  const digest = digestResetCode(SECRET, '+255712345678', '123456');
  expect(digest).not.toContain('123456');
  expect(digestResetCode(SECRET, '+255712345679', '123456')).not.toBe(digest);
  expect(digestResetCode(`${SECRET}x`, '+255712345678', '123456')).not.toBe(digest);
});
