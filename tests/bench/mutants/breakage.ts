/** A small change to a source that no test should let pass: the text from `start` to `end` becomes `replacement`. */
export type Breakage = { kind: string; start: number; end: number; replacement: string };
