CREATE TABLE `number_codes` (
	`id` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`subject` text NOT NULL,
	`number` text NOT NULL,
	`code_digest` text NOT NULL,
	`wrong_tries` integer DEFAULT 0 NOT NULL,
	`issued_at` integer NOT NULL,
	`used_by` text,
	`language` text NOT NULL,
	`status` text DEFAULT 'waiting' NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL,
	`error_code` integer,
	`wamid` text,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `number_codes_by_subject` ON `number_codes` (`kind`,`subject`,`issued_at`);--> statement-breakpoint
CREATE INDEX `number_codes_by_age` ON `number_codes` (`issued_at`);--> statement-breakpoint
CREATE TABLE `number_proofs` (
	`id` text PRIMARY KEY NOT NULL,
	`secret_digest` text NOT NULL,
	`number` text NOT NULL,
	`text_digest` text NOT NULL,
	`status` text DEFAULT 'waiting' NOT NULL,
	`created_at` integer NOT NULL,
	`proven_at` integer,
	`used_by` text
);
--> statement-breakpoint
CREATE UNIQUE INDEX `number_proofs_text_digest_unique` ON `number_proofs` (`text_digest`);--> statement-breakpoint
CREATE INDEX `number_proofs_by_age` ON `number_proofs` (`created_at`);--> statement-breakpoint
CREATE TABLE `whatsapp_incoming` (
	`id` text PRIMARY KEY NOT NULL,
	`received_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `whatsapp_incoming_by_age` ON `whatsapp_incoming` (`received_at`);--> statement-breakpoint
ALTER TABLE `users` ADD `language` text DEFAULT 'en' NOT NULL;--> statement-breakpoint
CREATE INDEX `reset_codes_by_user` ON `reset_codes` (`user_id`) WHERE user_id is not null;--> statement-breakpoint
UPDATE `users` SET `language` = (SELECT `creator_language` FROM `communities` WHERE `creator_id` = `users`.`id` ORDER BY `created_at` DESC LIMIT 1)
WHERE EXISTS (SELECT 1 FROM `communities` WHERE `creator_id` = `users`.`id`);
