CREATE TABLE `whatsapp_words` (
	`user_id` text PRIMARY KEY NOT NULL,
	`message_id` text NOT NULL,
	`is_on` integer NOT NULL,
	`sent_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
