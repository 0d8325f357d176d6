CREATE TABLE `photo_leftovers` (
	`photo_id` text PRIMARY KEY NOT NULL,
	`due_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `photo_leftovers_by_due_time` ON `photo_leftovers` (`due_at`);--> statement-breakpoint
CREATE TABLE `photos` (
	`id` text PRIMARY KEY NOT NULL,
	`post_id` text NOT NULL,
	`author_id` text NOT NULL,
	`position` integer NOT NULL,
	`width` integer NOT NULL,
	`height` integer NOT NULL,
	`alt` text NOT NULL,
	`has_og` integer NOT NULL,
	`created_at` integer NOT NULL,
	`document_since` integer,
	FOREIGN KEY (`author_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `photos_by_post` ON `photos` (`post_id`,`position`);--> statement-breakpoint
CREATE INDEX `photos_by_author` ON `photos` (`author_id`);--> statement-breakpoint
CREATE INDEX `photos_of_documents` ON `photos` (`document_since`) WHERE document_since is not null;--> statement-breakpoint
-- By triggers, so that no way of deleting a photo, or of making a post a document's, forgets it.
CREATE TRIGGER photos_leave_objects AFTER DELETE ON photos BEGIN
  INSERT OR REPLACE INTO photo_leftovers (photo_id, due_at) VALUES (old.id, 0);
END;
--> statement-breakpoint
CREATE TRIGGER photos_of_documents AFTER UPDATE OF kind ON posts WHEN (new.kind IS 'document') <> (old.kind IS 'document') BEGIN
  UPDATE photos SET document_since = iif(new.kind IS 'document', CAST(unixepoch('subsec') * 1000 AS INTEGER), NULL)
  WHERE post_id = new.id;
END;
