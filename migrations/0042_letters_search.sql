ALTER TABLE `posts` ADD `search_version` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX `posts_by_search_version` ON `posts` (`search_version`,`seq`);--> statement-breakpoint
-- One and two letters of posts.search_text, which are too short for the trigrams of posts_search: with a sign between any
-- two of them, each letter and each two that stand side by side are a trigram. No positions are kept, as each is a word of
-- its own. A post whose search_version is 0 is not there: those that are there before this one comes in with the sweep.
CREATE VIEW posts_letters_source AS
SELECT seq, (
  WITH RECURSIVE letter (place, text) AS (
    SELECT 0, char(31)
    UNION ALL SELECT place + 1, substr(search_text, place + 1, 1) || char(31) FROM letter WHERE place < length(search_text)
  ) SELECT group_concat(text, '' ORDER BY place) FROM letter
) AS letters
FROM posts WHERE search_version > 0;
--> statement-breakpoint
CREATE VIRTUAL TABLE posts_letters USING fts5(letters, content = 'posts_letters_source', content_rowid = 'seq', detail = none, columnsize = 0, tokenize = 'trigram');
--> statement-breakpoint
CREATE TRIGGER posts_letters_insert AFTER INSERT ON posts BEGIN
  INSERT INTO posts_letters (rowid, letters) SELECT seq, letters FROM posts_letters_source WHERE seq = new.seq;
END;
--> statement-breakpoint
CREATE TRIGGER posts_letters_delete BEFORE DELETE ON posts BEGIN
  INSERT INTO posts_letters (posts_letters, rowid, letters) SELECT 'delete', seq, letters FROM posts_letters_source WHERE seq = old.seq;
END;
--> statement-breakpoint
CREATE TRIGGER posts_letters_update_before BEFORE UPDATE OF search_text, search_version ON posts BEGIN
  INSERT INTO posts_letters (posts_letters, rowid, letters) SELECT 'delete', seq, letters FROM posts_letters_source WHERE seq = old.seq;
END;
--> statement-breakpoint
CREATE TRIGGER posts_letters_update_after AFTER UPDATE OF search_text, search_version ON posts BEGIN
  INSERT INTO posts_letters (rowid, letters) SELECT seq, letters FROM posts_letters_source WHERE seq = new.seq;
END;
