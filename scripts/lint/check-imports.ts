import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path/posix';
import { isMain, PROJECT_ROOT } from '#scripts/command/command.ts';

const SOURCES = '{contract,locales,worker,durable,web,tests,scripts}/**/*.{ts,tsx}';
const IMPORT = /\b(?:from|import|import\()\s*['"]([^'"]+)['"]/g;
export const COMMENT = /^\s*(?:\/\/|\*|\/\*).*$/gm;

/**
 * The Worker's base folders, which import no feature. They are ordered from the bottom up: a folder imports only
 * folders earlier in this list.
 */
const BASE: readonly string[] = ['errors', 'identity', 'redaction', 'db', 'limits', 'http'];

/** The Worker's files that other features may import. All other files are private to their folder. */
const PUBLIC_FILES: readonly string[] = [
  'worker/accounts/common-passwords.ts',
  'worker/accounts/devices.ts',
  'worker/accounts/password.ts',
  'worker/accounts/prove-by-message.ts',
  'worker/accounts/sign-in.ts',
  'worker/accounts/sign-out.ts',
  'worker/accounts/suspend-person.ts',
  'worker/admin/switches.ts',
  'worker/claims/close-claims.ts',
  'worker/communities/community-rules.ts',
  'worker/communities/decide-on-community.ts',
  'worker/communities/find-community.ts',
  'worker/communities/present-community.ts',
  'worker/communities/read-community.ts',
  'worker/communities/suspend-community.ts',
  'worker/email/prove-email.ts',
  'worker/feedback/list-feedback.ts',
  'worker/health/heartbeat.ts',
  'worker/matching/answer-pair.ts',
  'worker/matching/list-matches.ts',
  'worker/matching/match-post.ts',
  'worker/matching/read-search.ts',
  'worker/matching/reading/read-kind.ts',
  'worker/matching/search-parts.ts',
  'worker/moderation/cases.ts',
  'worker/moderation/list-cases.ts',
  'worker/moderation/moderation-log.ts',
  'worker/moderation/report-post.ts',
  'worker/notices/deliver-notices.ts',
  'worker/notices/keep-notice.ts',
  'worker/notices/reach.ts',
  'worker/notices/read-notices.ts',
  'worker/notices/settings.ts',
  'worker/notices/withdraw-notices.ts',
  'worker/photos/objects.ts',
  'worker/photos/present-photos.ts',
  'worker/posts/find-post.ts',
  'worker/posts/give-numbers.ts',
  'worker/posts/identifiers.ts',
  'worker/posts/list-posts.ts',
  'worker/posts/post-columns.ts',
  'worker/posts/post-states.ts',
  'worker/posts/present-post.ts',
  'worker/posts/search-posts.ts',
  'worker/posts/search-texts.ts',
  'worker/push/subscriptions.ts',
  'worker/recovery/reset-code.ts',
  'worker/whatsapp/queue-message.ts',
  'worker/whatsapp/webhook.ts',
];

/**
 * The layers of matching, from the bottom up: a layer imports only layers earlier in this list. Files directly in
 * worker/matching may import every layer.
 */
const MATCHING_LAYERS = ['words', 'lexicon', 'reading', 'judging'];

/**
 * The web app's base folders, which import no feature. They are ordered from the bottom up: a folder imports only
 * folders earlier in this list.
 */
const WEB_BASE = ['lib', 'api', 'ui'];

/** The web app's folders that other features may import, besides each feature's `api.ts` and `queries.ts`. */
const PUBLIC_FOLDERS: readonly string[] = [
  'web/matches',
  'web/offline',
  'web/photos',
  'web/posts/form',
  'web/posts/list',
  'web/posts/post',
  'web/push',
];

type Rule = { from: RegExp; isForbidden: (to: string, from: string) => boolean; reason: string };

// `from` and `to` are paths from the project's root. For an npm package, `to` is the package's name.
const RULES: readonly Rule[] = [
  {
    from: /^contract\//,
    isForbidden: (to) => !/^(contract\/|zod$|zod\/)/.test(to),
    reason: 'the contract imports nothing but zod and itself',
  },
  {
    from: /^(worker|durable)\//,
    isForbidden: (to) => /^web\//.test(to),
    reason: 'the Worker does not know the web app',
  },
  {
    from: /^(worker|durable|web)\//,
    isForbidden: (to) => /^(tests|scripts)\//.test(to),
    reason: 'what runs for people does not import tests or scripts',
  },
  {
    from: /^worker\/(?!app\.ts)/,
    isForbidden: (to) => /^worker\/.*routes\.ts$/.test(to),
    reason: 'only worker/app.ts imports routes',
  },
  {
    from: new RegExp(`^worker/(env\\.ts|(${BASE.join('|')})/)`),
    isForbidden: (to, from) => isFeature(to) || isEntry(to) || isConditions(to) || isBaseAbove(to, from),
    reason: `the base imports from below only: ${BASE.join(' ← ')}`,
  },
  {
    from: new RegExp(`^worker/(conditions|${BASE.join('|')})/`),
    isForbidden: (to, from) => to.startsWith('durable/') || (isConditions(from) && isFeature(to)),
    reason: 'the base and the conditions know no object and no feature',
  },
  {
    from: /^durable\//,
    isForbidden: (to) => isFeature(to) || isEntry(to) || isConditions(to) || /^worker\/(db|http)\//.test(to),
    reason: 'an object knows no feature and no database: worker/user-channel.ts gives it what it needs',
  },
  {
    // Two folders are exempt: `leaving` deletes an account's rows in every feature, and the developers' pages in `dev`
    // show every feature.
    from: /^worker\/(?!leaving\/|dev\/)[a-z]+\//,
    isForbidden: (to, from) => isFeature(to) && folderOf(to) !== folderOf(from) && !PUBLIC_FILES.includes(to),
    reason: 'the file is private to its feature (PUBLIC_FILES in scripts/lint/check-imports.ts)',
  },
  {
    from: new RegExp(`^worker/matching/(${MATCHING_LAYERS.join('|')})/`),
    isForbidden: (to, from) => !to.startsWith('contract/') && !isMatchingBelow(to, from),
    reason: `matching imports from below only: ${MATCHING_LAYERS.join(' ← ')} ← its job, and the contract`,
  },
  {
    from: /^worker\/[a-z]+\//,
    isForbidden: isEntry,
    reason: 'no feature imports the entry',
  },
  {
    from: /^web\//,
    isForbidden: (to) => /^(worker|durable)\//.test(to),
    reason: 'the web app imports only the contract of the Worker',
  },
  {
    from: new RegExp(`^web/(${WEB_BASE.join('|')})/`),
    isForbidden: (to, from) => isWebFeature(to) || to.startsWith('web/app/') || isWebBaseAbove(to, from),
    reason: `the base of the web app imports from below only: ${WEB_BASE.join(' ← ')} ← features`,
  },
  {
    from: /^web\/(?!app\/|lib\/|api\/|ui\/)[a-z-]+\//,
    isForbidden: (to, from) =>
      to.startsWith('web/app/') || (isWebFeature(to) && folderOf(to) !== folderOf(from) && !isPublicWeb(to)),
    reason: 'the file is private to its feature (PUBLIC_FOLDERS in scripts/lint/check-imports.ts)',
  },
];

function folderOf(path: string): string {
  return path.split('/')[1] ?? '';
}

/**
 * Whether the file belongs to a feature of the Worker. The folders `words` and `lexicon` of matching belong to no
 * feature, so that every folder may import them.
 */
function isFeature(path: string): boolean {
  return (
    /^worker\/[a-z]+\//.test(path) &&
    !isConditions(path) &&
    !BASE.includes(folderOf(path)) &&
    !/^worker\/matching\/(words|lexicon)\//.test(path)
  );
}

function isConditions(path: string): boolean {
  return path.startsWith('worker/conditions/');
}

function isEntry(path: string): boolean {
  return /^worker\/(?!env\.)[a-z-]+\.ts$/.test(path);
}

function isBaseAbove(to: string, from: string): boolean {
  return /^worker\/[a-z]+\//.test(from) && BASE.indexOf(folderOf(to)) > BASE.indexOf(folderOf(from));
}

/** Whether `to` is in the layer of `from` or in a lower one. No layer may import the database or other features. */
function isMatchingBelow(to: string, from: string): boolean {
  const [, , layer = ''] = to.split('/');
  const [, , own = ''] = from.split('/');
  const isLayer = to.startsWith('worker/matching/') && MATCHING_LAYERS.includes(layer);
  return isLayer && MATCHING_LAYERS.indexOf(layer) <= MATCHING_LAYERS.indexOf(own);
}

function isWebFeature(path: string): boolean {
  return /^web\/[a-z-]+\//.test(path) && !['app', 'public', ...WEB_BASE].includes(folderOf(path));
}

function isWebBaseAbove(to: string, from: string): boolean {
  return to.startsWith('web/') && WEB_BASE.indexOf(folderOf(to)) > WEB_BASE.indexOf(folderOf(from));
}

function isPublicWeb(path: string): boolean {
  return (
    /^web\/[a-z-]+\/(api|queries)\.ts$/.test(path) || PUBLIC_FOLDERS.some((folder) => path.startsWith(`${folder}/`))
  );
}

/** Returns the file's imports. `to` is the imported path from the project's root, or the package. */
function listImports(from: string, source: string): { specifier: string; to: string }[] {
  const specifiers = [...source.replace(COMMENT, '').matchAll(IMPORT)].map(([, specifier = '']) => specifier);
  return specifiers.map((specifier) => ({ specifier, to: resolveImport(from, specifier) }));
}

/** Returns the file's forbidden imports, one line each. */
export function findForbiddenImports(from: string, source: string): string[] {
  return listImports(from, source).flatMap(({ specifier, to }) => {
    if (/(^|\/)\.\.\//.test(specifier))
      return [`${from} imports ${specifier}: write the path from the project's root (#…) instead of ../.`];
    return RULES.filter((rule) => rule.from.test(from) && rule.isForbidden(to, from)).map(
      (rule) => `${from} imports ${specifier}: ${rule.reason}.`,
    );
  });
}

/** Returns the public files and folders that no other feature imports, one line each. */
export function findUnusedPublic(files: readonly (readonly [path: string, source: string])[]): string[] {
  const used = new Set(
    files.flatMap(([from, source]) =>
      /^(worker|durable|web)\//.test(from)
        ? listImports(from, source).flatMap(({ to }) => (folderOf(to) === folderOf(from) ? [] : [to]))
        : [],
    ),
  );
  const isUsed = (path: string) => used.has(path) || [...used].some((to) => to.startsWith(`${path}/`));
  return [...PUBLIC_FILES, ...PUBLIC_FOLDERS]
    .filter((path) => !isUsed(path))
    .map((path) => `${path} is public, but no other feature imports it.`);
}

function resolveImport(from: string, specifier: string): string {
  if (specifier.startsWith('#')) return specifier.slice(1);
  return specifier.startsWith('.') ? join(dirname(from), specifier) : specifier;
}

/** Returns the path and the text of each file. */
export function readSources(glob: string): [path: string, source: string][] {
  const paths = globSync(glob, { cwd: PROJECT_ROOT }).map((file) => file.replaceAll('\\', '/'));
  return paths.map((path) => [path, readFileSync(join(PROJECT_ROOT, path), 'utf8')]);
}

if (isMain(import.meta)) {
  const files = readSources(SOURCES);
  const problems = [
    ...files.flatMap(([path, source]) => findForbiddenImports(path, source)),
    ...findUnusedPublic(files),
  ];
  for (const problem of problems) console.error(problem);
  console.log(`Checked the imports of ${files.length} files: ${problems.length} are forbidden.`);
  process.exitCode = problems.length > 0 ? 1 : 0;
}
