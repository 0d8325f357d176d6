const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/**
 * Every limit on abuse, in one place. `max` happenings a window of `windowSeconds`, counted in D1 because the
 * platform's own limiter counts per location and loosely. Addresses are shared by whole schools and by a mobile
 * network's customers, so their ceilings only stop floods.
 */
export const LIMITS = {
  // Of a device that the account knows: its owner's mistakes, or a thief's guesses.
  sign_in_device: { max: 10, windowSeconds: 15 * MINUTE },
  // Of everybody else together; from then on each address has one guess a pause, so that they never lock an owner out.
  sign_in_strangers: { max: 20, windowSeconds: HOUR },
  sign_in_pause: { max: 1, windowSeconds: 30 },
  sign_in_address: { max: 600, windowSeconds: 15 * MINUTE },
  registration_address: { max: 300, windowSeconds: HOUR },
  post: { max: 30, windowSeconds: DAY },
  // An admin's into one community: what lies in an office's cupboard.
  desk_post: { max: 200, windowSeconds: DAY },
  post_update: { max: 60, windowSeconds: DAY },
  photo: { max: 20, windowSeconds: DAY },
  // "I found this": each tells an owner.
  answering_post: { max: 5, windowSeconds: DAY },
  // Of the unproven: whoever has a number may try who else gives it.
  post_with_identifiers: { max: 5, windowSeconds: DAY },
  identifier_lookup: { max: 5, windowSeconds: DAY },
  identifier_lookup_address: { max: 60, windowSeconds: DAY },
  // What one author's posts tell one person; the matches beyond it are listed.
  matching_notice: { max: 3, windowSeconds: DAY },
  report: { max: 5, windowSeconds: DAY },
  claim: { max: 5, windowSeconds: DAY },
  claim_unproven: { max: 2, windowSeconds: DAY },
  community: { max: 10, windowSeconds: DAY },
  // Of one community's: each tells all its members.
  community_closing: { max: 10, windowSeconds: DAY },
  join_request: { max: 3, windowSeconds: DAY },
  wrong_access_code: { max: 10, windowSeconds: HOUR },
  reset_request: { max: 3, windowSeconds: 15 * MINUTE },
  // Wrong ones. Without it three codes a quarter of an hour, five tries each, would be 1,440 guesses a day.
  reset_guess: { max: 50, windowSeconds: DAY },
  // From all addresses together: as many more as a code has tries for strangers than for one of them.
  reset_guess_number: { max: 200, windowSeconds: DAY },
  // Codes cost money, and what is sent a day is limited (whatsapp/recipients.ts).
  code_address: { max: 100, windowSeconds: HOUR },
  // Codes that show that a number is one's own: asked for a number, and signed in.
  prove_request: { max: 3, windowSeconds: 15 * MINUTE },
  change_request: { max: 3, windowSeconds: 15 * MINUTE },
  change_account: { max: 10, windowSeconds: HOUR },
  // Wrong guesses of one who guesses at one code, and of all who guess at one number.
  number_code_try: { max: 5, windowSeconds: 5 * MINUTE },
  number_code_guess: { max: 200, windowSeconds: DAY },
  proof_address: { max: 300, windowSeconds: 15 * MINUTE },
  export: { max: 3, windowSeconds: DAY },
  // Links that show that an e-mail is one's own: by an account, and to an address, whose owner may know nothing of it.
  email_link: { max: 10, windowSeconds: HOUR },
  email_link_address: { max: 3, windowSeconds: HOUR },
  feedback_address: { max: 60, windowSeconds: HOUR },
  client_error_address: { max: 60, windowSeconds: HOUR },
} as const;

export type Limit = keyof typeof LIMITS;

/**
 * How many different posts' numbers are given a day, so that nobody carries them off; counted in posts/number-store.ts.
 * Every account of a network counts for its ceiling until its own number is proven: a proven one is a person.
 */
export const NUMBERS_A_DAY = {
  account: 100,
  proven_account: 300,
  /** For posts that are opened one by one, beyond the account's. */
  openings: 20,
  /** Matching notices that carry a number, beyond all those. */
  notices: 50,
  network: 1_000,
} as const;
