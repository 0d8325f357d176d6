import { writeFileSync } from 'node:fs';
import { UserError } from '#scripts/command/user-error.ts';
import { bucketName, withLocalBucket } from '#scripts/database/local-database.ts';
import { resolveStateFolder } from '#scripts/database/state-folder.ts';
import { runWrangler } from '#scripts/wrangler/run-wrangler.ts';

/** Downloads an object from the bucket of backups into a file. @throws UserError if there is no such object. */
type FetchObject = (key: string, file: string) => Promise<void>;

export function withExports<Result>(
  choice: { remote: boolean; 'persist-to': string },
  use: (fetchObject: FetchObject) => Promise<Result>,
): Promise<Result> {
  if (choice.remote) return use(fetchRemote);
  return withLocalBucket(resolveStateFolder(choice['persist-to']), 'BACKUPS', (bucket) =>
    use(async (key, file) => {
      const object = await bucket.get(key);
      if (object === null) throw new UserError(`There is no ${key} in the bucket of backups.`);
      writeFileSync(file, new Uint8Array(await object.arrayBuffer()));
    }),
  );
}

function fetchRemote(key: string, file: string): Promise<void> {
  return runWrangler(['r2', 'object', 'get', `${bucketName('BACKUPS')}/${key}`, '--remote', '--file', file]);
}
