CREATE TABLE `match_answers` (
	`pair_id` text NOT NULL,
	`user_id` text NOT NULL,
	`answer` text NOT NULL,
	`answered_at` integer NOT NULL,
	PRIMARY KEY(`pair_id`, `user_id`),
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
ALTER TABLE `match_pairs` ADD `confidence` text DEFAULT 'sure' NOT NULL;--> statement-breakpoint
ALTER TABLE `match_pairs` ADD `notice_id` text;--> statement-breakpoint
ALTER TABLE `notices` ADD `pair_id` text;--> statement-breakpoint
ALTER TABLE `notices` ADD `confidence` text;--> statement-breakpoint
CREATE INDEX `notices_by_pair` ON `notices` (`pair_id`);--> statement-breakpoint
UPDATE `match_pairs` SET `notice_id` = `id`;--> statement-breakpoint
UPDATE `notices` SET `pair_id` = `id`, `confidence` = 'sure' WHERE `type` = 'matching_post';
