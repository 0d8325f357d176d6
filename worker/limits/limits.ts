import { DAY_MS, HOUR_MS } from '#contract/durations.ts';

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

export type Rule = {
  max: number;
  windowSeconds: number;
  /** The limit stays on when load tests switch limits off, because short codes could otherwise be guessed. */
  isAlwaysOn?: boolean;
  /**
   * For limits per IP address: the limits of an IPv6 /56 and /48. By default 1.5 times and twice the limit of a /64
   * (allowance.ts).
   */
  wider?: readonly [of56: number, of48: number];
};

/**
 * Every limit on abuse: at most `max` events in `windowSeconds`. They are counted in D1, because Cloudflare's own
 * limiter is approximate and counts per location. Whole schools and the customers of a mobile network share IP
 * addresses, so limits per address are high and only stop floods. Events from an IPv6 address are counted for each
 * network that contains the address (allowance.ts). Limits that are counted elsewhere:
 * - all requests per minute: http/stop-floods.ts
 * - phone numbers that a person sees per day: `NUMBERS_A_DAY`
 * - WhatsApp recipients per day: whatsapp/recipients.ts
 * - WhatsApp messages and e-mails to a person per day: durable/channel-rules.ts
 * - image transformations per day: photos/breaker.ts
 * - photos of a post: photos/add-photo.ts
 * - wrong guesses at one verification code, or by strangers at one reset code: the code's row
 * - wrong guesses at a hand-over code: the claim's row
 */
export const LIMITS = {
  // Wrong passwords from a device that the account knows: mistakes of the account's owner, or guesses of a thief.
  sign_in_device: { max: 10, windowSeconds: 15 * MINUTE },
  // Wrong passwords from devices that the account does not know: per IP address, and from all IP addresses together.
  // Once one of these limits is used up, one guess per `sign_in_pause` is allowed. Strangers are thus slowed down, but
  // can never lock the account's owner out.
  sign_in_stranger: { max: 20, windowSeconds: HOUR, wider: [40, 80] },
  sign_in_strangers: { max: 150, windowSeconds: HOUR },
  sign_in_pause: { max: 1, windowSeconds: 30, wider: [1, 1] },
  sign_in_address: { max: 600, windowSeconds: 15 * MINUTE },
  registration_address: { max: 300, windowSeconds: HOUR },
  post: { max: 30, windowSeconds: DAY },
  // Posts by a community's admin into that community. The limit is high, because admins also post all things that
  // people hand in at the community's office.
  desk_post: { max: 200, windowSeconds: DAY },
  post_update: { max: 60, windowSeconds: DAY },
  photo: { max: 20, windowSeconds: DAY },
  photo_unproven: { max: 4, windowSeconds: DAY },
  // Uploaded pictures, even if no photo results: each one is sent to the Images service, which costs money.
  photo_try: { max: 100, windowSeconds: DAY },
  photo_try_unproven: { max: 20, windowSeconds: DAY },
  // Uploaded pictures of all accounts together that use one IP address and have no proven phone number.
  photo_try_address: { max: 40, windowSeconds: DAY },
  // "I found this" posts: each one notifies the author of the lost post.
  answering_post: { max: 5, windowSeconds: DAY },
  // Posts with identifiers by an account without a proven phone number. Such an account could post guessed identifiers
  // to find out who has posted the same identifiers.
  post_with_identifiers: { max: 5, windowSeconds: DAY },
  identifier_lookup: { max: 5, windowSeconds: DAY },
  identifier_lookup_address: { max: 60, windowSeconds: DAY },
  // Notices to one person about matches with the posts of one author. Further matches are only listed.
  matching_notice: { max: 3, windowSeconds: DAY },
  report: { max: 5, windowSeconds: DAY },
  claim: { max: 5, windowSeconds: DAY },
  claim_unproven: { max: 2, windowSeconds: DAY },
  community: { max: 10, windowSeconds: DAY },
  // Closings of one community. Admins can cancel a closing and begin the next one. Both actions notify all other
  // members.
  community_closing: { max: 10, windowSeconds: DAY },
  join_request: { max: 3, windowSeconds: DAY },
  wrong_access_code: { max: 10, windowSeconds: HOUR },
  reset_request: { max: 3, windowSeconds: 15 * MINUTE },
  // Wrong guesses by one requester (a known device or an IP address) at all reset codes of one phone number. Without
  // this limit, three codes per 15 minutes with five guesses each would allow 1,440 guesses a day.
  reset_guess: { max: 50, windowSeconds: DAY },
  // Guesses at one reset code by one requester. The window is as long as a code is valid.
  reset_code_try: { max: 5, windowSeconds: 10 * MINUTE, isAlwaysOn: true },
  // Guesses at one phone number's reset codes from all IP addresses together. Four times `reset_guess`, so that one
  // stranger alone cannot use the limit up.
  reset_guess_number: { max: 200, windowSeconds: DAY },
  // Codes of all kinds to one phone number. Each device that the number's account knows has its own limit. All other
  // devices share one limit.
  code_number: { max: 10, windowSeconds: DAY },
  // Requests for codes per IP address, except from known devices and signed-in accounts. Each code costs money and uses
  // up one of the day's WhatsApp recipients (whatsapp/recipients.ts).
  code_address: { max: 100, windowSeconds: HOUR },
  // How many different phone numbers one IP address may request codes for, per day in Tanzania. Unproven numbers have a
  // share of the day's WhatsApp recipients. Even a whole /48 can use up only about half of this share.
  code_recipients_address: { max: 20, windowSeconds: DAY },
  // Requests for verification codes. `prove_request`: per phone number before a registration. `change_request`: per
  // phone number that an account wants to change to. `change_account`: per account that changes its phone number.
  prove_request: { max: 3, windowSeconds: 15 * MINUTE },
  change_request: { max: 3, windowSeconds: 15 * MINUTE },
  change_account: { max: 10, windowSeconds: HOUR },
  // Wrong guesses at verification codes. `number_code_try`: by one person at one code, until the code expires.
  // `number_code_guess`: by all people at all codes of one phone number, or of one account that changes its number.
  number_code_try: { max: 5, windowSeconds: 5 * MINUTE, isAlwaysOn: true },
  number_code_guess: { max: 200, windowSeconds: DAY },
  proof_address: { max: 300, windowSeconds: 15 * MINUTE },
  export: { max: 3, windowSeconds: DAY },
  // Requests for links that prove an e-mail address: per account, and per e-mail address, which may be somebody else's.
  email_link: { max: 10, windowSeconds: HOUR },
  email_link_address: { max: 3, windowSeconds: HOUR },
  feedback_address: { max: 60, windowSeconds: HOUR },
  client_error_address: { max: 60, windowSeconds: HOUR },
} as const satisfies Record<string, Rule>;

export type Limit = keyof typeof LIMITS;

/**
 * How many different posts' phone numbers a reader may see per day. These limits stop harvesting and are counted in
 * posts/give-numbers.ts. Accounts without a proven phone number also count towards the limits of their networks: an
 * IPv4 address or IPv6 /64, a /56 and a /48.
 */
export const NUMBERS_A_DAY = {
  account: 100,
  proven_account: 300,
  /** How many phone numbers beyond the account's limit a reader may see by opening posts one at a time. */
  openings: 20,
  /** How many match notices a day may show a phone number to one person. No other limit counts these numbers. */
  notices: 50,
  networks: [1_000, 1_500, 2_000],
} as const;

/** Limits can be off only on a local Worker, for load tests. */
type Config = { areRateLimitsOn: boolean };

/** @returns the limit; null if limits are off. */
export function inForce<Limit>(config: Config, limit: Limit): Limit | null {
  return config.areRateLimitsOn ? limit : null;
}

/** @returns the maximum; if limits are off, a number that no count reaches. */
export function maxInForce(config: Config, max: number): number {
  return inForce(config, max) ?? Number.MAX_SAFE_INTEGER;
}

/** Africa/Dar_es_Salaam has no daylight saving time. */
const AHEAD_OF_UTC_MS = 3 * HOUR_MS;

/** The day in Tanzania, counted from 1970. */
export function dayOf(now: number): number {
  return Math.floor((now + AHEAD_OF_UTC_MS) / DAY_MS);
}

/** The day in the form 2026-11-22. */
export function nameDay(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 'YYYY-MM-DD'.length);
}

/** When the day begins in Tanzania, in milliseconds. */
export function startOfDay(day: number): number {
  return day * DAY_MS - AHEAD_OF_UTC_MS;
}

/** Returns when the day of `now` ends in Tanzania, in milliseconds. Some tables use the result as the key of a day. */
export function endOfDay(now: number): number {
  return startOfDay(dayOf(now) + 1);
}
