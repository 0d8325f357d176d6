/**
 * The tables of an export, in reading order: tables that refer to other tables come first. So a referenced row is read
 * later than the row that refers to it, and is missing only if it was deleted in between.
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
  'switched_off',
  'photo_leftovers',
  'users',
] as const;

export type ExportedTable = (typeof EXPORTED)[number];

const SESSION = 'a session: people sign in again after a restore';
const CODE = 'a code or link, valid for a day at most';
const MESSAGE = 'the state of a message, relevant for a few days';
const LIMIT = 'a count of tries, relevant for a day';
const DERIVED = 'derived from the posts again when they are restored';
const EMPTY = 'always empty';
const EXPORTING = 'the progress of the exports themselves';

/** The tables that are not exported, and the reason. */
export const LEFT_OUT: Readonly<Record<string, string>> = {
  d1_migrations: 'written by the migrations',
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
  idempotency_keys: 'recognises repeated requests, relevant for a day',
  match_readings: DERIVED,
  match_terms: DERIVED,
  posts_search: DERIVED,
  posts_visitor_search: DERIVED,
  search_meanings: DERIVED,
  search_terms: DERIVED,
  value_shares: DERIVED,
  token_checks: EMPTY,
  standing_checks: EMPTY,
  heartbeats: 'the last sign of life of the queue',
  exports: EXPORTING,
  export_pieces: EXPORTING,
  erased_people: 'the bucket has its own list',
};
