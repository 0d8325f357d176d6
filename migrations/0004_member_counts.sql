DROP INDEX `communities_by_status`;--> statement-breakpoint
ALTER TABLE `communities` ADD `creator_language` text DEFAULT 'en' NOT NULL;--> statement-breakpoint
ALTER TABLE `communities` ADD `member_count` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX `communities_by_status` ON `communities` (`approval_status`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `memberships_by_joining` ON `memberships` (`community_id`,`joined_at`,`user_id`);--> statement-breakpoint
-- The count is kept by triggers, so that no list of communities has to count its members.
UPDATE `communities` SET `member_count` = (SELECT count(*) FROM `memberships` WHERE `community_id` = `communities`.`id`);
--> statement-breakpoint
CREATE TRIGGER memberships_count_insert AFTER INSERT ON memberships BEGIN
  UPDATE communities SET member_count = member_count + 1 WHERE id = new.community_id;
END;
--> statement-breakpoint
CREATE TRIGGER memberships_count_delete AFTER DELETE ON memberships BEGIN
  UPDATE communities SET member_count = member_count - 1 WHERE id = old.community_id;
END;
