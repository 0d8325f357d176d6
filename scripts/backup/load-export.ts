import type { LocalDatabase } from '#scripts/database/local-database.ts';
import { localTarget } from './local-target.ts';
import type { Export, Row } from './read-export.ts';
import { quoteName, quoteText, readSchema } from './read-schema.ts';

type Reference = { from: string; table: string; to: string };

const ROWS_AT_ONCE = 200;

/** What refers to another table without a foreign key, and means nothing without what it refers to. */
const REFERENCES: Readonly<Record<string, readonly Reference[]>> = {
  claim_reports: [{ from: 'claim_id', table: 'claims', to: 'id' }],
  claim_steps: [{ from: 'claim_id', table: 'claims', to: 'id' }],
  community_removals: [{ from: 'community_id', table: 'communities', to: 'id' }],
  join_requests: [{ from: 'community_id', table: 'communities', to: 'id' }],
  match_answers: [{ from: 'pair_id', table: 'match_pairs', to: 'id' }],
  match_pairs: [
    { from: 'lost_post_id', table: 'posts', to: 'id' },
    { from: 'found_post_id', table: 'posts', to: 'id' },
  ],
  photos: [{ from: 'post_id', table: 'posts', to: 'id' }],
};

/**
 * Loads the rows into an empty database that has the export's own schema. The tables were not read at one moment: what
 * refers to a row that is not there is left out, and of two rows that cannot both be there the one read later stays.
 * @returns how many were left out, by table.
 */
export async function loadExport(db: LocalDatabase, { manifest, readPieces }: Export): Promise<Map<string, number>> {
  const { searchIndexes, others } = await readSchema(localTarget(db));
  const triggers = others.filter(({ type }) => type === 'trigger');
  const leftOut = new Map<string, number>();
  // What the triggers would do is in the rows already.
  await db.batch(triggers.map(({ name }) => db.prepare(`DROP TRIGGER ${quoteName(name)}`)));
  // What is referred to comes first, and was read last.
  for (const { name, rows } of manifest.tables.toReversed()) {
    const references = [...(REFERENCES[name] ?? []), ...(await foreignKeysOf(db, name))];
    for (const piece of readPieces(name))
      for (let first = 0; first < piece.length; first += ROWS_AT_ONCE)
        await insertRows(db, name, references, piece.slice(first, first + ROWS_AT_ONCE));
    const stored = (await db.prepare(`SELECT count(*) AS count FROM ${quoteName(name)}`).first<number>('count')) ?? 0;
    if (stored < rows) leftOut.set(name, rows - stored);
  }
  await db.batch(
    [
      ...recount(manifest.sequences),
      ...searchIndexes.map(({ name }) => `INSERT INTO ${quoteName(name)} (${quoteName(name)}) VALUES ('rebuild')`),
      ...triggers.map(({ sql }) => sql),
    ].map((statement) => db.prepare(statement)),
  );
  return leftOut;
}

async function foreignKeysOf(db: LocalDatabase, table: string): Promise<Reference[]> {
  const keys = `SELECT "from", "table", "to" FROM pragma_foreign_key_list(${quoteText(table)})`;
  return (await db.prepare(keys).all<Reference>()).results;
}

async function insertRows(db: LocalDatabase, table: string, references: Reference[], rows: Row[]): Promise<void> {
  const [first] = rows;
  if (!first) return;
  const columns = Object.keys(first);
  const place = (column: string) => `?${columns.indexOf(column) + 1}`;
  const conditions = references.map(
    ({ from, table: other, to }) =>
      `(${place(from)} IS NULL OR EXISTS (SELECT 1 FROM ${quoteName(other)} WHERE ${quoteName(to)} = ${place(from)}))`,
  );
  const insert = db.prepare(
    `INSERT OR REPLACE INTO ${quoteName(table)} (${columns.map(quoteName).join(', ')})
     SELECT ${columns.map(place).join(', ')} WHERE ${['TRUE', ...conditions].join(' AND ')}`,
  );
  await db.batch(rows.map((row) => insert.bind(...columns.map((column) => row[column] ?? null))));
}

/** What is counted along with the rows, and the numbers that no row is given again. */
function recount(sequences: Record<string, number>): string[] {
  const exported = Object.entries(sequences).filter(([name]) => name !== 'd1_migrations');
  return [
    'UPDATE communities SET member_count = (SELECT count(*) FROM memberships WHERE community_id = communities.id)',
    ...exported.flatMap(([name, seq]) => [
      `DELETE FROM sqlite_sequence WHERE name = ${quoteText(name)}`,
      `INSERT INTO sqlite_sequence (name, seq) VALUES (${quoteText(name)}, ${seq})`,
    ]),
  ];
}
