import { execFile } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { PROJECT_ROOT } from '#scripts/command/command.ts';

// Each test starts Biome, which is slow on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

const CIRCLE = 'lint/suspicious/noImportCycles';

/** Returns the findings of Biome in some files, with the project's configuration. */
async function lint(files: Record<string, string>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'lint-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  for (const name of ['biome.json', 'package.json', '.gitignore'])
    await copyFile(join(PROJECT_ROOT, name), join(folder, name));
  await symlink(join(PROJECT_ROOT, 'node_modules'), join(folder, 'node_modules'));
  for (const [path, source] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), source);
  }
  const biome = join(PROJECT_ROOT, 'scripts/run.mjs');
  return new Promise((resolve) => {
    execFile(process.execPath, [biome, 'biome', 'lint', '.'], { cwd: folder }, (_error, stdout, stderr) =>
      resolve(stdout + stderr),
    );
  });
}

test.each([
  [
    'of values',
    `import { b } from './b.ts';\n\nexport const a = () => b;\n`,
    `import { a } from './a.ts';\n\nexport const b = () => a;\n`,
  ],
  [
    'of types only, by paths such as #worker/posts/a.ts',
    `import type { B } from '#worker/posts/b.ts';\n\nexport type A = B | null;\n`,
    `import type { A } from '#worker/posts/a.ts';\n\nexport type B = { a: A };\n`,
  ],
])('lint reports two files that import each other (imports %s)', async (_what, a, b) => {
  expect(await lint({ 'worker/posts/a.ts': a, 'worker/posts/b.ts': b })).toContain(CIRCLE);
});

test('lint accepts imports that form no circle', async () => {
  const output = await lint({
    'worker/posts/a.ts': `import { b } from './b.ts';\n\nexport const a = () => b;\n`,
    'worker/posts/b.ts': 'export const b = 1;\n',
  });
  expect(output).toContain('Checked ');
  expect(output).not.toContain('lint/');
});
