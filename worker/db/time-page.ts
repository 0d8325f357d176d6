/** A position in a list that is ordered by time and, within a millisecond, by id. */
export type TimeKey = { time: number; id: string };

/** Parses a cursor that the contract has validated; null at the start of the list. */
export function parseTimeCursor(cursor: string | undefined): TimeKey | null {
  if (cursor === undefined) return null;
  const dot = cursor.indexOf('.');
  return { time: Number(cursor.slice(0, dot)), id: cursor.slice(dot + 1) };
}

/**
 * Splits the rows, of which one more than the limit was read, into the page and the cursor of the next page.
 * @param keyOf a row's position in the list.
 */
export function toTimePage<Row>(rows: Row[], limit: number, keyOf: (row: Row) => TimeKey) {
  const shown = rows.slice(0, limit);
  const last = rows.length > limit ? shown.at(-1) : undefined;
  const key = last === undefined ? null : keyOf(last);
  return { rows: shown, nextCursor: key && `${key.time}.${key.id}` };
}
