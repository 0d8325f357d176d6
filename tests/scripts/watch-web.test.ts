import { mkdtempSync, rmSync, statSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test, vi } from 'vitest';
import { PROJECT_ROOT } from '#scripts/command/project-root.ts';
import { watchWeb } from '#scripts/dev/watch-web.ts';

// Three builds of the web app.
vi.setConfig({ testTimeout: 300_000 });

const SOURCE = join(PROJECT_ROOT, 'web/home/home-screen.tsx');
const folder = mkdtempSync(join(tmpdir(), 'patikana-watch-test-'));
const { atime, mtime } = statSync(SOURCE);
afterAll(() => {
  utimesSync(SOURCE, atime, mtime);
  rmSync(folder, { recursive: true });
});

test('every change of a source builds the web app again, the second one too', async () => {
  const failed = vi.spyOn(console, 'error').mockReturnValue();
  const said = vi.spyOn(console, 'log').mockReturnValue();
  const rebuilds = () => said.mock.calls.filter(([text]) => String(text).startsWith('Web app rebuilt')).length;
  await watchWeb(folder);
  for (const count of [1, 2]) {
    // Its time alone: what is in it is not the test's.
    utimesSync(SOURCE, atime, new Date());
    await vi.waitFor(() => expect(rebuilds() + failed.mock.calls.length).toBeGreaterThanOrEqual(count), {
      timeout: 120_000,
    });
  }
  expect(failed).not.toHaveBeenCalled();
});
