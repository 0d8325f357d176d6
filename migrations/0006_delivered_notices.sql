ALTER TABLE `notices` RENAME COLUMN `handed_over_at` TO `delivered_at`;--> statement-breakpoint
ALTER TABLE `notices` RENAME COLUMN `hand_over_due_at` TO `delivery_due_at`;--> statement-breakpoint
ALTER TABLE `notices` RENAME COLUMN `hand_over_failures` TO `delivery_failures`;--> statement-breakpoint
DROP INDEX `notices_to_hand_over`;--> statement-breakpoint
CREATE INDEX `notices_to_deliver` ON `notices` (`delivery_due_at`,`created_at`) WHERE delivered_at is null;
