/**
 * What an export holds, in the order in which it is read: what refers before what it refers to. So a row's counterpart is
 * younger in the export than the row, and is missing only where it was deleted meanwhile.
 */
export const EXPORTED = [
  'notices',
  'match_answers',
  'match_pairs',
  'claim_reports',
  'claim_steps',
  'claims',
  'photos',
  'blocks',
  'post_reports',
  'moderation_cases',
  'moderation_log',
  'join_requests',
  'community_removals',
  'community_rejections',
  'memberships',
  'posts',
  'communities',
  'notice_settings',
  'whatsapp_words',
  'passkeys',
  'phone_numbers',
  'erasures',
  'barred_keys',
  'feedback',
  'notice_days',
  'switched_off',
  'tallies',
  'photo_leftovers',
  'users',
] as const;

export type ExportedTable = (typeof EXPORTED)[number];

const SESSION = 'a session: whoever is signed in signs in again after a restoration';
const CODE = 'a code or link that is good for a day at most';
const MESSAGE = 'how far a message has come: a matter of days';
const LIMIT = 'a count of tries: a matter of a day';
const DERIVED = 'made of the posts again when they are restored';
const EMPTY = 'always empty';
const EXPORTING = 'says how far the exports are';

/** What no export holds, and why. */
export const LEFT_OUT: Readonly<Record<string, string>> = {
  d1_migrations: 'the migrations write it',
  devices: SESSION,
  step_ups: SESSION,
  push_subscriptions: SESSION,
  email_links: CODE,
  number_codes: CODE,
  number_proofs: CODE,
  passkey_challenges: CODE,
  reset_codes: CODE,
  email_messages: MESSAGE,
  push_dead_letters: MESSAGE,
  whatsapp_dead_letters: MESSAGE,
  whatsapp_deliveries: MESSAGE,
  whatsapp_incoming: MESSAGE,
  whatsapp_messages: MESSAGE,
  whatsapp_outbox: MESSAGE,
  whatsapp_pauses: MESSAGE,
  whatsapp_recipients: LIMIT,
  rate_counters: LIMIT,
  given_numbers: LIMIT,
  idempotency_keys: 'by which a repeated request is known: a matter of a day',
  match_readings: DERIVED,
  match_terms: DERIVED,
  posts_letters: DERIVED,
  posts_search: DERIVED,
  posts_visitor_search: DERIVED,
  value_shares: DERIVED,
  token_checks: EMPTY,
  standing_checks: EMPTY,
  heartbeats: 'when the queue last answered',
  exports: EXPORTING,
  export_pieces: EXPORTING,
  erased_people: 'the bucket has a list of its own',
};
