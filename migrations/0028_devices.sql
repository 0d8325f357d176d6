CREATE TABLE `devices` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`name` text NOT NULL,
	`created_at` integer NOT NULL,
	`last_seen_at` integer NOT NULL,
	`ended_at` integer,
	`closed_at` integer,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `devices_by_user` ON `devices` (`user_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `devices_by_use` ON `devices` (`last_seen_at`);--> statement-breakpoint
CREATE INDEX `devices_ended` ON `devices` (`ended_at`) WHERE ended_at is not null;--> statement-breakpoint
CREATE INDEX `devices_to_close` ON `devices` (`ended_at`) WHERE ended_at is not null and closed_at is null;