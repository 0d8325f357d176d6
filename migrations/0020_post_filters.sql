CREATE INDEX `posts_by_kind` ON `posts` (`community_id`,`kind`,`posted_by`,`is_found`,`seq`);--> statement-breakpoint
CREATE INDEX `posts_open` ON `posts` (`community_id`,`posted_by`,`seq`) WHERE is_found = 0;--> statement-breakpoint
CREATE INDEX `posts_by_time` ON `posts` (`created_at`);