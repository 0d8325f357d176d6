CREATE TABLE `whatsapp_recipients` (
	`day` integer NOT NULL,
	`number` text NOT NULL,
	PRIMARY KEY(`day`, `number`)
);
--> statement-breakpoint
CREATE INDEX `feedback_by_age` ON `feedback` (`created_at`);--> statement-breakpoint
CREATE INDEX `posts_by_marking` ON `posts` (`found_at`) WHERE found_at is not null;--> statement-breakpoint
-- Marked before the time of it was kept: it counts from today, and is too old to be undone.
UPDATE `posts` SET `found_at` = unixepoch() * 1000 - 600001 WHERE `is_found` = 1 AND `found_at` IS NULL;
