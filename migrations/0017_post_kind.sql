ALTER TABLE `posts` ADD `kind` text;--> statement-breakpoint
ALTER TABLE `posts` ADD `own_kind` text;--> statement-breakpoint
CREATE INDEX `posts_without_kind` ON `posts` (`seq`) WHERE kind is null;