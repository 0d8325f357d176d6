CREATE TABLE `reset_codes` (
	`number_key` text PRIMARY KEY NOT NULL,
	`request_id` text NOT NULL,
	`user_id` text,
	`code_digest` text NOT NULL,
	`wrong_tries` integer DEFAULT 0 NOT NULL,
	`issued_at` integer NOT NULL,
	`verified_at` integer,
	`used_at` integer,
	`close_sockets_below` integer,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `reset_codes_request_id_unique` ON `reset_codes` (`request_id`);--> statement-breakpoint
CREATE INDEX `reset_codes_by_age` ON `reset_codes` (`issued_at`);--> statement-breakpoint
CREATE INDEX `reset_codes_with_open_sockets` ON `reset_codes` (`close_sockets_below`) WHERE close_sockets_below is not null;--> statement-breakpoint
CREATE TABLE `whatsapp_dead_letters` (
	`id` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`recorded_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `whatsapp_dead_letters_by_age` ON `whatsapp_dead_letters` (`recorded_at`);--> statement-breakpoint
CREATE TABLE `whatsapp_deliveries` (
	`wamid` text PRIMARY KEY NOT NULL,
	`status` text NOT NULL,
	`rank` integer NOT NULL,
	`error_code` integer,
	`reported_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `whatsapp_deliveries_by_age` ON `whatsapp_deliveries` (`reported_at`);--> statement-breakpoint
CREATE TABLE `whatsapp_messages` (
	`id` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`recipient_id` text NOT NULL,
	`language` text NOT NULL,
	`status` text NOT NULL,
	`attempts` integer NOT NULL,
	`error_code` integer,
	`wamid` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`recipient_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `whatsapp_messages_by_age` ON `whatsapp_messages` (`created_at`);--> statement-breakpoint
CREATE TABLE `whatsapp_pauses` (
	`channel` text PRIMARY KEY NOT NULL,
	`until` integer NOT NULL,
	`error_code` integer NOT NULL
);
