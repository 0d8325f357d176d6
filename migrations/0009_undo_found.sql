ALTER TABLE `match_pairs` ADD `withdrawn_from_post_id` text;--> statement-breakpoint
ALTER TABLE `posts` ADD `found_at` integer;