import { isMain } from '#scripts/command/command.ts';
import { COMMENT, readSources } from './check-imports.ts';

/** For each file in worker/db/tables: the folders of the Worker that may write the tables of this file. */
const OWNERS: Readonly<Record<string, readonly string[]>> = {
  people: ['accounts', 'recovery', 'passkeys', 'email'],
  communities: ['communities'],
  posts: ['posts', 'photos'],
  matching: ['matching'],
  notices: ['notices', 'push', 'email', 'whatsapp'],
  claims: ['claims'],
  moderation: ['moderation', 'blocks'],
  operating: ['db', 'limits', 'http', 'admin', 'exports', 'health', 'feedback'],
};

/**
 * Files that may write tables of other features, each with the reason. A file without `tables` may write every table.
 */
const EXCEPTIONS: readonly { from: RegExp; tables?: readonly string[]; reason: string }[] = [
  { from: /^worker\/retention\.ts$/, reason: 'deletes expired rows everywhere' },
  { from: /^worker\/leaving\//, reason: 'closes and erases an account everywhere' },
  {
    from: /^worker\/posts\/post-states\.ts$/,
    tables: ['match_terms', 'match_readings', 'match_pairs', 'match_answers', 'claims'],
    reason: 'deletes what belongs to a post',
  },
  {
    from: /^worker\/notices\/withdraw-notices\.ts$/,
    tables: ['match_pairs'],
    reason: 'remembers which pairs to notify about again',
  },
  {
    from: /^worker\/matching\/[a-z-]+\.ts$/,
    tables: ['posts'],
    reason: 'records the progress of matching in the columns match_* of a post',
  },
  {
    from: /^worker\/matching\/write-pairs\.ts$/,
    tables: ['notices'],
    reason: 'inserts the notices of a pair together with the pair',
  },
  {
    from: /^worker\/whatsapp\/take-message\.ts$/,
    tables: ['number_codes'],
    reason: 'a code contains the state of its own message',
  },
];

const TABLE = /export const (\w+) = sqliteTable\(\s*'(\w+)'/g;
const RAW_WRITE = /\b(?:(?:insert|replace)(?: or \w+)? into|update|delete from)\s+(?:\$\{(\w+)\}|(\w+))/g;
const BUILT_WRITE = /(?:\.(?:insert|update|delete)\(|\bdeleteSome\(\w+,)\s*(\w+)/g;

type File = readonly [path: string, source: string];

/** Maps each table, by its name in SQL and in TypeScript, to its file in worker/db/tables. */
export function listTables(files: readonly File[]): Map<string, string> {
  return new Map(
    files.flatMap(([path, source]) => {
      const file = path.replace(/^.*\/|\.ts$/g, '');
      return [...source.matchAll(TABLE)].flatMap(([, constant = '', table = '']) => [
        [constant, file] as const,
        [table, file] as const,
      ]);
    }),
  );
}

/** Returns the file's writes to tables that its feature does not own, one line each. */
export function findForeignWrites([path, source]: File, tables: ReadonlyMap<string, string>): string[] {
  const code = source.replace(COMMENT, '');
  const written = [...code.matchAll(RAW_WRITE), ...code.matchAll(BUILT_WRITE)].map(([, name, table]) => name ?? table);
  return [...new Set(written)].flatMap((table = '') => {
    const file = tables.get(table);
    if (file === undefined || OWNERS[file]?.includes(path.split('/')[1] ?? '')) return [];
    const isException = EXCEPTIONS.some((each) => each.from.test(path) && (each.tables?.includes(table) ?? true));
    return isException ? [] : [`${path} writes ${table}, a table of ${OWNERS[file]?.join(', ')}.`];
  });
}

if (isMain(import.meta)) {
  const tables = listTables(readSources('worker/db/tables/*.ts'));
  const problems = readSources('worker/**/*.ts').flatMap((file) => findForeignWrites(file, tables));
  for (const problem of problems) console.error(problem);
  console.log(`Checked the owners of the database's tables: ${problems.length} writes are forbidden.`);
  process.exitCode = problems.length > 0 ? 1 : 0;
}
