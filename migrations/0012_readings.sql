CREATE TABLE `match_readings` (
	`post_seq` integer PRIMARY KEY NOT NULL,
	`version` text NOT NULL,
	`reading` text NOT NULL,
	`agreeable` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `match_readings_by_version` ON `match_readings` (`version`);--> statement-breakpoint
CREATE TABLE `value_shares` (
	`value` text PRIMARY KEY NOT NULL,
	`share` real NOT NULL,
	`refreshed_at` integer NOT NULL
);
--> statement-breakpoint
INSERT INTO `match_readings` (`post_seq`, `version`, `reading`, `agreeable`) SELECT `seq`, '', '', '[]' FROM `posts` WHERE `is_found` = 0;
