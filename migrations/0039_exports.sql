CREATE TABLE `exports` (
	`day` text PRIMARY KEY NOT NULL,
	`begun_at` integer NOT NULL,
	`migration` text NOT NULL,
	`finished_at` integer
);
--> statement-breakpoint
CREATE TABLE `erased_people` (
	`digest` text PRIMARY KEY NOT NULL,
	`erased_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `export_pieces` (
	`day` text NOT NULL,
	`table_name` text NOT NULL,
	`piece` integer NOT NULL,
	`row_count` integer NOT NULL,
	`last_rowid` integer NOT NULL,
	`sha256` text NOT NULL,
	`is_last` integer NOT NULL,
	PRIMARY KEY(`day`, `table_name`, `piece`)
);
