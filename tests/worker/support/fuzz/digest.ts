import { env } from 'cloudflare:workers';
import { PERSONAL_DATA } from '#worker/personal-data.ts';

/** Every row of every table that belongs to one of these people, as `PERSONAL_DATA` says whose it is. */
export async function rowsOf(people: readonly { id: string }[]): Promise<Record<string, unknown[]>> {
  const tables = PERSONAL_DATA.flatMap((noun) => Object.entries(noun.tables));
  const places = people.map(() => '?').join(', ');
  const answers = await env.DB.batch<Record<string, unknown>>(
    tables.map(([table, column]) =>
      env.DB.prepare(`select * from ${table} where ${column} in (${places}) order by 1, 2`).bind(
        ...people.map(({ id }) => id),
      ),
    ),
  );
  return Object.fromEntries(
    tables.flatMap(([table], index) => {
      const rows = answers[index]?.results ?? [];
      return rows.length > 0 ? [[table, rows]] : [];
    }),
  );
}
