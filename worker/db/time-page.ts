/** The place in a list ordered by a time and, within one millisecond, by an id. */
export type TimeKey = { time: number; id: string };

/** Reads a cursor that the contract has checked; null at the start of the list. */
export function parseTimeCursor(cursor: string | undefined): TimeKey | null {
  if (cursor === undefined) return null;
  const dot = cursor.indexOf('.');
  return { time: Number(cursor.slice(0, dot)), id: cursor.slice(dot + 1) };
}

/**
 * Splits what was read, one row more than the limit, into the page and the cursor of the next.
 * @param keyOf where a row stands in the list's order.
 */
export function toTimePage<Row>(rows: Row[], limit: number, keyOf: (row: Row) => TimeKey) {
  const shown = rows.slice(0, limit);
  const last = rows.length > limit ? shown.at(-1) : undefined;
  const key = last === undefined ? null : keyOf(last);
  return { rows: shown, nextCursor: key && `${key.time}.${key.id}` };
}
