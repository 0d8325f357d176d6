import { expect, test } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#contract/durations.ts';
import * as limits from '#contract/limits.ts';
import fieldsEn from '#locales/en/fields.json';
import errorsEn from '#locales/en/outside/errors.json';
import fieldsSw from '#locales/sw/fields.json';
import errorsSw from '#locales/sw/outside/errors.json';

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const KIB = 1024;

// Apps of the last release, posts that wait offline and /privacy count on these: whoever changes one changes it for them, too.

test('texts have the lengths that forms of the last release allow', () => {
  expect(limits).toMatchObject({
    USERNAME_MAX_CHARS: 60,
    EMAIL_MAX_CHARS: 254,
    PASSWORD_MIN_CHARS: 8,
    PASSWORD_MAX_CHARS: 128,
    TITLE_MAX_CHARS: 120,
    NAME_MAX_CHARS: 60,
    LOCATION_MAX_CHARS: 120,
    KEPT_AT_MAX_CHARS: 120,
    DESCRIPTION_MAX_CHARS: 2_000,
    IDENTIFIER_MIN_CHARS: 6,
    IDENTIFIER_MAX_CHARS: 40,
    IDENTIFIER_MIN_DIGITS: 3,
    IDENTIFIER_TYPED_MAX_CHARS: 120,
    COMMUNITY_NAME_MAX_CHARS: 100,
    COMMUNITY_DESCRIPTION_MAX_CHARS: 2_000,
    JOIN_TEXT_MAX_CHARS: 300,
    ACCESS_CODE_CHARS: 10,
    JOIN_REQUEST_MAX_CHARS: 500,
    FEEDBACK_MESSAGE_MAX_CHARS: 5_000,
    REPORT_TEXT_MAX_CHARS: 500,
    MODERATION_REASON_MAX_CHARS: 500,
    CLAIM_QUESTION_MAX_CHARS: 200,
    PRIVATE_MARKS_MAX_CHARS: 500,
    CLAIM_TEXT_MAX_CHARS: 500,
    PHOTO_ALT_MAX_CHARS: 200,
    SEARCH_MAX_CHARS: 500,
    RESET_CODE_DIGITS: 6,
    RESET_CODE_MIN_CHARS: 4,
    HANDOVER_CODE_DIGITS: 6,
    IDEMPOTENCY_KEY_MAX_CHARS: 128,
    PUSH_ENDPOINT_MAX_CHARS: 2_000,
    PUSH_KEY_MAX_CHARS: 200,
  });
});

test('of each thing there are so many', () => {
  expect(limits).toMatchObject({
    DEVICES_MAX: 50,
    IDENTIFIERS_MAX: 2,
    IDENTIFIER_CHANGES_MAX: 2,
    PASSKEYS_MAX: 10,
    ADMINS_NAMED_MAX: 20,
    WAITING_REQUESTS_MAX: 100,
    EARLIER_REJECTIONS_MAX: 5,
    POSSIBLE_MATCHES_MAX: 10,
    REPORTS_THAT_HIDE: 3,
    CLAIM_ASKS_MAX: 4,
    CLAIM_TRIES_MAX: 2,
    HANDOVER_CODE_TRIES: 5,
    PHOTOS_MAX: 4,
    PHOTOS_OF_PERSON_MAX: 200,
    PAGE_SIZE_DEFAULT: 50,
    PAGE_SIZE_MAX: 100,
    CLIENT_ERROR_FRAMES_MAX: 10,
    SOCKETS_PER_USER_MAX: 20,
    NOTICE_IDS_MAX: 100,
    NOTICE_MESSAGES_A_DAY: 3,
    PUSH_SUBSCRIPTIONS_MAX: 10,
    BLOCKS_LISTED_MAX: 500,
    ADMIN_FOUND_MAX: 20,
    WEEK_COUNT_MAX: 10_000,
    UNREAD_COUNT_MAX: 100,
  });
});

test('what takes seconds to hours takes so long', () => {
  expect(limits).toMatchObject({
    FOUND_UNDO_SECONDS: 10 * MINUTE,
    STEP_UP_HOURS: 12,
    REPORT_OVERDUE_HOURS: 48,
    DECISION_UNDO_SECONDS: 10 * MINUTE,
    CLAIM_DECLINE_SECONDS: 10 * MINUTE,
    HANDOVER_LOCK_SECONDS: HOUR,
    IDEMPOTENCY_KEY_LIFETIME_HOURS: 24,
    EMAIL_LINK_LIFETIME_HOURS: 24,
    RESET_CODE_LIFETIME_SECONDS: 5 * MINUTE,
    PROOF_MESSAGE_LIFETIME_SECONDS: 10 * MINUTE,
    PROOF_LIFETIME_SECONDS: 15 * MINUTE,
    REALTIME_TICKET_LIFETIME_SECONDS: 30,
    NOTICE_PUSH_SECONDS: 15,
    NOTICE_WHATSAPP_SECONDS: 10 * MINUTE,
    NOTICE_EMAIL_SECONDS: 30 * MINUTE,
  });
});

test('what takes days to months takes so long', () => {
  expect(limits).toMatchObject({
    DEVICE_UNUSED_DAYS: 180,
    SESSION_LIFETIME_DAYS: 30,
    ERASURE_WAITS_DAYS: 30,
    BARRED_MONTHS: 12,
    POST_ASKED_AFTER_DAYS: [14, 45],
    POST_RESTS_AFTER_DAYS: 60,
    COMMUNITY_CLOSES_DAYS: 7,
    REMOVAL_DAYS: 30,
    JOIN_REQUEST_AGAIN_DAYS: 7,
    JOIN_REQUEST_LIFETIME_DAYS: 90,
    REPORTER_MIN_AGE_SECONDS: 3 * DAY,
    DECISION_LIFETIME_DAYS: 365,
    CLAIM_NUMBER_DAYS: 7,
    DOCUMENT_PHOTO_DAYS: 7,
    NUMBER_KEPT_DAYS: 90,
    RECENT_ACTIVITY_DAYS: 7,
  });
});

test('pictures and bodies have so many bytes and pixels', () => {
  expect(limits).toMatchObject({
    PHOTO_MAX_BYTES: 3 * KIB * KIB,
    PHOTO_MAX_PIXELS: 40_000_000,
    PHOTO_MAX_SIDE_PX: 1280,
    THUMBNAIL_MAX_SIDE_PX: 320,
    THUMBNAIL_MAX_BYTES: 12_000,
    BODY_MAX_BYTES: 16 * KIB,
    CLIENT_ERROR_MAX_BYTES: 2 * KIB,
  });
});

test('a minute, an hour and a day are what they are', () => {
  expect([MINUTE_MS, HOUR_MS, DAY_MS]).toEqual([60_000, 3_600_000, 86_400_000]);
});

test.each([
  ['removed_from_community', [limits.REMOVAL_DAYS]],
  ['too_many_passkeys', [limits.PASSKEYS_MAX]],
  ['too_late', [limits.FOUND_UNDO_SECONDS / MINUTE]],
  ['too_many_photos', [limits.PHOTOS_MAX, limits.PHOTOS_OF_PERSON_MAX]],
  ['photo_too_large', [limits.PHOTO_MAX_PIXELS / 1_000_000]],
] as const)('the error %s names the limit that holds, in both languages', (code, numbers) => {
  for (const errors of [errorsEn, errorsSw]) expect(numbersIn(errors[code])).toEqual(numbers);
});

test.each([
  ['identifier_invalid', [limits.IDENTIFIER_MIN_CHARS, limits.IDENTIFIER_MAX_CHARS, limits.IDENTIFIER_MIN_DIGITS]],
  ['password_too_short', [limits.PASSWORD_MIN_CHARS]],
  ['password_too_long', [limits.PASSWORD_MAX_CHARS]],
  ['limit_invalid', [1, limits.PAGE_SIZE_MAX]],
] as const)('the message %s names the limit that holds, in both languages', (key, numbers) => {
  for (const fields of [fieldsEn, fieldsSw]) expect(numbersIn(fields[key])).toEqual(numbers);
});

function numbersIn(sentence: string): number[] {
  return [...sentence.matchAll(/\d+/g)].map(([digits]) => Number(digits));
}
