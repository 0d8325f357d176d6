import { queryRemoteDatabase, runWrangler } from '#scripts/wrangler/run-wrangler.ts';
import type { Target } from './target.ts';

export const REMOTE_TARGET: Target = {
  query: queryRemoteDatabase,
  exportRows(tables, file) {
    // D1 refuses to export a search index, and a refused export has left databases locked, so the tables are listed.
    const named = tables.flatMap((table) => ['--table', table]);
    return runWrangler([
      'd1',
      'export',
      'DB',
      '--remote',
      '--no-schema',
      ...named,
      '--output',
      file,
      '--skip-confirmation',
    ]);
  },
  runFile: (file) => runWrangler(['d1', 'execute', 'DB', '--remote', '--yes', '--file', file]),
  migrate: () => runWrangler(['d1', 'migrations', 'apply', 'DB', '--remote']),
};
