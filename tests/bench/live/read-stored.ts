import { globSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

type Notice = { id: string; recipient_id: string };
export type Stored = {
  /** Posts not matched yet, and notices that their mailboxes do not contain. */
  unfinished: number;
  notices: Notice[];
};

/** The match notices that the database has for people. Reads the database file while the Worker runs. */
export function readStored(stateFolder: string): Stored {
  const [file] = globSync(join(stateFolder, 'v3/d1/*/*.sqlite'), { exclude: ['**/metadata.sqlite'] });
  if (file === undefined) throw new Error(`There is no database in ${stateFolder}`);
  const database = new DatabaseSync(file, { readOnly: true, timeout: 5_000 });
  try {
    const left = database
      .prepare(
        `select (select count(*) from posts where match_pending_since is not null)
          + (select count(*) from notices where delivered_at is null) as n`,
      )
      .get();
    const notices = database.prepare("select id, recipient_id from notices where type = 'matching_post'").all();
    return { unfinished: Number(left?.n), notices: notices as Notice[] };
  } finally {
    database.close();
  }
}
