import { expect, test } from 'vitest';
import { AppError } from '#worker/errors/app-error.ts';
import { networksOf } from '#worker/limits/allowance.ts';
import { assertNotBarred } from '#worker/limits/bars.ts';
import { dayOf, endOfDay, LIMITS, NUMBERS_A_DAY, nameDay, startOfDay } from '#worker/limits/limits.ts';

const HALF_A_MINUTE = 30;
const MINUTES_5 = 300;
const MINUTES_10 = 600;
const MINUTES_15 = 900;
const HOUR = 3_600;
const DAY = 86_400;

test('the rate limit of each action has the count and the period that the documentation names', () => {
  const allowed = Object.entries(LIMITS).map(([limit, { max, windowSeconds }]) => [limit, [max, windowSeconds]]);
  expect(Object.fromEntries(allowed)).toEqual({
    sign_in_device: [10, MINUTES_15],
    sign_in_stranger: [20, HOUR],
    sign_in_strangers: [150, HOUR],
    sign_in_pause: [1, HALF_A_MINUTE],
    sign_in_address: [600, MINUTES_15],
    registration_address: [300, HOUR],
    post: [30, DAY],
    desk_post: [200, DAY],
    post_update: [60, DAY],
    photo: [20, DAY],
    photo_unproven: [4, DAY],
    photo_try: [100, DAY],
    photo_try_unproven: [20, DAY],
    photo_try_address: [40, DAY],
    answering_post: [5, DAY],
    post_with_identifiers: [5, DAY],
    identifier_lookup: [5, DAY],
    identifier_lookup_address: [60, DAY],
    matching_notice: [3, DAY],
    report: [5, DAY],
    claim: [5, DAY],
    claim_unproven: [2, DAY],
    community: [10, DAY],
    community_closing: [10, DAY],
    join_request: [3, DAY],
    wrong_access_code: [10, HOUR],
    reset_request: [3, MINUTES_15],
    reset_guess: [50, DAY],
    reset_code_try: [5, MINUTES_10],
    reset_guess_number: [200, DAY],
    code_number: [10, DAY],
    code_address: [100, HOUR],
    code_recipients_address: [20, DAY],
    prove_request: [3, MINUTES_15],
    change_request: [3, MINUTES_15],
    change_account: [10, HOUR],
    number_code_try: [5, MINUTES_5],
    number_code_guess: [200, DAY],
    proof_address: [300, MINUTES_15],
    export: [3, DAY],
    email_link: [10, HOUR],
    email_link_address: [3, HOUR],
    feedback_address: [60, HOUR],
    client_error_address: [60, HOUR],
  });
});

test('the daily limits on seeing phone numbers are those of rule V13 in docs/product.md', () => {
  expect(NUMBERS_A_DAY).toEqual({
    account: 100,
    proven_account: 300,
    openings: 20,
    notices: 50,
    networks: [1_000, 1_500, 2_000],
  });
});

test('a day begins and ends at midnight in Tanzania, three hours before midnight UTC', () => {
  const midnight = Date.parse('2026-11-21T21:00:00Z');
  const day = dayOf(midnight);
  expect([nameDay(dayOf(midnight - 1)), nameDay(day), nameDay(dayOf(midnight + DAY * 1_000 - 1))]).toEqual([
    '2026-11-21',
    '2026-11-22',
    '2026-11-22',
  ]);
  expect(startOfDay(day)).toBe(midnight);
  expect([endOfDay(midnight - 1), endOfDay(midnight)]).toEqual([midnight, midnight + DAY * 1_000]);
});

test('a barred phone number or e-mail address is refused with “suspended”, and any other is accepted', () => {
  expect(() => assertNotBarred([])).not.toThrow();
  expect(() => assertNotBarred([{ ends_at: 1 }])).toThrow(new AppError('suspended'));
});

const nested = (of64: string, of56: string, of48: string) => [`${of64}::/64`, `${of56}::/56`, `${of48}::/48`];

test.each([
  ['2c0f:fe38:2101:7ab:a:b:c:d', nested('2c0f:fe38:2101:7ab', '2c0f:fe38:2101:700', '2c0f:fe38:2101')],
  ['2C0F:FE38:2101:07FF::1', nested('2c0f:fe38:2101:7ff', '2c0f:fe38:2101:700', '2c0f:fe38:2101')],
  ['2c0f:fe38:2101:7::', nested('2c0f:fe38:2101:7', '2c0f:fe38:2101:0', '2c0f:fe38:2101')],
  ['2c0f:fe38::1', nested('2c0f:fe38:0:0', '2c0f:fe38:0:0', '2c0f:fe38:0')],
  ['2c0f:fe38:0:0:1::', nested('2c0f:fe38:0:0', '2c0f:fe38:0:0', '2c0f:fe38:0')],
  ['2c0f::7:a:b:c:d:e', nested('2c0f:0:7:a', '2c0f:0:7:0', '2c0f:0:7')],
  ['::1', nested('0:0:0:0', '0:0:0:0', '0:0:0')],
])(
  'a request from the IPv6 address %s counts towards the limits of the networks /64, /56 and /48 that contain the address',
  (address, networks) => expect(networksOf(address)).toEqual(networks),
);

test.each(['196.41.0.7', '::ffff:196.41.0.7', 'unknown'])(
  'a request from the IP address %s counts only towards the limit of this address',
  (address) => expect(networksOf(address)).toEqual([address]),
);
