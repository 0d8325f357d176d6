CREATE TABLE `moderation_cases` (
	`id` text PRIMARY KEY NOT NULL,
	`post_id` text NOT NULL,
	`status` text NOT NULL,
	`since` integer NOT NULL,
	`is_edited` integer DEFAULT false NOT NULL,
	`is_cleared` integer DEFAULT false NOT NULL,
	`decision` text,
	`waiting_since_before` integer,
	`is_edited_before` integer DEFAULT false NOT NULL,
	`hidden_by_before` integer DEFAULT 0 NOT NULL,
	`hidden_reason_before` text,
	`is_cleared_before` integer DEFAULT false NOT NULL,
	`tell_due_at` integer NOT NULL,
	`times_told` integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `moderation_cases_post_id_unique` ON `moderation_cases` (`post_id`);--> statement-breakpoint
CREATE INDEX `moderation_cases_by_status` ON `moderation_cases` (`status`,`since`,`id`);--> statement-breakpoint
CREATE INDEX `moderation_cases_to_tell` ON `moderation_cases` (`tell_due_at`) WHERE status = 'open';--> statement-breakpoint
CREATE TABLE `moderation_log` (
	`id` text PRIMARY KEY NOT NULL,
	`actor_id` text,
	`action` text NOT NULL,
	`target_type` text NOT NULL,
	`target_id` text,
	`reason` text,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`actor_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `moderation_log_by_time` ON `moderation_log` (`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `moderation_log_by_actor` ON `moderation_log` (`actor_id`);--> statement-breakpoint
CREATE INDEX `moderation_log_by_target` ON `moderation_log` (`target_id`);--> statement-breakpoint
CREATE TABLE `post_reports` (
	`id` text PRIMARY KEY NOT NULL,
	`post_id` text NOT NULL,
	`author_id` text NOT NULL,
	`reporter_id` text,
	`reason` text NOT NULL,
	`text` text,
	`is_counted` integer NOT NULL,
	`created_at` integer NOT NULL,
	`closed_at` integer,
	FOREIGN KEY (`author_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`reporter_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `post_reports_once` ON `post_reports` (`post_id`,`reporter_id`);--> statement-breakpoint
CREATE INDEX `post_reports_by_author` ON `post_reports` (`author_id`);--> statement-breakpoint
CREATE INDEX `post_reports_by_reporter` ON `post_reports` (`reporter_id`);--> statement-breakpoint
CREATE INDEX `post_reports_by_age` ON `post_reports` (`created_at`);--> statement-breakpoint
ALTER TABLE `posts` ADD `hidden_reason` text;--> statement-breakpoint
CREATE INDEX `users_who_run_the_platform` ON `users` (`id`) WHERE is_platform_admin;--> statement-breakpoint
-- The log is only added to, until a row's lifetime ends; a person who goes is taken out of it.
CREATE TRIGGER moderation_log_is_not_changed BEFORE UPDATE ON moderation_log
WHEN (new.id, new.action, new.target_type, new.reason, new.created_at)
    IS NOT (old.id, old.action, old.target_type, old.reason, old.created_at)
  OR ifnull(new.actor_id, old.actor_id) IS NOT old.actor_id
  OR ifnull(new.target_id, old.target_id) IS NOT old.target_id
BEGIN
  SELECT raise(ABORT, 'the log is only added to');
END;
--> statement-breakpoint
CREATE TRIGGER moderation_log_is_kept BEFORE DELETE ON moderation_log
WHEN old.created_at > (unixepoch() - 364 * 24 * 60 * 60) * 1000
BEGIN
  SELECT raise(ABORT, 'the log is only added to');
END;
