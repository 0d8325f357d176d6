import { expect, test } from 'vitest';
import { judgeFailure, leastDelaySeconds, type Verdict } from '#worker/whatsapp/graph-errors.ts';

const TABLE: Record<Verdict, number[]> = {
  retry: [1, 2, 4, 80007, 130429, 131000, 131016, 131056, 131057, 133004],
  other_language: [132001],
  give_up: [100, 130472, 131008, 131009, 131021, 131026, 131047, 131049, 132000, 132005, 132007, 132012],
  stop: [0, 3, 10, 190, 200, 250, 299, 368, 131005, 131031, 131042, 131048, 132015, 132016, 133010],
};

for (const [verdict, codes] of Object.entries(TABLE)) {
  test(`${verdict}: ${codes.join(', ')}`, () => {
    expect(codes.map((code) => judgeFailure({ code, httpStatus: null }))).toEqual(codes.map(() => verdict));
  });
}

test('the code decides and the HTTP status does not', () => {
  for (const httpStatus of [200, 400, 401, 403, 404, 429, 500, 503]) {
    expect(judgeFailure({ code: 131026, httpStatus })).toBe('give_up');
    expect(judgeFailure({ code: 130429, httpStatus })).toBe('retry');
    expect(judgeFailure({ code: 190, httpStatus })).toBe('stop');
  }
});

test('a failure without a code, or with one that nobody has documented, is retried', () => {
  expect(judgeFailure({ code: null, httpStatus: null })).toBe('retry');
  expect(judgeFailure({ code: null, httpStatus: 502 })).toBe('retry');
  expect(judgeFailure({ code: 999999, httpStatus: 400 })).toBe('retry');
  expect(judgeFailure({ code: 199, httpStatus: 400 })).toBe('retry');
  expect(judgeFailure({ code: 300, httpStatus: 400 })).toBe('retry');
});

test('the same person gets no second try before six seconds', () => {
  expect(leastDelaySeconds({ code: 131056, httpStatus: 400 })).toBe(6);
  expect(leastDelaySeconds({ code: 130429, httpStatus: 400 })).toBe(1);
});
