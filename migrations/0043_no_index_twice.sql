DROP INDEX `posts_by_time`;--> statement-breakpoint
DROP INDEX `posts_by_return`;