DROP INDEX `notices_to_hand_over`;--> statement-breakpoint
ALTER TABLE `notices` ADD `hand_over_due_at` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `notices` ADD `hand_over_failures` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX `notices_waiting` ON `notices` (`recipient_id`) WHERE handed_over_at is null;--> statement-breakpoint
CREATE INDEX `notices_unread` ON `notices` (`recipient_id`) WHERE read_at is null;--> statement-breakpoint
CREATE INDEX `notices_to_hand_over` ON `notices` (`hand_over_due_at`,`created_at`) WHERE handed_over_at is null;--> statement-breakpoint
ALTER TABLE `match_pairs` ADD `judged_at` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `match_pairs` ADD `is_current` integer DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE `posts` ADD `match_failures` integer DEFAULT 0 NOT NULL;