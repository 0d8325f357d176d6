CREATE TABLE `communities` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`description` text NOT NULL,
	`search_text` text NOT NULL,
	`community_code` text NOT NULL,
	`access_code` text NOT NULL,
	`approval_status` integer DEFAULT 0 NOT NULL,
	`creator_id` text NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`creator_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `communities_community_code_unique` ON `communities` (`community_code`);--> statement-breakpoint
CREATE UNIQUE INDEX `communities_access_code_unique` ON `communities` (`access_code`);--> statement-breakpoint
CREATE INDEX `communities_by_status` ON `communities` (`approval_status`,`created_at`);--> statement-breakpoint
CREATE TABLE `feedback` (
	`seq` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`id` text NOT NULL,
	`email` text NOT NULL,
	`message` text NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `feedback_id_unique` ON `feedback` (`id`);--> statement-breakpoint
CREATE TABLE `idempotency_keys` (
	`user_id` text NOT NULL,
	`key` text NOT NULL,
	`post_id` text NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`user_id`, `key`),
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `idempotency_keys_by_age` ON `idempotency_keys` (`created_at`);--> statement-breakpoint
CREATE TABLE `match_pairs` (
	`id` text PRIMARY KEY NOT NULL,
	`lost_post_id` text NOT NULL,
	`found_post_id` text NOT NULL,
	`score` real NOT NULL,
	`reasons` text NOT NULL,
	`created_at` integer NOT NULL,
	`dismissed_at` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `match_pairs_once` ON `match_pairs` (`lost_post_id`,`found_post_id`);--> statement-breakpoint
CREATE INDEX `match_pairs_by_found_post` ON `match_pairs` (`found_post_id`);--> statement-breakpoint
CREATE TABLE `match_terms` (
	`posted_by` text NOT NULL,
	`term` text NOT NULL,
	`post_seq` integer NOT NULL,
	PRIMARY KEY(`posted_by`, `term`, `post_seq`)
);
--> statement-breakpoint
CREATE INDEX `match_terms_by_post` ON `match_terms` (`post_seq`);--> statement-breakpoint
CREATE TABLE `memberships` (
	`community_id` text NOT NULL,
	`user_id` text NOT NULL,
	`role` text NOT NULL,
	`joined_at` integer NOT NULL,
	PRIMARY KEY(`community_id`, `user_id`),
	FOREIGN KEY (`community_id`) REFERENCES `communities`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `memberships_by_user` ON `memberships` (`user_id`);--> statement-breakpoint
CREATE TABLE `notices` (
	`id` text PRIMARY KEY NOT NULL,
	`recipient_id` text NOT NULL,
	`type` text NOT NULL,
	`your_post_id` text,
	`post_id` text,
	`body` text,
	`created_at` integer NOT NULL,
	`handed_over_at` integer,
	`read_at` integer,
	FOREIGN KEY (`recipient_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `notices_by_recipient` ON `notices` (`recipient_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `notices_by_post` ON `notices` (`post_id`);--> statement-breakpoint
CREATE INDEX `notices_by_your_post` ON `notices` (`your_post_id`);--> statement-breakpoint
CREATE INDEX `notices_to_hand_over` ON `notices` (`created_at`) WHERE handed_over_at is null;--> statement-breakpoint
CREATE TABLE `posts` (
	`seq` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`id` text NOT NULL,
	`author_id` text NOT NULL,
	`community_id` text,
	`title` text NOT NULL,
	`owner_first_name` text NOT NULL,
	`owner_last_name` text NOT NULL,
	`location` text NOT NULL,
	`phone_number` text NOT NULL,
	`description` text NOT NULL,
	`posted_by` text NOT NULL,
	`is_found` integer DEFAULT false NOT NULL,
	`search_text` text NOT NULL,
	`created_at` integer NOT NULL,
	`match_pending_since` integer,
	FOREIGN KEY (`author_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`community_id`) REFERENCES `communities`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `posts_id_unique` ON `posts` (`id`);--> statement-breakpoint
CREATE INDEX `posts_by_community` ON `posts` (`community_id`,`seq`);--> statement-breakpoint
CREATE INDEX `posts_by_community_and_kind` ON `posts` (`community_id`,`posted_by`,`seq`);--> statement-breakpoint
CREATE INDEX `posts_by_author` ON `posts` (`author_id`,`seq`);--> statement-breakpoint
CREATE INDEX `posts_to_match` ON `posts` (`match_pending_since`) WHERE match_pending_since is not null;--> statement-breakpoint
CREATE TABLE `rate_counters` (
	`subject` text PRIMARY KEY NOT NULL,
	`count` integer NOT NULL,
	`window_ends_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `rate_counters_by_end` ON `rate_counters` (`window_ends_at`);--> statement-breakpoint
CREATE TABLE `users` (
	`id` text PRIMARY KEY NOT NULL,
	`username` text NOT NULL,
	`email` text NOT NULL,
	`email_key` text NOT NULL,
	`whatsapp_number` text NOT NULL,
	`password_hash` text NOT NULL,
	`token_version` integer DEFAULT 1 NOT NULL,
	`is_platform_admin` integer DEFAULT false NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `users_email_key_unique` ON `users` (`email_key`);--> statement-breakpoint
CREATE UNIQUE INDEX `users_whatsapp_number_unique` ON `users` (`whatsapp_number`);