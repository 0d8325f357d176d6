/** A database that is backed up or restored: the deployed one, or one of this machine. */
export type Target = {
  query<Row>(sql: string): Promise<Row[]>;
  /** Writes the rows of the tables into the file as INSERT statements, all of one moment. */
  exportRows(tables: string[], file: string): Promise<void>;
  /** Runs the statements of the file, all of them or none. */
  runFile(file: string): Promise<void>;
  /** Applies the migrations that it lacks. */
  migrate(): Promise<void>;
};
