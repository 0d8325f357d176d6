CREATE TABLE `community_rejections` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`name` text NOT NULL,
	`reason` text NOT NULL,
	`rejected_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `community_rejections_by_user` ON `community_rejections` (`user_id`,`rejected_at`);--> statement-breakpoint
CREATE INDEX `community_rejections_by_age` ON `community_rejections` (`rejected_at`);--> statement-breakpoint
CREATE TABLE `community_removals` (
	`community_id` text NOT NULL,
	`user_id` text NOT NULL,
	`removed_at` integer NOT NULL,
	PRIMARY KEY(`community_id`, `user_id`),
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `community_removals_by_user` ON `community_removals` (`user_id`);--> statement-breakpoint
CREATE INDEX `community_removals_by_age` ON `community_removals` (`removed_at`);--> statement-breakpoint
CREATE TABLE `join_requests` (
	`id` text NOT NULL,
	`community_id` text NOT NULL,
	`user_id` text NOT NULL,
	`message` text,
	`created_at` integer NOT NULL,
	`declined_at` integer,
	PRIMARY KEY(`community_id`, `user_id`),
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `join_requests_id_unique` ON `join_requests` (`id`);--> statement-breakpoint
CREATE INDEX `join_requests_waiting` ON `join_requests` (`community_id`,`created_at`,`user_id`) WHERE declined_at is null;--> statement-breakpoint
CREATE INDEX `join_requests_by_user` ON `join_requests` (`user_id`);--> statement-breakpoint
CREATE INDEX `join_requests_by_age` ON `join_requests` (`created_at`);--> statement-breakpoint
CREATE INDEX `join_requests_declined` ON `join_requests` (`declined_at`) WHERE declined_at is not null;--> statement-breakpoint
ALTER TABLE `communities` ADD `is_listed` integer DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE `communities` ADD `pending_name` text;--> statement-breakpoint
ALTER TABLE `communities` ADD `pending_name_by` text REFERENCES users(id);--> statement-breakpoint
ALTER TABLE `communities` ADD `pending_name_at` integer;--> statement-breakpoint
ALTER TABLE `communities` ADD `closes_at` integer;--> statement-breakpoint
ALTER TABLE `communities` ADD `closed_at` integer;--> statement-breakpoint
CREATE INDEX `communities_listed` ON `communities` (`created_at`,`id`) WHERE approval_status = 1 and is_listed = 1 and closes_at is null and member_count > 0;--> statement-breakpoint
CREATE INDEX `communities_to_decide` ON `communities` (case when pending_name_at is null then created_at else pending_name_at end,`id`) WHERE approval_status = 0 or pending_name is not null;--> statement-breakpoint
CREATE INDEX `communities_by_creator` ON `communities` (`creator_id`);--> statement-breakpoint
CREATE INDEX `communities_by_asker` ON `communities` (`pending_name_by`) WHERE pending_name_by is not null;--> statement-breakpoint
CREATE INDEX `communities_to_close` ON `communities` (`closes_at`) WHERE closes_at is not null and closed_at is null;--> statement-breakpoint
CREATE INDEX `communities_closed` ON `communities` (`closed_at`) WHERE closed_at is not null;--> statement-breakpoint
CREATE INDEX `memberships_of_admins` ON `memberships` (`community_id`,`joined_at`,`user_id`) WHERE role = 'admin';