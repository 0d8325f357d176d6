import { afterEach, expect } from 'vitest';
import { type RowSchema, watchRows } from '#worker/db/statements.ts';

const problems: string[] = [];

watchRows((statement, schema) => {
  const { execute, mapResult } = statement;
  const check = <Rows>(rows: Rows): Rows => {
    for (const row of rows as object[]) noteProblem(row, schema, statement.getQuery().sql);
    return rows;
  };
  statement.execute = async () => check(await execute.call(statement));
  statement.mapResult = (...answer) => check(mapResult.apply(statement, answer));
});

/** Checks a row against its schema: every column and no other. */
function noteProblem(row: object, schema: RowSchema, statement: string): void {
  const { data, error } = schema().safeParse(row);
  if (error) problems.push(`${JSON.stringify(error.issues)} in ${statement}`);
  else
    for (const name of Object.keys(row)) if (!(name in Object(data))) problems.push(`${name} too much in ${statement}`);
}

/** Returns the findings since the last call. */
export function takeRowProblems(): string[] {
  return problems.splice(0);
}

// Reported after the test, not when the row is read: background work would catch and log the failure.
afterEach(() => expect(takeRowProblems()).toEqual([]));
