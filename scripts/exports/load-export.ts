import type { LocalDatabase } from '#scripts/database/local-database.ts';
import type { Export, Row } from './read-export.ts';
import { quoteName, quoteText, readSchema } from './read-schema.ts';
import { localTarget } from './target.ts';

type Reference = { from: string; table: string; to: string };

const ROWS_AT_ONCE = 200;

/** References without a foreign key whose rows are meaningless if the target is missing. */
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
 * Loads the rows into an empty database with the export's own schema. The tables were not read at the same moment: rows
 * with dangling references are left out, and of two conflicting rows the one that was read later stays.
 * @returns how many rows were left out, by table.
 */
export async function loadExport(db: LocalDatabase, { manifest, readPieces }: Export): Promise<Map<string, number>> {
  const { searchIndexes, others } = await readSchema(localTarget(db));
  const triggers = others.filter(({ type }) => type === 'trigger');
  const leftOut = new Map<string, number>();
  // The rows already contain the triggers' effects.
  await db.batch(triggers.map(({ name }) => db.prepare(`DROP TRIGGER ${quoteName(name)}`)));
  // Referenced tables come first; they were read last.
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

/** Statements that recompute the counts kept by triggers, and set the autoincrement values. */
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
