CREATE TABLE `notice_days` (
	`day` integer NOT NULL,
	`type` text NOT NULL,
	`stored` integer DEFAULT 0 NOT NULL,
	`acknowledged` integer DEFAULT 0 NOT NULL,
	`pushed` integer DEFAULT 0 NOT NULL,
	`whatsapp` integer DEFAULT 0 NOT NULL,
	`emailed` integer DEFAULT 0 NOT NULL,
	`opened` integer DEFAULT 0 NOT NULL,
	`dismissed` integer DEFAULT 0 NOT NULL,
	PRIMARY KEY(`day`, `type`)
);
--> statement-breakpoint
ALTER TABLE `notices` ADD `acknowledged_at` integer;--> statement-breakpoint
ALTER TABLE `notices` ADD `pushed_at` integer;--> statement-breakpoint
ALTER TABLE `notices` ADD `whatsapp_at` integer;--> statement-breakpoint
ALTER TABLE `notices` ADD `emailed_at` integer;--> statement-breakpoint
ALTER TABLE `notices` ADD `dismissed_at` integer;--> statement-breakpoint
CREATE TRIGGER notices_stored AFTER INSERT ON notices BEGIN
  INSERT INTO notice_days (day, type, stored) VALUES ((new.created_at + 10800000) / 86400000, new.type, 1)
  ON CONFLICT (day, type) DO UPDATE SET stored = stored + 1;
END;
--> statement-breakpoint
-- A notice takes each step once, however often it is recorded, and is counted in the transaction that records it. One from
-- before there was any counting finds no row.
CREATE TRIGGER notices_stepped
AFTER UPDATE OF acknowledged_at, pushed_at, whatsapp_at, emailed_at, read_at, dismissed_at ON notices BEGIN
  UPDATE notice_days SET
    acknowledged = acknowledged + (old.acknowledged_at IS NULL AND new.acknowledged_at IS NOT NULL),
    pushed = pushed + (old.pushed_at IS NULL AND new.pushed_at IS NOT NULL),
    whatsapp = whatsapp + (old.whatsapp_at IS NULL AND new.whatsapp_at IS NOT NULL),
    emailed = emailed + (old.emailed_at IS NULL AND new.emailed_at IS NOT NULL),
    opened = opened + (old.read_at IS NULL AND new.read_at IS NOT NULL),
    dismissed = dismissed + (old.dismissed_at IS NULL AND new.dismissed_at IS NOT NULL)
  WHERE day = (new.created_at + 10800000) / 86400000 AND type = new.type;
END;
