CREATE TABLE `heartbeats` (
	`name` text PRIMARY KEY NOT NULL,
	`beat_at` integer NOT NULL
);
--> statement-breakpoint
INSERT INTO `heartbeats` (`name`, `beat_at`) VALUES ('queue', unixepoch() * 1000);
