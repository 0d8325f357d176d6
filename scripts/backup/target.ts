/** A database to back up or restore: the deployed one or a local one. */
export type Target = {
  query<Row>(sql: string): Promise<Row[]>;
  /** Writes a consistent snapshot of the tables' rows into the file, as INSERT statements. */
  exportRows(tables: string[], file: string): Promise<void>;
  /** Runs the statements of the file in one transaction. */
  runFile(file: string): Promise<void>;
  /** Applies the missing migrations. */
  migrate(): Promise<void>;
};
