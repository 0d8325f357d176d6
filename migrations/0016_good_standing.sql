CREATE TABLE `standing_checks` (
	`is_suspended` integer NOT NULL,
	`lacks_number` integer NOT NULL,
	CONSTRAINT "is_not_suspended" CHECK(not is_suspended),
	CONSTRAINT "has_number" CHECK(not lacks_number)
);
