-- Tables and columns are explained in worker/db/schema.ts. Search indexes, views, triggers and the first rows are only here.

-- People and their devices ----------------------------------------------------------------------------

CREATE TABLE users (
  id text PRIMARY KEY NOT NULL,
  username text NOT NULL,
  email text NOT NULL,
  email_key text NOT NULL,
  email_proven_at integer,
  email_origin text,
  password_hash text NOT NULL,
  token_version integer DEFAULT 1 NOT NULL,
  is_platform_admin integer DEFAULT false NOT NULL,
  platform_admin_since integer,
  created_at integer NOT NULL,
  suspended_at integer,
  suspension_reason text,
  closed_at integer,
  language text DEFAULT 'en' NOT NULL
);
CREATE UNIQUE INDEX users_email_key_unique ON users (email_key);
CREATE INDEX users_who_run_the_platform ON users (id) WHERE is_platform_admin;
CREATE INDEX users_by_name ON users (username collate nocase);

CREATE TABLE phone_numbers (
  number text PRIMARY KEY NOT NULL,
  user_id text NOT NULL REFERENCES users (id),
  proven_at integer
);
CREATE UNIQUE INDEX phone_numbers_user_id_unique ON phone_numbers (user_id);

CREATE TABLE devices (
  id text PRIMARY KEY NOT NULL,
  user_id text NOT NULL REFERENCES users (id),
  name text NOT NULL,
  created_at integer NOT NULL,
  last_seen_at integer NOT NULL,
  ended_at integer,
  closed_at integer
);
CREATE INDEX devices_by_user ON devices (user_id, created_at);
CREATE INDEX devices_by_use ON devices (last_seen_at);
CREATE INDEX devices_ended ON devices (ended_at) WHERE ended_at is not null;
CREATE INDEX devices_to_close ON devices (ended_at) WHERE ended_at is not null and closed_at is null;

CREATE TABLE email_links (
  user_id text PRIMARY KEY NOT NULL REFERENCES users (id),
  id text NOT NULL,
  email text NOT NULL,
  email_key text NOT NULL,
  token_digest text NOT NULL,
  origin text NOT NULL,
  created_at integer NOT NULL
);
CREATE UNIQUE INDEX email_links_id_unique ON email_links (id);
CREATE UNIQUE INDEX email_links_token_digest_unique ON email_links (token_digest);
CREATE INDEX email_links_by_age ON email_links (created_at);

CREATE TABLE email_messages (
  id text PRIMARY KEY NOT NULL,
  kind text NOT NULL,
  recipient_id text NOT NULL REFERENCES users (id),
  status text NOT NULL,
  attempts integer NOT NULL,
  error_code text,
  content text,
  created_at integer NOT NULL,
  updated_at integer NOT NULL
);
CREATE INDEX email_messages_by_age ON email_messages (created_at);

CREATE TABLE passkeys (
  id text PRIMARY KEY NOT NULL,
  user_id text NOT NULL REFERENCES users (id),
  public_key text NOT NULL,
  counter integer NOT NULL,
  transports text NOT NULL,
  created_at integer NOT NULL,
  last_used_at integer
);
CREATE INDEX passkeys_by_user ON passkeys (user_id);

CREATE TABLE passkey_challenges (
  user_id text NOT NULL REFERENCES users (id),
  purpose text NOT NULL,
  challenge text NOT NULL,
  expires_at integer NOT NULL,
  PRIMARY KEY (user_id, purpose)
);
CREATE INDEX passkey_challenges_by_end ON passkey_challenges (expires_at);

CREATE TABLE step_ups (
  session_id text PRIMARY KEY NOT NULL,
  user_id text NOT NULL REFERENCES users (id),
  passkey_id text NOT NULL,
  expires_at integer NOT NULL
);
CREATE INDEX step_ups_by_passkey ON step_ups (passkey_id);
CREATE INDEX step_ups_by_end ON step_ups (expires_at);

CREATE TABLE number_codes (
  id text PRIMARY KEY NOT NULL,
  kind text NOT NULL,
  subject text NOT NULL,
  number text NOT NULL,
  code_digest text NOT NULL,
  wrong_tries integer DEFAULT 0 NOT NULL,
  issued_at integer NOT NULL,
  used_by text,
  language text NOT NULL,
  status text DEFAULT 'waiting' NOT NULL,
  attempts integer DEFAULT 0 NOT NULL,
  error_code integer,
  wamid text,
  updated_at integer NOT NULL
);
CREATE INDEX number_codes_by_subject ON number_codes (kind, subject, issued_at);
CREATE INDEX number_codes_by_age ON number_codes (issued_at);

CREATE TABLE number_proofs (
  id text PRIMARY KEY NOT NULL,
  secret_digest text NOT NULL,
  number text NOT NULL,
  text_digest text NOT NULL,
  status text DEFAULT 'waiting' NOT NULL,
  created_at integer NOT NULL,
  proven_at integer,
  used_by text
);
CREATE UNIQUE INDEX number_proofs_text_digest_unique ON number_proofs (text_digest);
CREATE INDEX number_proofs_by_age ON number_proofs (created_at);

CREATE TABLE whatsapp_incoming (
  id text PRIMARY KEY NOT NULL,
  received_at integer NOT NULL
);
CREATE INDEX whatsapp_incoming_by_age ON whatsapp_incoming (received_at);

-- Communities -----------------------------------------------------------------------------------------

CREATE TABLE communities (
  id text PRIMARY KEY NOT NULL,
  name text NOT NULL,
  description text NOT NULL,
  search_text text NOT NULL,
  community_code text NOT NULL,
  access_code text NOT NULL,
  approval_status integer DEFAULT 0 NOT NULL,
  creator_id text NOT NULL REFERENCES users (id),
  creator_language text DEFAULT 'en' NOT NULL,
  created_at integer NOT NULL,
  member_count integer DEFAULT 0 NOT NULL,
  is_listed integer DEFAULT true NOT NULL,
  pending_name text,
  pending_name_by text REFERENCES users (id),
  pending_name_at integer,
  closes_at integer,
  closed_at integer,
  suspended_at integer,
  suspension_reason text
);
CREATE UNIQUE INDEX communities_community_code_unique ON communities (community_code);
CREATE UNIQUE INDEX communities_access_code_unique ON communities (access_code);
CREATE INDEX communities_by_status ON communities (approval_status, created_at, id);
CREATE INDEX communities_listed ON communities (created_at, id) WHERE approval_status = 1 and is_listed = 1 and closes_at is null and suspended_at is null and member_count > 0;
CREATE INDEX communities_to_decide ON communities (case when pending_name_at is null then created_at else pending_name_at end, id) WHERE approval_status = 0 or pending_name is not null;
CREATE INDEX communities_by_creator ON communities (creator_id);
CREATE INDEX communities_by_asker ON communities (pending_name_by) WHERE pending_name_by is not null;
CREATE INDEX communities_to_close ON communities (closes_at) WHERE closes_at is not null and closed_at is null;
CREATE INDEX communities_closed ON communities (closed_at) WHERE closed_at is not null;

CREATE TABLE memberships (
  community_id text NOT NULL REFERENCES communities (id),
  user_id text NOT NULL REFERENCES users (id),
  role text NOT NULL,
  joined_at integer NOT NULL,
  PRIMARY KEY (community_id, user_id)
);
CREATE INDEX memberships_by_user ON memberships (user_id);
CREATE INDEX memberships_by_joining ON memberships (community_id, joined_at, user_id);
CREATE INDEX memberships_of_admins ON memberships (community_id, joined_at, user_id) WHERE role = 'admin';
-- Triggers count the members, so that a list of communities does not.
CREATE TRIGGER memberships_count_insert AFTER INSERT ON memberships BEGIN
  UPDATE communities SET member_count = member_count + 1 WHERE id = new.community_id;
END;
CREATE TRIGGER memberships_count_delete AFTER DELETE ON memberships BEGIN
  UPDATE communities SET member_count = member_count - 1 WHERE id = old.community_id;
END;

CREATE TABLE community_removals (
  community_id text NOT NULL,
  user_id text NOT NULL REFERENCES users (id),
  removed_at integer NOT NULL,
  PRIMARY KEY (community_id, user_id)
);
CREATE INDEX community_removals_by_user ON community_removals (user_id);
CREATE INDEX community_removals_by_age ON community_removals (removed_at);

CREATE TABLE join_requests (
  id text NOT NULL,
  community_id text NOT NULL,
  user_id text NOT NULL REFERENCES users (id),
  message text,
  created_at integer NOT NULL,
  declined_at integer,
  PRIMARY KEY (community_id, user_id)
);
CREATE UNIQUE INDEX join_requests_id_unique ON join_requests (id);
CREATE INDEX join_requests_waiting ON join_requests (community_id, created_at, user_id) WHERE declined_at is null;
CREATE INDEX join_requests_by_user ON join_requests (user_id);
CREATE INDEX join_requests_by_age ON join_requests (created_at);
CREATE INDEX join_requests_declined ON join_requests (declined_at) WHERE declined_at is not null;

CREATE TABLE community_rejections (
  id text PRIMARY KEY NOT NULL,
  user_id text NOT NULL REFERENCES users (id),
  name text NOT NULL,
  reason text NOT NULL,
  rejected_at integer NOT NULL
);
CREATE INDEX community_rejections_by_user ON community_rejections (user_id, rejected_at);
CREATE INDEX community_rejections_by_age ON community_rejections (rejected_at);

-- Posts -----------------------------------------------------------------------------------------------

CREATE TABLE posts (
  seq integer PRIMARY KEY AUTOINCREMENT NOT NULL,
  id text NOT NULL,
  author_id text NOT NULL REFERENCES users (id),
  community_id text REFERENCES communities (id),
  title text NOT NULL,
  owner_first_name text NOT NULL,
  owner_last_name text NOT NULL,
  location text NOT NULL,
  kept_at text,
  phone_number text NOT NULL,
  description text NOT NULL,
  posted_by text NOT NULL,
  kind text NOT NULL,
  own_kind text,
  on_behalf integer DEFAULT false NOT NULL,
  claim_question text,
  private_marks text,
  contact text DEFAULT 'number' NOT NULL,
  is_found integer DEFAULT false NOT NULL,
  found_at integer,
  away_since integer,
  outcome text,
  renewed_at integer,
  times_asked integer DEFAULT 0 NOT NULL,
  identifiers text,
  identifier_changes integer DEFAULT 0 NOT NULL,
  answers_post_id text,
  hidden_by integer DEFAULT 0 NOT NULL,
  hidden_reason text,
  search_text text NOT NULL,
  reader_text text,
  visitor_text text,
  search_version integer DEFAULT 0 NOT NULL,
  created_at integer NOT NULL,
  changed_at integer DEFAULT 0 NOT NULL,
  match_pending_since integer,
  match_failures integer DEFAULT 0 NOT NULL
);
CREATE UNIQUE INDEX posts_id_unique ON posts (id);
CREATE INDEX posts_by_community ON posts (community_id, seq);
CREATE INDEX posts_listed ON posts (community_id, seq, author_id, hidden_by) WHERE away_since is null;
CREATE INDEX posts_by_community_and_kind ON posts (community_id, posted_by, seq) WHERE away_since is null;
CREATE INDEX posts_by_kind ON posts (community_id, kind, posted_by, is_found, seq) WHERE away_since is null;
CREATE INDEX posts_open ON posts (community_id, posted_by, seq) WHERE is_found = 0 and away_since is null;
CREATE INDEX posts_to_ask ON posts (times_asked, case when renewed_at is null then created_at else renewed_at end) WHERE is_found = 0 and away_since is null and hidden_by = 0;
CREATE INDEX posts_by_answer ON posts (answers_post_id) WHERE answers_post_id is not null;
CREATE INDEX posts_by_search_version ON posts (search_version, seq);
CREATE INDEX posts_by_age ON posts (created_at);
CREATE INDEX posts_hidden ON posts (seq) WHERE hidden_by <> 0;
CREATE INDEX posts_by_author ON posts (author_id, seq);
CREATE INDEX posts_by_marking ON posts (found_at) WHERE found_at is not null;
CREATE INDEX posts_to_match ON posts (match_pending_since) WHERE match_pending_since is not null;
-- Deletes a closed community with its last post, so that no sweep has to look for closed communities without posts.
CREATE TRIGGER closed_communities_end AFTER DELETE ON posts WHEN old.community_id IS NOT NULL BEGIN
  DELETE FROM communities WHERE id = old.community_id AND closed_at IS NOT NULL
    AND NOT EXISTS (SELECT 1 FROM posts p WHERE p.community_id = old.community_id);
END;
CREATE TRIGGER closed_communities_left AFTER UPDATE OF community_id ON posts WHEN old.community_id IS NOT NULL AND new.community_id IS NOT old.community_id BEGIN
  DELETE FROM communities WHERE id = old.community_id AND closed_at IS NOT NULL
    AND NOT EXISTS (SELECT 1 FROM posts p WHERE p.community_id = old.community_id);
END;

-- Substring search over posts.search_text. The text is stored in posts alone. Triggers update the index; this rebuilds it:
-- INSERT INTO posts_search (posts_search) VALUES ('rebuild');
CREATE VIRTUAL TABLE posts_search USING fts5(search_text, content = 'posts', content_rowid = 'seq', tokenize = 'trigram');
CREATE TRIGGER posts_search_insert AFTER INSERT ON posts BEGIN
  INSERT INTO posts_search (rowid, search_text) VALUES (new.seq, new.search_text);
END;
CREATE TRIGGER posts_search_delete AFTER DELETE ON posts BEGIN
  INSERT INTO posts_search (posts_search, rowid, search_text) VALUES ('delete', old.seq, old.search_text);
END;
CREATE TRIGGER posts_search_update AFTER UPDATE OF search_text ON posts BEGIN
  INSERT INTO posts_search (posts_search, rowid, search_text) VALUES ('delete', old.seq, old.search_text);
  INSERT INTO posts_search (rowid, search_text) VALUES (new.seq, new.search_text);
END;

-- The same over what a visitor sees of public posts.
CREATE VIRTUAL TABLE posts_visitor_search USING fts5(visitor_text, content = 'posts', content_rowid = 'seq', tokenize = 'trigram');
CREATE TRIGGER posts_visitor_search_insert AFTER INSERT ON posts BEGIN
  INSERT INTO posts_visitor_search (rowid, visitor_text) VALUES (new.seq, new.visitor_text);
END;
CREATE TRIGGER posts_visitor_search_delete AFTER DELETE ON posts BEGIN
  INSERT INTO posts_visitor_search (posts_visitor_search, rowid, visitor_text) VALUES ('delete', old.seq, old.visitor_text);
END;
CREATE TRIGGER posts_visitor_search_update AFTER UPDATE OF visitor_text ON posts BEGIN
  INSERT INTO posts_visitor_search (posts_visitor_search, rowid, visitor_text) VALUES ('delete', old.seq, old.visitor_text);
  INSERT INTO posts_visitor_search (rowid, visitor_text) VALUES (new.seq, new.visitor_text);
END;

CREATE TABLE idempotency_keys (
  user_id text NOT NULL REFERENCES users (id),
  key text NOT NULL,
  post_id text NOT NULL,
  body_digest text NOT NULL,
  created_at integer NOT NULL,
  PRIMARY KEY (user_id, key)
);
CREATE INDEX idempotency_keys_by_age ON idempotency_keys (created_at);

-- Matching --------------------------------------------------------------------------------------------

CREATE TABLE match_terms (
  posted_by text NOT NULL,
  term text NOT NULL,
  post_seq integer NOT NULL,
  PRIMARY KEY (posted_by, term, post_seq)
);
CREATE INDEX match_terms_by_post ON match_terms (post_seq);

CREATE TABLE match_readings (
  post_seq integer PRIMARY KEY NOT NULL,
  version text NOT NULL,
  reading text NOT NULL,
  agreeable text NOT NULL
);

CREATE TABLE search_meanings (
  post_seq integer PRIMARY KEY NOT NULL,
  version text DEFAULT '' NOT NULL,
  scope text DEFAULT '' NOT NULL,
  terms text DEFAULT '[]' NOT NULL,
  words text DEFAULT '' NOT NULL
);
CREATE INDEX search_meanings_by_version ON search_meanings (version, post_seq);

CREATE TABLE search_terms (
  scope text NOT NULL,
  term text NOT NULL,
  post_seq integer NOT NULL,
  PRIMARY KEY (scope, term, post_seq)
);

-- What a search finds by meaning is deleted in the same write as the text that it was read in.
CREATE TRIGGER search_meanings_insert AFTER INSERT ON posts WHEN new.away_since IS NULL AND new.hidden_by = 0 BEGIN
  INSERT INTO search_meanings (post_seq) VALUES (new.seq);
END;
CREATE TRIGGER search_meanings_update AFTER UPDATE ON posts
WHEN (old.title, old.description, old.location, old.owner_first_name, old.owner_last_name, old.posted_by, old.kind,
    old.community_id, old.away_since IS NULL AND old.hidden_by = 0)
  IS NOT (new.title, new.description, new.location, new.owner_first_name, new.owner_last_name, new.posted_by, new.kind,
    new.community_id, new.away_since IS NULL AND new.hidden_by = 0) BEGIN
  DELETE FROM search_meanings WHERE post_seq = old.seq;
  INSERT INTO search_meanings (post_seq) SELECT new.seq WHERE new.away_since IS NULL AND new.hidden_by = 0;
END;
CREATE TRIGGER search_meanings_delete AFTER DELETE ON posts BEGIN
  DELETE FROM search_meanings WHERE post_seq = old.seq;
END;
CREATE TRIGGER search_terms_update AFTER UPDATE OF terms ON search_meanings BEGIN
  DELETE FROM search_terms
  WHERE scope = old.scope AND term IN (SELECT value FROM json_each(old.terms)) AND post_seq = old.post_seq;
END;
CREATE TRIGGER search_terms_delete AFTER DELETE ON search_meanings BEGIN
  DELETE FROM search_terms
  WHERE scope = old.scope AND term IN (SELECT value FROM json_each(old.terms)) AND post_seq = old.post_seq;
END;

CREATE TABLE value_shares (
  value text PRIMARY KEY NOT NULL,
  share real NOT NULL,
  refreshed_at integer NOT NULL
);

CREATE TABLE match_pairs (
  id text PRIMARY KEY NOT NULL,
  lost_post_id text NOT NULL,
  found_post_id text NOT NULL,
  score real NOT NULL,
  reasons text NOT NULL,
  confidence text DEFAULT 'sure' NOT NULL,
  notice_id text,
  created_at integer NOT NULL,
  judged_at integer DEFAULT 0 NOT NULL,
  is_current integer DEFAULT true NOT NULL,
  shares_identifier integer DEFAULT false NOT NULL,
  dismissed_at integer,
  withdrawn_from_post_id text
);
CREATE UNIQUE INDEX match_pairs_once ON match_pairs (lost_post_id, found_post_id);
CREATE INDEX match_pairs_by_found_post ON match_pairs (found_post_id);
CREATE INDEX match_pairs_dismissed ON match_pairs (dismissed_at) WHERE dismissed_at is not null;

CREATE TABLE match_answers (
  pair_id text NOT NULL,
  user_id text NOT NULL REFERENCES users (id),
  answer text NOT NULL,
  answered_at integer NOT NULL,
  PRIMARY KEY (pair_id, user_id)
);
CREATE INDEX match_answers_dismissed ON match_answers (answered_at) WHERE answer = 'dismissed';

-- Notices ---------------------------------------------------------------------------------------------

CREATE TABLE notice_settings (
  user_id text PRIMARY KEY NOT NULL REFERENCES users (id),
  push integer NOT NULL,
  whatsapp integer NOT NULL,
  email integer NOT NULL,
  quiet_from text,
  quiet_to text
);

CREATE TABLE push_subscriptions (
  endpoint text PRIMARY KEY NOT NULL,
  id text NOT NULL,
  user_id text NOT NULL REFERENCES users (id),
  session_id text NOT NULL,
  p256dh text NOT NULL,
  auth text NOT NULL,
  put_at integer NOT NULL
);
CREATE UNIQUE INDEX push_subscriptions_id_unique ON push_subscriptions (id);
CREATE INDEX push_subscriptions_by_user ON push_subscriptions (user_id, put_at);
CREATE INDEX push_subscriptions_by_session ON push_subscriptions (session_id);

CREATE TABLE push_dead_letters (
  id text PRIMARY KEY NOT NULL,
  notice_id text NOT NULL,
  recorded_at integer NOT NULL
);
CREATE INDEX push_dead_letters_by_age ON push_dead_letters (recorded_at);

CREATE TABLE notices (
  id text PRIMARY KEY NOT NULL,
  recipient_id text NOT NULL REFERENCES users (id),
  type text NOT NULL,
  pair_id text,
  confidence text,
  your_post_id text,
  post_id text,
  claim_id text,
  body text,
  created_at integer NOT NULL,
  place_in_day integer,
  delivered_at integer,
  delivery_due_at integer DEFAULT 0 NOT NULL,
  delivery_failures integer DEFAULT 0 NOT NULL,
  read_at integer,
  acknowledged_at integer,
  pushed_at integer,
  whatsapp_at integer,
  emailed_at integer,
  dismissed_at integer
);
CREATE INDEX notices_by_age ON notices (created_at, type);
CREATE INDEX notices_by_recipient ON notices (recipient_id, created_at);
CREATE INDEX notices_by_pair ON notices (pair_id);
CREATE INDEX notices_by_post ON notices (post_id);
CREATE INDEX notices_by_claim ON notices (claim_id) WHERE claim_id is not null;
CREATE INDEX notices_by_your_post ON notices (your_post_id);
CREATE INDEX notices_to_deliver ON notices (delivery_due_at, created_at) WHERE delivered_at is null;
CREATE INDEX notices_waiting ON notices (recipient_id) WHERE delivered_at is null;
CREATE INDEX notices_unread ON notices (recipient_id) WHERE read_at is null;
-- Numbers the day's notices that give a phone number; a notice that gives none has place 0. A trigger, so that no way of
-- storing a notice can omit the number. Days are those of Africa/Dar_es_Salaam, as in worker/limits/day.ts.
CREATE TRIGGER notices_place_in_day AFTER INSERT ON notices WHEN new.type = 'matching_post' BEGIN
  INSERT INTO given_numbers (reader_id, day_ends_at, notice_count)
  SELECT new.recipient_id, ((new.created_at + 10800000) / 86400000 + 1) * 86400000 - 10800000, 1
  WHERE NOT EXISTS (SELECT 1 FROM posts WHERE id = new.post_id AND contact = 'claim')
    AND NOT EXISTS (SELECT 1 FROM match_pairs WHERE id = new.pair_id AND shares_identifier)
  ON CONFLICT (reader_id, day_ends_at) DO UPDATE SET notice_count = notice_count + 1;
  UPDATE notices SET place_in_day = iif(
    NOT EXISTS (SELECT 1 FROM posts WHERE id = new.post_id AND contact = 'claim')
      AND NOT EXISTS (SELECT 1 FROM match_pairs WHERE id = new.pair_id AND shares_identifier),
    (SELECT notice_count FROM given_numbers
     WHERE reader_id = new.recipient_id
       AND day_ends_at = ((new.created_at + 10800000) / 86400000 + 1) * 86400000 - 10800000),
    0)
  WHERE id = new.id;
END;

-- Claims ----------------------------------------------------------------------------------------------

CREATE TABLE claims (
  id text PRIMARY KEY NOT NULL,
  post_id text NOT NULL,
  post_title text,
  post_kind text NOT NULL,
  finder_id text REFERENCES users (id),
  claimant_id text REFERENCES users (id),
  question text,
  private_marks text,
  answer text,
  phone_number text,
  state text NOT NULL,
  decline_due_at integer,
  accepted_at integer,
  handed_over_at integer,
  wrong_codes integer DEFAULT 0 NOT NULL,
  code_locked_until integer DEFAULT 0 NOT NULL,
  created_at integer NOT NULL,
  finder_updated_at integer NOT NULL,
  claimant_updated_at integer NOT NULL
);
CREATE INDEX claims_by_finder ON claims (finder_id, finder_updated_at, id);
CREATE INDEX claims_by_claimant ON claims (claimant_id, claimant_updated_at, id);
CREATE INDEX claims_by_post ON claims (post_id, claimant_id);
CREATE INDEX claims_to_decline ON claims (decline_due_at) WHERE decline_due_at is not null;
CREATE INDEX claims_by_age ON claims (created_at);

CREATE TABLE claim_steps (
  seq integer PRIMARY KEY AUTOINCREMENT NOT NULL,
  id text NOT NULL,
  claim_id text NOT NULL,
  step text NOT NULL,
  "by" text NOT NULL,
  text text,
  is_about_money integer DEFAULT false NOT NULL,
  finder_at integer,
  claimant_at integer
);
CREATE UNIQUE INDEX claim_steps_id_unique ON claim_steps (id);
CREATE INDEX claim_steps_by_claim ON claim_steps (claim_id, seq);

CREATE TABLE claim_reports (
  id text PRIMARY KEY NOT NULL,
  claim_id text NOT NULL,
  post_id text NOT NULL,
  reporter_id text REFERENCES users (id),
  reason text NOT NULL,
  text text,
  created_at integer NOT NULL,
  closed_at integer
);
CREATE UNIQUE INDEX claim_reports_once ON claim_reports (claim_id, reporter_id);
CREATE INDEX claim_reports_by_post ON claim_reports (post_id);
CREATE INDEX claim_reports_by_reporter ON claim_reports (reporter_id);
CREATE INDEX claim_reports_by_age ON claim_reports (created_at);

-- Moderation ------------------------------------------------------------------------------------------

CREATE TABLE blocks (
  blocker_id text NOT NULL REFERENCES users (id),
  blocked_id text NOT NULL REFERENCES users (id),
  id text NOT NULL,
  name text NOT NULL,
  created_at integer NOT NULL,
  PRIMARY KEY (blocker_id, blocked_id)
);
CREATE UNIQUE INDEX blocks_id_unique ON blocks (id);
CREATE INDEX blocks_by_blocked ON blocks (blocked_id);
CREATE INDEX blocks_by_time ON blocks (blocker_id, created_at, id);

CREATE TABLE post_reports (
  id text PRIMARY KEY NOT NULL,
  post_id text NOT NULL,
  author_id text NOT NULL REFERENCES users (id),
  reporter_id text REFERENCES users (id),
  reason text NOT NULL,
  text text,
  is_counted integer NOT NULL,
  created_at integer NOT NULL,
  closed_at integer
);
CREATE UNIQUE INDEX post_reports_once ON post_reports (post_id, reporter_id);
CREATE INDEX post_reports_by_author ON post_reports (author_id);
CREATE INDEX post_reports_by_reporter ON post_reports (reporter_id);
CREATE INDEX post_reports_by_age ON post_reports (created_at);

CREATE TABLE moderation_cases (
  id text PRIMARY KEY NOT NULL,
  post_id text NOT NULL,
  status text NOT NULL,
  since integer NOT NULL,
  is_edited integer DEFAULT false NOT NULL,
  is_cleared integer DEFAULT false NOT NULL,
  decision text,
  waiting_since_before integer,
  is_edited_before integer DEFAULT false NOT NULL,
  hidden_by_before integer DEFAULT 0 NOT NULL,
  hidden_reason_before text,
  is_cleared_before integer DEFAULT false NOT NULL,
  tell_due_at integer NOT NULL,
  times_told integer DEFAULT 0 NOT NULL
);
CREATE UNIQUE INDEX moderation_cases_post_id_unique ON moderation_cases (post_id);
CREATE INDEX moderation_cases_by_status ON moderation_cases (status, since, id);
CREATE INDEX moderation_cases_to_tell ON moderation_cases (tell_due_at) WHERE status = 'open';

CREATE TABLE moderation_log (
  id text PRIMARY KEY NOT NULL,
  actor_id text REFERENCES users (id),
  action text NOT NULL,
  target_type text NOT NULL,
  target_id text,
  reason text,
  created_at integer NOT NULL
);
CREATE INDEX moderation_log_by_time ON moderation_log (created_at, id);
CREATE INDEX moderation_log_by_actor ON moderation_log (actor_id);
CREATE INDEX moderation_log_by_target ON moderation_log (target_id);
-- Rows are only added, until their lifetime ends. An erased person's id is removed from them.
CREATE TRIGGER moderation_log_is_not_changed BEFORE UPDATE ON moderation_log
WHEN (new.id, new.action, new.target_type, new.reason, new.created_at)
    IS NOT (old.id, old.action, old.target_type, old.reason, old.created_at)
  OR ifnull(new.actor_id, old.actor_id) IS NOT old.actor_id
  OR ifnull(new.target_id, old.target_id) IS NOT old.target_id
BEGIN
  SELECT raise(ABORT, 'the log is only added to');
END;
CREATE TRIGGER moderation_log_is_kept BEFORE DELETE ON moderation_log
WHEN old.created_at > (unixepoch() - 364 * 24 * 60 * 60) * 1000
BEGIN
  SELECT raise(ABORT, 'the log is only added to');
END;

-- Erasure, photos and exports -------------------------------------------------------------------------

CREATE TABLE erasures (
  user_id text PRIMARY KEY NOT NULL,
  erase_at integer NOT NULL,
  due_at integer NOT NULL,
  failures integer DEFAULT 0 NOT NULL
);
CREATE INDEX erasures_by_due_time ON erasures (due_at);

CREATE TABLE photos (
  id text PRIMARY KEY NOT NULL,
  post_id text NOT NULL,
  author_id text NOT NULL REFERENCES users (id),
  position integer NOT NULL,
  width integer NOT NULL,
  height integer NOT NULL,
  alt text NOT NULL,
  has_og integer NOT NULL,
  created_at integer NOT NULL,
  document_since integer
);
CREATE INDEX photos_by_post ON photos (post_id, position);
CREATE INDEX photos_by_author ON photos (author_id);
CREATE INDEX photos_of_documents ON photos (document_since) WHERE document_since is not null;

CREATE TABLE photo_leftovers (
  photo_id text PRIMARY KEY NOT NULL,
  due_at integer NOT NULL
);
CREATE INDEX photo_leftovers_by_due_time ON photo_leftovers (due_at);
-- Triggers, so that no way of deleting a photo forgets its objects, and no way of making a post a document's forgets its photos.
CREATE TRIGGER photos_leave_objects AFTER DELETE ON photos BEGIN
  INSERT OR REPLACE INTO photo_leftovers (photo_id, due_at) VALUES (old.id, 0);
END;
CREATE TRIGGER photos_of_documents AFTER UPDATE OF kind ON posts WHEN (new.kind = 'document') <> (old.kind = 'document') BEGIN
  UPDATE photos SET document_since = iif(new.kind = 'document', CAST(unixepoch('subsec') * 1000 AS INTEGER), NULL)
  WHERE post_id = new.id;
END;

CREATE TABLE exports (
  day text PRIMARY KEY NOT NULL,
  begun_at integer NOT NULL,
  migration text NOT NULL,
  finished_at integer
);

CREATE TABLE export_pieces (
  day text NOT NULL,
  table_name text NOT NULL,
  piece integer NOT NULL,
  row_count integer NOT NULL,
  last_rowid integer NOT NULL,
  sha256 text NOT NULL,
  is_last integer NOT NULL,
  PRIMARY KEY (day, table_name, piece)
);

CREATE TABLE erased_people (
  digest text PRIMARY KEY NOT NULL,
  erased_at integer NOT NULL
);

CREATE TABLE barred_keys (
  key text PRIMARY KEY NOT NULL,
  ends_at integer NOT NULL
);
CREATE INDEX barred_keys_by_end ON barred_keys (ends_at);

-- Checks inside a batch -------------------------------------------------------------------------------

CREATE TABLE token_checks (
  is_valid integer NOT NULL,
  CONSTRAINT token_is_valid CHECK(is_valid)
);

CREATE TABLE standing_checks (
  is_suspended integer NOT NULL,
  lacks_number integer NOT NULL,
  lacks_role integer DEFAULT false NOT NULL,
  CONSTRAINT is_not_suspended CHECK(not is_suspended),
  CONSTRAINT has_number CHECK(not lacks_number),
  CONSTRAINT has_role CHECK(not lacks_role)
);

-- Operation and limits --------------------------------------------------------------------------------

CREATE TABLE heartbeats (
  name text PRIMARY KEY NOT NULL,
  beat_at integer NOT NULL
);
INSERT INTO heartbeats (name, beat_at) VALUES ('queue', unixepoch() * 1000);

CREATE TABLE switched_off (
  name text PRIMARY KEY NOT NULL,
  since integer NOT NULL
);

CREATE TABLE rate_counters (
  subject text PRIMARY KEY NOT NULL,
  count integer NOT NULL,
  window_ends_at integer NOT NULL
);
CREATE INDEX rate_counters_by_end ON rate_counters (window_ends_at);

CREATE TABLE given_numbers (
  reader_id text NOT NULL,
  day_ends_at integer NOT NULL,
  post_seqs text DEFAULT ',' NOT NULL,
  post_count integer DEFAULT 0 NOT NULL,
  notice_count integer DEFAULT 0 NOT NULL,
  PRIMARY KEY (reader_id, day_ends_at)
);
CREATE INDEX given_numbers_by_end ON given_numbers (day_ends_at);

CREATE TABLE feedback (
  seq integer PRIMARY KEY AUTOINCREMENT NOT NULL,
  id text NOT NULL,
  email text NOT NULL,
  message text NOT NULL,
  created_at integer NOT NULL,
  done_at integer
);
CREATE UNIQUE INDEX feedback_id_unique ON feedback (id);
CREATE INDEX feedback_by_age ON feedback (created_at);
CREATE INDEX feedback_open ON feedback (seq) WHERE done_at is null;

-- Recovery and WhatsApp -------------------------------------------------------------------------------

CREATE TABLE reset_codes (
  number_key text PRIMARY KEY NOT NULL,
  request_id text NOT NULL,
  user_id text REFERENCES users (id),
  code_digest text NOT NULL,
  wrong_tries integer DEFAULT 0 NOT NULL,
  issued_at integer NOT NULL,
  next_request_id text,
  next_code_digest text,
  next_issued_at integer,
  verified_at integer,
  used_at integer
);
CREATE UNIQUE INDEX reset_codes_request_id_unique ON reset_codes (request_id);
CREATE INDEX reset_codes_by_age ON reset_codes (issued_at);
CREATE INDEX reset_codes_by_user ON reset_codes (user_id) WHERE user_id is not null;
CREATE INDEX reset_codes_by_next_request ON reset_codes (next_request_id) WHERE next_request_id is not null;

CREATE TABLE whatsapp_outbox (
  message_id text PRIMARY KEY NOT NULL,
  recipient_id text REFERENCES users (id),
  job text NOT NULL,
  created_at integer NOT NULL,
  due_at integer NOT NULL,
  failures integer DEFAULT 0 NOT NULL
);
CREATE INDEX whatsapp_outbox_by_due_time ON whatsapp_outbox (due_at);

CREATE TABLE whatsapp_messages (
  id text PRIMARY KEY NOT NULL,
  kind text NOT NULL,
  recipient_id text NOT NULL REFERENCES users (id),
  language text NOT NULL,
  status text NOT NULL,
  attempts integer NOT NULL,
  error_code integer,
  wamid text,
  created_at integer NOT NULL,
  updated_at integer NOT NULL
);
CREATE INDEX whatsapp_messages_by_age ON whatsapp_messages (created_at);

CREATE TABLE whatsapp_words (
  user_id text PRIMARY KEY NOT NULL REFERENCES users (id),
  message_id text NOT NULL,
  is_on integer NOT NULL,
  sent_at integer NOT NULL
);

CREATE TABLE whatsapp_recipients (
  day integer NOT NULL,
  number text NOT NULL,
  share text NOT NULL,
  message_id text,
  PRIMARY KEY (day, number)
);
CREATE INDEX whatsapp_recipients_by_message ON whatsapp_recipients (message_id) WHERE message_id is not null;

CREATE TABLE whatsapp_deliveries (
  wamid text PRIMARY KEY NOT NULL,
  status text NOT NULL,
  rank integer NOT NULL,
  error_code integer,
  reported_at integer NOT NULL
);
CREATE INDEX whatsapp_deliveries_by_age ON whatsapp_deliveries (reported_at);

CREATE TABLE whatsapp_pauses (
  channel text PRIMARY KEY NOT NULL,
  until integer NOT NULL,
  error_code integer NOT NULL
);

CREATE TABLE whatsapp_dead_letters (
  id text PRIMARY KEY NOT NULL,
  kind text NOT NULL,
  recorded_at integer NOT NULL
);
CREATE INDEX whatsapp_dead_letters_by_age ON whatsapp_dead_letters (recorded_at);
