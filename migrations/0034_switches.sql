CREATE TABLE `switched_off` (
	`name` text PRIMARY KEY NOT NULL,
	`since` integer NOT NULL
);
