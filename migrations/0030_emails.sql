CREATE TABLE `email_links` (
	`user_id` text PRIMARY KEY NOT NULL,
	`id` text NOT NULL,
	`email` text NOT NULL,
	`email_key` text NOT NULL,
	`token_digest` text NOT NULL,
	`origin` text NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `email_links_id_unique` ON `email_links` (`id`);--> statement-breakpoint
CREATE UNIQUE INDEX `email_links_token_digest_unique` ON `email_links` (`token_digest`);--> statement-breakpoint
CREATE INDEX `email_links_by_age` ON `email_links` (`created_at`);--> statement-breakpoint
CREATE TABLE `email_messages` (
	`id` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`recipient_id` text NOT NULL,
	`status` text NOT NULL,
	`attempts` integer NOT NULL,
	`error_code` text,
	`content` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`recipient_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `email_messages_by_age` ON `email_messages` (`created_at`);--> statement-breakpoint
ALTER TABLE `users` ADD `email_proven_at` integer;--> statement-breakpoint
ALTER TABLE `users` ADD `email_origin` text;