CREATE TABLE `given_numbers` (
	`reader_id` text NOT NULL,
	`day_ends_at` integer NOT NULL,
	`post_seqs` text DEFAULT ',' NOT NULL,
	`post_count` integer DEFAULT 0 NOT NULL,
	`notice_count` integer DEFAULT 0 NOT NULL,
	PRIMARY KEY(`reader_id`, `day_ends_at`)
);
--> statement-breakpoint
CREATE INDEX `given_numbers_by_end` ON `given_numbers` (`day_ends_at`);--> statement-breakpoint
ALTER TABLE `notices` ADD `place_in_day` integer;--> statement-breakpoint
-- By a trigger, so that no way of storing a notice forgets it. A day is one in Africa/Dar_es_Salaam, as in worker/limits/day.ts.
CREATE TRIGGER notices_place_in_day AFTER INSERT ON notices WHEN new.type = 'matching_post' BEGIN
  INSERT INTO given_numbers (reader_id, day_ends_at, notice_count)
  VALUES (new.recipient_id, ((new.created_at + 10800000) / 86400000 + 1) * 86400000 - 10800000, 1)
  ON CONFLICT (reader_id, day_ends_at) DO UPDATE SET notice_count = notice_count + 1;
  UPDATE notices SET place_in_day = (
    SELECT notice_count FROM given_numbers
    WHERE reader_id = new.recipient_id
      AND day_ends_at = ((new.created_at + 10800000) / 86400000 + 1) * 86400000 - 10800000)
  WHERE id = new.id;
END;
