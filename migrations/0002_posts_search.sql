-- Substring search over posts.search_text. The text lives in posts; the index is kept by triggers and can be
-- rebuilt from it at any time: INSERT INTO posts_search(posts_search) VALUES ('rebuild');
CREATE VIRTUAL TABLE posts_search USING fts5(search_text, content = 'posts', content_rowid = 'seq', tokenize = 'trigram');
--> statement-breakpoint
CREATE TRIGGER posts_search_insert AFTER INSERT ON posts BEGIN
  INSERT INTO posts_search (rowid, search_text) VALUES (new.seq, new.search_text);
END;
--> statement-breakpoint
CREATE TRIGGER posts_search_delete AFTER DELETE ON posts BEGIN
  INSERT INTO posts_search (posts_search, rowid, search_text) VALUES ('delete', old.seq, old.search_text);
END;
--> statement-breakpoint
CREATE TRIGGER posts_search_update AFTER UPDATE OF search_text ON posts BEGIN
  INSERT INTO posts_search (posts_search, rowid, search_text) VALUES ('delete', old.seq, old.search_text);
  INSERT INTO posts_search (rowid, search_text) VALUES (new.seq, new.search_text);
END;
