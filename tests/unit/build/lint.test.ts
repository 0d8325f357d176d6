import { describe, expect, test } from 'vitest';
import { findPackageProblems, type Lock, listScripted } from '#scripts/check-packages.ts';
import { findForbiddenImports, findUnusedPublic } from '#scripts/lint/check-imports.ts';
import { findForeignWrites, listTables } from '#scripts/lint/check-owners.ts';

const FORBIDDEN: [why: string, from: string, source: string][] = [
  ['the contract imports a library', 'contract/posts.ts', `import { Hono } from 'hono';`],
  ['the contract imports the Worker', 'contract/posts.ts', `import { newId } from '#worker/identity/digests.ts';`],
  ['the Worker imports the web app', 'worker/posts/routes.ts', `import { paths } from '#web/lib/paths.ts';`],
  ['an object imports the tests', 'durable/mailbox.ts', `import { call } from '#tests/worker/support/api.ts';`],
  ['a screen imports the scripts', 'web/posts/api.ts', `import { DEMO_POSTS } from '#scripts/database/demo-posts.ts';`],
  ['a flow imports routes', 'worker/posts/find-post.ts', `import { postRoutes } from './routes.ts';`],
  ['the base imports a feature', 'worker/http/viewer.ts', `import { findPost } from '#worker/posts/find-post.ts';`],
  ['the base imports the conditions', 'worker/db/client.ts', `import { isOpen } from '#worker/conditions/posts.ts';`],
  [
    'a base folder imports a higher base folder',
    'worker/db/client.ts',
    `import { hasRoom } from '#worker/limits/allowance.ts';`,
  ],
  ['the base imports an object', 'worker/http/viewer.ts', `import { x } from '#durable/get-user-channel.ts';`],
  ['conditions import a feature', 'worker/conditions/posts.ts', `import '#worker/posts/find-post.ts';`],
  ['an object imports a feature', 'durable/mailbox.ts', `import { x } from '#worker/notices/keep-notice.ts';`],
  ['an object imports the database', 'durable/mailbox.ts', `import type { Db } from '#worker/db/client.ts';`],
  ['an object imports the entry', 'durable/mailbox.ts', `import { sweep } from '#worker/sweep.ts';`],
  ['a feature imports the entry', 'worker/posts/find-post.ts', `import { sweep } from '#worker/sweep.ts';`],
  ['a feature imports a private file', 'worker/posts/routes.ts', `import '#worker/matching/write-pairs.ts';`],
  [
    'words import the lexicon',
    'worker/matching/words/word-keys.ts',
    `import { getLexicon } from '#worker/matching/lexicon/lexicon.ts';`,
  ],
  [
    'the lexicon imports the reading',
    'worker/matching/lexicon/lexicon.ts',
    `import type { PostReading } from '#worker/matching/reading/read-post.ts';`,
  ],
  [
    'the reading imports the judging',
    'worker/matching/reading/read-post.ts',
    `import type { Evidence } from '#worker/matching/judging/evidence.ts';`,
  ],
  [
    'the judging imports the job',
    'worker/matching/judging/match-rules.ts',
    `import type { Match } from '#worker/matching/match-types.ts';`,
  ],
  [
    'the reading imports the database',
    'worker/matching/reading/read-post.ts',
    `import type { Db } from '#worker/db/client.ts';`,
  ],
  ['the judging imports a library', 'worker/matching/judging/evidence.ts', `import { sql } from 'drizzle-orm';`],
  ['an import path starts with “../”', 'web/ui/card.tsx', `import { format } from '${'..'}/lib/format.ts';`],
  ['an import path starts with “./../”', 'web/ui/card.tsx', `import { format } from './${'..'}/lib/format.ts';`],
  ['a screen imports the Worker', 'web/posts/api.ts', `import type { PostRow } from '#worker/posts/post-columns.ts';`],
  ['a control imports a feature', 'web/ui/card.tsx', `import { PostCard } from '#web/posts/post/post-card.tsx';`],
  ['lib imports a control', 'web/lib/format.ts', `import { Button } from '#web/ui/button.tsx';`],
  ['a feature imports a private file', 'web/posts/post/post-card.tsx', `import '#web/communities/run/members.tsx';`],
  ['a feature imports the app', 'web/posts/api.ts', `export { router } from '#web/app/router.tsx';`],
  [
    'the web app’s base imports a feature dynamically',
    'web/api/session.ts',
    `const home = () => import('#web/home/home-screen.tsx');`,
  ],
  ['an import that spans several lines', 'web/ui/field.tsx', `import {\n  listPosts,\n} from '#web/posts/api.ts';`],
];

describe('check-imports reports a forbidden import', () => {
  test.each(FORBIDDEN)('%s', (_why, from, source) => {
    const [problem, ...others] = findForbiddenImports(from, source);
    expect(problem).toContain(`${from} imports `);
    expect(others).toEqual([]);
  });
});

const ALLOWED: [why: string, from: string, source: string][] = [
  ['the contract imports zod and itself', 'contract/posts.ts', `import * as z from 'zod/mini';\nimport './fields.ts';`],
  [
    'a feature’s routes import other files of the feature',
    'worker/posts/routes.ts',
    `import './create-post.ts';\nimport './end-post.ts';`,
  ],
  ['a feature imports a public file', 'worker/matching/match-post.ts', `import '#worker/posts/post-columns.ts';`],
  [
    'a feature imports a file of worker/conditions',
    'worker/posts/list-posts.ts',
    `import '#worker/conditions/posts.ts';`,
  ],
  [
    'a base folder imports a lower base folder',
    'worker/limits/allowance.ts',
    `import type { Db } from '#worker/db/client.ts';`,
  ],
  [
    'the types of the Worker’s bindings import a Durable Object',
    'worker/env.ts',
    `import type { X } from '#durable/user-channel.ts';`,
  ],
  ['a Durable Object imports the base', 'durable/mailbox.ts', `import { log } from '#worker/errors/log.ts';`],
  [
    'a feature imports the file that opens a Durable Object',
    'worker/notices/deliver-notices.ts',
    `import { x } from '#durable/get-user-channel.ts';`,
  ],
  [
    'the folder matching/judging imports the lower folders of matching',
    'worker/matching/judging/compare-names.ts',
    `import './evidence.ts';\nimport '#worker/matching/reading/read-names.ts';\nimport '#worker/matching/words/word-keys.ts';`,
  ],
  ['the lexicon imports its own text', 'worker/matching/lexicon/lexicon.ts', `import './packed.txt';`],
  [
    'the matching job imports every folder of matching',
    'worker/matching/match-post.ts',
    `import './judging/match-rules.ts';\nimport './reading/read-post.ts';\nimport './write-pairs.ts';`,
  ],
  ['the app mounts routes', 'worker/app.ts', `import { postRoutes } from './posts/routes.ts';`],
  ['a screen imports the contract', 'web/posts/api.ts', `import type { Post } from '#contract/posts.ts';`],
  ["a feature imports another's api", 'web/notices/news.tsx', `import '#web/posts/api.ts';`],
  ['a feature imports a public folder', 'web/notices/news.tsx', `import '#web/posts/post/post-card.tsx';`],
  ['the app imports screens', 'web/app/router.tsx', `const late = () => import('#web/posts/my-posts-screen.tsx');`],
  [
    'a comment contains the path of a forbidden import',
    'web/ui/card.tsx',
    `// moved here from '#web/posts/card.tsx'\nexport {};`,
  ],
];

describe('check-imports reports no forbidden import if', () => {
  test.each(ALLOWED)('%s', (_why, from, source) => {
    expect(findForbiddenImports(from, source)).toEqual([]);
  });
});

test('check-imports reports a public file that only its own feature imports', () => {
  const own = ['worker/posts/routes.ts', `import './find-post.ts';`] as const;
  const other = ['worker/claims/make-claim.ts', `import '#worker/posts/find-post.ts';`] as const;
  const reported = expect.stringContaining('worker/posts/find-post.ts is public');
  expect(findUnusedPublic([own])).toContainEqual(reported);
  expect(findUnusedPublic([own, other])).not.toContainEqual(reported);
});

describe('check-owners', () => {
  const TABLES = listTables([
    ['worker/db/tables/notices.ts', `export const notices = sqliteTable(\n  'notices',\n  {},\n);`],
    ['worker/db/tables/notices.ts', `export const emailMessages = sqliteTable('email_messages', {});`],
    ['worker/db/tables/matching.ts', `export const matchPairs = sqliteTable('match_pairs', {});`],
  ]);

  const FOREIGN: [write: string, table: string, source: string][] = [
    ['an insert', 'notices', 'db.run(sql`\n    insert into notices (id) select 1`)'],
    ['an insert that replaces', 'email_messages', 'sql`insert or replace into email_messages (id) values (1)`'],
    ['an update', 'notices', 'sql`update notices as n set read_at = 1`'],
    ['a deletion', 'email_messages', 'sql`delete from email_messages where id = 1`'],
    ['a deletion by the name in TypeScript', 'emailMessages', ['sql`delete from ', '{emailMessages}`'].join('$')],
    ['a bounded deletion', 'notices', 'deleteSome(db, notices, sql`true`)'],
    ['an update of the builder', 'emailMessages', 'db.repeatable\n  .update(emailMessages)\n  .set({})'],
  ];

  describe('reports a write to another feature’s table', () => {
    test.each(FOREIGN)('%s', (_write, table, source) => {
      expect(findForeignWrites(['worker/claims/make-claim.ts', source], TABLES)).toEqual([
        `worker/claims/make-claim.ts writes ${table}, a table of notices, push, email, whatsapp.`,
      ]);
    });
  });

  const ALLOWED: [why: string, path: string, source: string][] = [
    ['a write to its own feature’s table', 'worker/email/record-email.ts', 'sql`update email_messages set status = 1`'],
    ['a read of another feature’s table', 'worker/claims/make-claim.ts', 'sql`select id from notices`'],
    ['a comment that mentions a write', 'worker/claims/make-claim.ts', '/** Those that update notices. */'],
    ['an explicitly allowed write', 'worker/notices/withdraw-notices.ts', 'sql`update match_pairs set is_current = 0`'],
  ];

  describe('accepts a source file with', () => {
    test.each(ALLOWED)('%s', (_why, path, source) => {
      expect(findForeignWrites([path, source], TABLES)).toEqual([]);
    });
  });

  test('reports a file that writes another feature’s table, if the exceptions for this file do not include this table', () => {
    const path = 'worker/matching/write-pairs.ts';
    expect(findForeignWrites([path, 'sql`delete from email_messages`'], TABLES)).toHaveLength(1);
  });
});

const SOUND = { integrity: 'sha512-abc', license: 'MIT' };
const MANIFEST = { allowScripts: { workerd: true } };

function problemsOf(entry: Lock['packages'][string], path = 'node_modules/hono'): string[] {
  return findPackageProblems({ packages: { '': {}, [path]: entry } }, MANIFEST);
}

test('check-packages accepts a package with a hash and an allowed licence', () => {
  expect(problemsOf(SOUND)).toEqual([]);
  expect(problemsOf({ ...SOUND, license: '(GPL-3.0 OR MIT)' })).toEqual([]);
});

test.each([
  ['no hash', { integrity: '' }, 'sha512'],
  ['a hash that can be forged', { integrity: 'sha1-abc' }, 'sha512'],
  ['a licence that is not on the list', { license: 'SSPL-1.0' }, 'SSPL-1.0'],
  ['a licence that is allowed only for development tools', { license: 'MPL-2.0' }, 'MPL-2.0'],
  ['two licences, of which one is not allowed', { license: 'MIT AND GPL-3.0' }, 'GPL-3.0'],
  ['an install script', { hasInstallScript: true }, 'runs a script'],
])('check-packages reports a package that has %s', (_what, entry, says) => {
  expect(problemsOf({ ...SOUND, ...entry })).toEqual([expect.stringContaining(says)]);
});

test('check-packages lists a package with an install script once, even if several copies are installed', () => {
  const scripted = { ...SOUND, hasInstallScript: true };
  const packages = {
    '': {},
    'node_modules/b': scripted,
    'node_modules/a/node_modules/b': scripted,
    'node_modules/a': SOUND,
  };
  expect(listScripted({ packages })).toEqual(['b']);
});

test('check-packages accepts a development tool whose licence is allowed only for tools, and a package with an allowed install script', () => {
  expect(problemsOf({ ...SOUND, license: 'MPL-2.0', dev: true })).toEqual([]);
  expect(problemsOf({ ...SOUND, hasInstallScript: true }, 'node_modules/wrangler/node_modules/workerd')).toEqual([]);
});

test('check-packages accepts a binary without a hash only for a development tool in UNHASHED, on a platform that we do not use', () => {
  const tool = { dev: true, optional: true, os: ['darwin'], cpu: ['arm64'] };
  const path = 'node_modules/@biomejs/cli-darwin-arm64';
  expect(problemsOf(tool, path)).toEqual([]);
  expect(problemsOf(tool, 'node_modules/another-tool-darwin-arm64')).toHaveLength(1);
  expect(problemsOf({ ...tool, os: ['linux'] }, path)).toHaveLength(1);
  expect(problemsOf({ ...tool, os: ['linux'], libc: ['musl'] }, path)).toEqual([]);
  expect(problemsOf({ ...tool, dev: false }, path)).toHaveLength(1);
});
