CREATE TABLE `barred_keys` (
	`key` text PRIMARY KEY NOT NULL,
	`ends_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `barred_keys_by_end` ON `barred_keys` (`ends_at`);--> statement-breakpoint
CREATE TABLE `erasures` (
	`user_id` text PRIMARY KEY NOT NULL,
	`erase_at` integer NOT NULL,
	`due_at` integer NOT NULL,
	`failures` integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE INDEX `erasures_by_due_time` ON `erasures` (`due_at`);--> statement-breakpoint
ALTER TABLE `users` ADD `closed_at` integer;