import { quoteName, quoteText } from './read-schema.ts';
import type { Target } from './target.ts';

// D1 exports a line break as replace('…\n…', '\n', char(10)). If a text contains both a line break and a backslash followed
// by an n, the latter becomes a line break, too. Such rows are therefore written a second time, correctly.

type Column = { table: string; name: string; type: string; pk: number };

/** @returns the statements that correct the affected rows of these tables. */
export async function mendLineBreaks(target: Target, tables: string[]): Promise<string[]> {
  const columns = await target.query<Column>(`
    SELECT parts.name AS "table", columns.name, columns.type, columns.pk
    FROM sqlite_schema AS parts JOIN pragma_table_info(parts.name) AS columns
    WHERE parts.name IN (${tables.map(quoteText).join(', ')})`);
  const selects = tables.flatMap((table) => {
    const own = columns.filter((column) => column.table === table);
    const texts = own.filter(({ type, pk }) => type.toUpperCase() === 'TEXT' && pk === 0);
    return texts.length > 0
      ? [
          selectUpdates(
            table,
            texts,
            own.filter(({ pk }) => pk > 0),
          ),
        ]
      : [];
  });
  const [row = {}] = await target.query<Record<string, string>>(`SELECT ${selects.join(', ')}`);
  return Object.values(row).flatMap((statements) => JSON.parse(statements) as string[]);
}

/** A query of a single value: the UPDATE statements for the table's affected rows, as JSON. */
function selectUpdates(table: string, texts: Column[], keys: Column[]): string {
  const name = quoteName(table);
  const condition = texts.map(isAmbiguous).join(' OR ');
  const update = `concat('UPDATE ${name} SET ', ${assign(texts, ', ')}, ' WHERE ', ${assign(keys, ' AND ')}, ';')`;
  return `(SELECT json_group_array(${update}) FROM ${name} WHERE ${condition}) AS ${name}`;
}

function assign(columns: Column[], separator: string): string {
  const values = columns.map(({ name }) => `'${quoteName(name)} = ' || quote(${quoteName(name)})`);
  return `concat_ws('${separator}', ${values.join(', ')})`;
}

function isAmbiguous({ name }: Column): string {
  const column = quoteName(name);
  return `instr(${column}, char(10)) AND instr(${column}, '\\n') OR instr(${column}, char(13)) AND instr(${column}, '\\r')`;
}
