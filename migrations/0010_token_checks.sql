CREATE TABLE `token_checks` (
	`is_valid` integer NOT NULL,
	CONSTRAINT "token_is_valid" CHECK(is_valid)
);
