/** What fails, what people see of it, what is true afterwards, and how it is tried. */
export type Fault = {
  part: string;
  fails: string;
  seen: string;
  afterwards: string;
  /** Fails unless both are so. */
  tryIt(): Promise<void>;
};
