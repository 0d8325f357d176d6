CREATE TABLE `claim_reports` (
	`id` text PRIMARY KEY NOT NULL,
	`claim_id` text NOT NULL,
	`post_id` text NOT NULL,
	`reporter_id` text,
	`reason` text NOT NULL,
	`text` text,
	`created_at` integer NOT NULL,
	`closed_at` integer,
	FOREIGN KEY (`reporter_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `claim_reports_once` ON `claim_reports` (`claim_id`,`reporter_id`);--> statement-breakpoint
CREATE INDEX `claim_reports_by_post` ON `claim_reports` (`post_id`);--> statement-breakpoint
CREATE INDEX `claim_reports_by_reporter` ON `claim_reports` (`reporter_id`);--> statement-breakpoint
CREATE INDEX `claim_reports_by_age` ON `claim_reports` (`created_at`);--> statement-breakpoint
CREATE TABLE `claim_steps` (
	`seq` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`id` text NOT NULL,
	`claim_id` text NOT NULL,
	`step` text NOT NULL,
	`by` text NOT NULL,
	`text` text,
	`is_about_money` integer DEFAULT false NOT NULL,
	`finder_at` integer,
	`claimant_at` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `claim_steps_id_unique` ON `claim_steps` (`id`);--> statement-breakpoint
CREATE INDEX `claim_steps_by_claim` ON `claim_steps` (`claim_id`,`seq`);--> statement-breakpoint
CREATE TABLE `claims` (
	`id` text PRIMARY KEY NOT NULL,
	`post_id` text NOT NULL,
	`post_title` text,
	`post_kind` text,
	`finder_id` text,
	`claimant_id` text,
	`question` text,
	`private_marks` text,
	`answer` text,
	`phone_number` text,
	`state` text NOT NULL,
	`decline_due_at` integer,
	`accepted_at` integer,
	`handed_over_at` integer,
	`wrong_codes` integer DEFAULT 0 NOT NULL,
	`code_locked_until` integer DEFAULT 0 NOT NULL,
	`created_at` integer NOT NULL,
	`finder_updated_at` integer NOT NULL,
	`claimant_updated_at` integer NOT NULL,
	FOREIGN KEY (`finder_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`claimant_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `claims_by_finder` ON `claims` (`finder_id`,`finder_updated_at`,`id`);--> statement-breakpoint
CREATE INDEX `claims_by_claimant` ON `claims` (`claimant_id`,`claimant_updated_at`,`id`);--> statement-breakpoint
CREATE INDEX `claims_by_post` ON `claims` (`post_id`,`claimant_id`);--> statement-breakpoint
CREATE INDEX `claims_to_decline` ON `claims` (`decline_due_at`) WHERE decline_due_at is not null;--> statement-breakpoint
CREATE INDEX `claims_by_age` ON `claims` (`created_at`);--> statement-breakpoint
ALTER TABLE `notices` ADD `claim_id` text;--> statement-breakpoint
CREATE INDEX `notices_by_claim` ON `notices` (`claim_id`) WHERE claim_id is not null;--> statement-breakpoint
ALTER TABLE `posts` ADD `claim_question` text;--> statement-breakpoint
ALTER TABLE `posts` ADD `private_marks` text;