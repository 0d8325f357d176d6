CREATE TABLE `tallies` (
	`name` text PRIMARY KEY NOT NULL,
	`count` integer NOT NULL
);
--> statement-breakpoint
DROP INDEX `posts_by_community_and_kind`;--> statement-breakpoint
DROP INDEX `posts_by_kind`;--> statement-breakpoint
DROP INDEX `posts_open`;--> statement-breakpoint
ALTER TABLE `posts` ADD `contact` text DEFAULT 'number' NOT NULL;--> statement-breakpoint
ALTER TABLE `posts` ADD `away_since` integer;--> statement-breakpoint
ALTER TABLE `posts` ADD `outcome` text;--> statement-breakpoint
ALTER TABLE `posts` ADD `renewed_at` integer;--> statement-breakpoint
ALTER TABLE `posts` ADD `times_asked` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `posts` ADD `identifiers` text;--> statement-breakpoint
ALTER TABLE `posts` ADD `identifier_changes` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `posts` ADD `answers_post_id` text;--> statement-breakpoint
CREATE INDEX `posts_listed` ON `posts` (`community_id`,`seq`) WHERE away_since is null;--> statement-breakpoint
CREATE INDEX `posts_to_ask` ON `posts` (`times_asked`,case when renewed_at is null then created_at else renewed_at end) WHERE is_found = 0 and away_since is null and hidden_by = 0;--> statement-breakpoint
CREATE INDEX `posts_by_answer` ON `posts` (`answers_post_id`) WHERE answers_post_id is not null;--> statement-breakpoint
CREATE INDEX `posts_by_community_and_kind` ON `posts` (`community_id`,`posted_by`,`seq`) WHERE away_since is null;--> statement-breakpoint
CREATE INDEX `posts_by_kind` ON `posts` (`community_id`,`kind`,`posted_by`,`is_found`,`seq`) WHERE away_since is null;--> statement-breakpoint
CREATE INDEX `posts_open` ON `posts` (`community_id`,`posted_by`,`seq`) WHERE is_found = 0 and away_since is null;--> statement-breakpoint
ALTER TABLE `match_pairs` ADD `shares_identifier` integer DEFAULT false NOT NULL;--> statement-breakpoint
-- What is told without a number takes nobody's place among a day's notices with one: it has place 0, and never gets a number.
DROP TRIGGER notices_place_in_day;
--> statement-breakpoint
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
--> statement-breakpoint
INSERT INTO tallies (name, count) SELECT 'returned', count(*) FROM posts WHERE is_found = 1;
--> statement-breakpoint
CREATE TRIGGER posts_returned AFTER UPDATE OF is_found ON posts WHEN new.is_found <> old.is_found BEGIN
  UPDATE tallies SET count = count + new.is_found - old.is_found WHERE name = 'returned';
END;
--> statement-breakpoint
-- Demo data is made with posts that are returned already.
CREATE TRIGGER posts_inserted_returned AFTER INSERT ON posts WHEN new.is_found = 1 BEGIN
  UPDATE tallies SET count = count + 1 WHERE name = 'returned';
END;
