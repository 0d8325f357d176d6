CREATE TABLE `whatsapp_outbox` (
	`message_id` text PRIMARY KEY NOT NULL,
	`job` text NOT NULL,
	`created_at` integer NOT NULL,
	`due_at` integer NOT NULL,
	`failures` integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE INDEX `whatsapp_outbox_by_due_time` ON `whatsapp_outbox` (`due_at`);--> statement-breakpoint
ALTER TABLE `idempotency_keys` ADD `body_digest` text;--> statement-breakpoint
ALTER TABLE `posts` ADD `changed_at` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `reset_codes` ADD `next_request_id` text;--> statement-breakpoint
ALTER TABLE `reset_codes` ADD `next_code_digest` text;--> statement-breakpoint
ALTER TABLE `reset_codes` ADD `next_issued_at` integer;