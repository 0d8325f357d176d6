CREATE TABLE `phone_numbers` (
	`number` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`proven_at` integer,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `phone_numbers_user_id_unique` ON `phone_numbers` (`user_id`);--> statement-breakpoint
ALTER TABLE `posts` ADD `hidden_by` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `users` ADD `suspended_at` integer;--> statement-breakpoint
INSERT INTO `phone_numbers` (`number`, `user_id`) SELECT `whatsapp_number`, `id` FROM `users`;
