CREATE TABLE `notice_settings` (
	`user_id` text PRIMARY KEY NOT NULL,
	`push` integer NOT NULL,
	`whatsapp` integer NOT NULL,
	`email` integer NOT NULL,
	`quiet_from` text,
	`quiet_to` text,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `push_dead_letters` (
	`id` text PRIMARY KEY NOT NULL,
	`notice_id` text NOT NULL,
	`recorded_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `push_dead_letters_by_age` ON `push_dead_letters` (`recorded_at`);--> statement-breakpoint
CREATE TABLE `push_subscriptions` (
	`endpoint` text PRIMARY KEY NOT NULL,
	`id` text NOT NULL,
	`user_id` text NOT NULL,
	`session_id` text NOT NULL,
	`p256dh` text NOT NULL,
	`auth` text NOT NULL,
	`put_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `push_subscriptions_id_unique` ON `push_subscriptions` (`id`);--> statement-breakpoint
CREATE INDEX `push_subscriptions_by_user` ON `push_subscriptions` (`user_id`,`put_at`);--> statement-breakpoint
CREATE INDEX `push_subscriptions_by_session` ON `push_subscriptions` (`session_id`);