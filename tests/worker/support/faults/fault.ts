/** What fails, what people see of it and what is true afterwards: a row of docs/reliability.md, and how it is tried. */
export type Fault = {
  part: string;
  fails: string;
  seen: string;
  afterwards: string;
  /** Fails unless it is as the row says. */
  tryIt(): Promise<void>;
};
