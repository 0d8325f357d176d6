ALTER TABLE `posts` ADD `reader_text` text;--> statement-breakpoint
ALTER TABLE `posts` ADD `visitor_text` text;--> statement-breakpoint
-- As posts_search, over what a visitor sees of public posts.
CREATE VIRTUAL TABLE posts_visitor_search USING fts5(visitor_text, content = 'posts', content_rowid = 'seq', tokenize = 'trigram');
--> statement-breakpoint
CREATE TRIGGER posts_visitor_search_insert AFTER INSERT ON posts BEGIN
  INSERT INTO posts_visitor_search (rowid, visitor_text) VALUES (new.seq, new.visitor_text);
END;
--> statement-breakpoint
CREATE TRIGGER posts_visitor_search_delete AFTER DELETE ON posts BEGIN
  INSERT INTO posts_visitor_search (posts_visitor_search, rowid, visitor_text) VALUES ('delete', old.seq, old.visitor_text);
END;
--> statement-breakpoint
CREATE TRIGGER posts_visitor_search_update AFTER UPDATE OF visitor_text ON posts BEGIN
  INSERT INTO posts_visitor_search (posts_visitor_search, rowid, visitor_text) VALUES ('delete', old.seq, old.visitor_text);
  INSERT INTO posts_visitor_search (rowid, visitor_text) VALUES (new.seq, new.visitor_text);
END;
--> statement-breakpoint
-- Each post that is there has an entry, an empty one until the sweep has read it: what has none cannot be replaced.
INSERT INTO posts_visitor_search (posts_visitor_search) VALUES ('rebuild');
