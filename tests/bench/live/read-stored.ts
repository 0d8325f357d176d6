import { globSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

type Notice = { id: string; recipient_id: string };
export type Stored = {
  /** Posts that are still to be matched, and notices that their mailboxes do not have. */
  unfinished: number;
  notices: Notice[];
};

/** What people are to be told of matches, as the database has it. Reads the file itself, beside the running Worker. */
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
