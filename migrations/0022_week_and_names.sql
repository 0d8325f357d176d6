CREATE INDEX `match_answers_dismissed` ON `match_answers` (`answered_at`) WHERE answer = 'dismissed';--> statement-breakpoint
CREATE INDEX `match_pairs_dismissed` ON `match_pairs` (`dismissed_at`) WHERE dismissed_at is not null;--> statement-breakpoint
CREATE INDEX `notices_told` ON `notices` (`created_at`) WHERE type = 'matching_post';--> statement-breakpoint
CREATE INDEX `posts_by_age` ON `posts` (`created_at`);--> statement-breakpoint
CREATE INDEX `posts_by_return` ON `posts` (`found_at`) WHERE found_at is not null;--> statement-breakpoint
CREATE INDEX `users_by_name` ON `users` (username collate nocase);