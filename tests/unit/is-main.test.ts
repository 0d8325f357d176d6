import { realpathSync } from 'node:fs';
import { expect, test } from 'vitest';
import { isMain } from '#scripts/command/is-main.ts';

test('the script that Node was started with is recognised without import.meta.main, which Node 24.0 lacks', () => {
  const started: Pick<ImportMeta, 'filename'> = { filename: realpathSync(process.argv[1] ?? '') };
  expect(isMain(started as ImportMeta)).toBe(true);
  expect(isMain(import.meta)).toBe(false);
});
