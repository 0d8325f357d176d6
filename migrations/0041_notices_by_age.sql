DROP INDEX `notices_told`;--> statement-breakpoint
CREATE INDEX `notices_by_age` ON `notices` (`created_at`,`type`);