-- A community that is closed goes with the last of its posts. By triggers, so that nothing has to look through all that
-- are closed for those that have none any more. Those that stand so already the sweep of the version before has deleted.
CREATE TRIGGER closed_communities_end AFTER DELETE ON posts WHEN old.community_id IS NOT NULL BEGIN
  DELETE FROM communities WHERE id = old.community_id AND closed_at IS NOT NULL
    AND NOT EXISTS (SELECT 1 FROM posts p WHERE p.community_id = old.community_id);
END;
--> statement-breakpoint
CREATE TRIGGER closed_communities_left AFTER UPDATE OF community_id ON posts WHEN old.community_id IS NOT NULL AND new.community_id IS NOT old.community_id BEGIN
  DELETE FROM communities WHERE id = old.community_id AND closed_at IS NOT NULL
    AND NOT EXISTS (SELECT 1 FROM posts p WHERE p.community_id = old.community_id);
END;
