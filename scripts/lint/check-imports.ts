import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path/posix';
import { isMain } from '#scripts/command/is-main.ts';
import { PROJECT_ROOT } from '#scripts/command/project-root.ts';

const SOURCES = '{contract,locales,worker,durable,web,tests,scripts}/**/*.{ts,tsx}';
const IMPORT = /\b(?:from|import|import\()\s*['"]([^'"]+)['"]/g;
const COMMENT = /^\s*(?:\/\/|\*|\/\*).*$/gm;
const WEB_NOUNS = ['home', 'accounts', 'recovery', 'posts', 'communities', 'claims', 'notices', 'admin', 'legal'];
/** The folders that every noun of the Worker may import, bottom up: each may import those below it. */
const GROUND: readonly string[] = ['errors', 'identity', 'db', 'limits', 'http'];

/** Which nouns each noun of the Worker imports, through their index.ts. Routes may import any: they are above the nouns. */
export const NOUN_EDGES: Readonly<Record<string, readonly string[]>> = {
  accounts: ['devices', 'numbers', 'push'],
  admin: ['communities', 'moderation', 'notices', 'posts', 'switches', 'whatsapp'],
  blocks: ['claims', 'notices', 'posts'],
  claims: ['notices', 'posts'],
  communities: [],
  devices: ['push'],
  discover: [],
  email: ['notices', 'reach'],
  exports: [],
  feedback: [],
  health: [],
  leaving: ['claims', 'communities', 'devices', 'exports', 'moderation', 'notices', 'photos', 'push'],
  matching: ['communities', 'notices', 'posts'],
  moderation: ['communities', 'matching', 'notices', 'posts'],
  notices: ['communities', 'posts'],
  numbers: ['whatsapp'],
  passkeys: [],
  photos: ['switches'],
  posts: ['communities', 'photos'],
  push: ['notices'],
  reach: ['matching', 'notices', 'posts', 'push', 'switches'],
  realtime: [],
  recovery: ['accounts', 'devices', 'push'],
  sharing: [],
  switches: [],
  whatsapp: ['health', 'notices', 'reach', 'switches'],
};

/** The rooms of the matching, bottom up: each may import those below it. The files next to them are the job. */
const MATCHING_ROOMS = ['words', 'lexicon', 'reading', 'judging'];

type Rule = { from: RegExp; isForbidden: (to: string, from: string) => boolean; reason: string };

// Paths are relative to the project; npm packages keep their names.
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
    from: /^worker\/.*-rules\.ts$/,
    isForbidden: (to) => /^worker\/(db\/client\.ts|.*(routes|store)\.ts)$/.test(to),
    reason: 'rules are pure: they know neither the database nor the routes',
  },
  {
    from: /^worker\/(?!app\.ts)/,
    isForbidden: (to) => /^worker\/.*routes\.ts$/.test(to),
    reason: 'the routes are mounted by worker/app.ts alone',
  },
  {
    from: new RegExp(`^worker/(env\\.ts|(${GROUND.join('|')})/)`),
    isForbidden: (to) => isWorkerNoun(to) || isTop(to),
    reason: 'the ground knows no noun',
  },
  {
    from: new RegExp(`^worker/(${GROUND.join('|')})/`),
    isForbidden: (to, from) => to.startsWith('durable/') || isGroundAbove(to, from),
    reason: `the ground takes from below alone: ${GROUND.join(' ← ')}`,
  },
  {
    from: /^durable\//,
    isForbidden: (to) => isWorkerNoun(to) || isTop(to) || /^worker\/(db|http)\//.test(to),
    reason: 'an object knows no noun and no database: worker/user-channel.ts gives it what it asks',
  },
  {
    from: /^(worker|durable)\//,
    isForbidden: (to, from) => isWorkerNoun(to) && roomOf(to) !== roomOf(from) && !/(\/index|routes)\.ts$/.test(to),
    reason: "a noun's one door for others is its index.ts",
  },
  {
    from: /^worker\/[a-z]+\/(?!.*routes\.ts$)/,
    isForbidden: (to, from) => isWorkerNoun(to) && isWorkerNoun(from) && !mayUse(roomOf(from), roomOf(to)),
    reason: 'no such edge between nouns (NOUN_EDGES in scripts/lint/check-imports.ts)',
  },
  {
    from: new RegExp(`^worker/matching/(${MATCHING_ROOMS.join('|')})/`),
    isForbidden: (to, from) => !to.startsWith('contract/') && !isMatchingBelow(to, from),
    reason: `the matching takes from below alone: ${MATCHING_ROOMS.join(' ← ')} ← its job, and the contract`,
  },
  {
    from: /^worker\/[a-z]+\//,
    isForbidden: isTop,
    reason: 'nothing stands on the top floor',
  },
  {
    from: /^web\//,
    isForbidden: (to) => /^(worker|durable)\//.test(to),
    reason: 'the web app takes from the Worker its contract alone',
  },
  {
    from: /^web\/(ui|lib)\//,
    isForbidden: (to) => to.startsWith('web/app/') || nounOf(to) !== null,
    reason: 'what every noun shares imports no noun and not the app',
  },
  {
    from: new RegExp(`^web/(${WEB_NOUNS.join('|')})/`),
    isForbidden: (to, from) => to.startsWith('web/app/') || ![null, nounOf(from)].includes(nounOf(to)),
    reason: 'a noun does not import another noun or the app: what two need moves to web/ui or web/lib',
  },
];

function nounOf(path: string): string | null {
  const [folder, noun = ''] = path.split('/');
  return folder === 'web' && WEB_NOUNS.includes(noun) ? noun : null;
}

function roomOf(path: string): string {
  return path.split('/')[1] ?? '';
}

/** The lexicon counts as ground, too: everything that answers reasons words them from it. */
function isWorkerNoun(path: string): boolean {
  return (
    /^worker\/[a-z]+\//.test(path) &&
    !GROUND.includes(roomOf(path)) &&
    !/^worker\/matching\/(words|lexicon)\//.test(path)
  );
}

function isTop(path: string): boolean {
  return /^worker\/(?!env\.)[a-z-]+\.ts$/.test(path);
}

function isGroundAbove(to: string, from: string): boolean {
  return to.startsWith('worker/') && GROUND.indexOf(roomOf(to)) > GROUND.indexOf(roomOf(from));
}

/** Within a room, or in one below: reading and judging know neither the database nor other nouns. */
function isMatchingBelow(to: string, from: string): boolean {
  const [, , room = ''] = to.split('/');
  const [, , own = ''] = from.split('/');
  const isRoom = to.startsWith('worker/matching/') && MATCHING_ROOMS.includes(room);
  return isRoom && MATCHING_ROOMS.indexOf(room) <= MATCHING_ROOMS.indexOf(own);
}

function mayUse(noun: string, other: string): boolean {
  return noun === other || (NOUN_EDGES[noun]?.includes(other) ?? false);
}

/** The file's imports: the specifier of each, and the path from the project's root or the package that it means. */
function listImports(from: string, source: string): { specifier: string; to: string }[] {
  const specifiers = [...source.replace(COMMENT, '').matchAll(IMPORT)].map(([, specifier = '']) => specifier);
  return specifiers.map((specifier) => ({ specifier, to: resolveImport(from, specifier) }));
}

/** The file's forbidden imports, one line each. */
export function findForbiddenImports(from: string, source: string): string[] {
  return listImports(from, source).flatMap(({ specifier, to }) => {
    if (/(^|\/)\.\.\//.test(specifier))
      return [`${from} imports ${specifier}: no import climbs, a room is named from the top.`];
    return RULES.filter((rule) => rule.from.test(from) && rule.isForbidden(to, from)).map(
      (rule) => `${from} imports ${specifier}: ${rule.reason}.`,
    );
  });
}

function resolveImport(from: string, specifier: string): string {
  if (specifier.startsWith('#')) return specifier.slice(1);
  return specifier.startsWith('.') ? join(dirname(from), specifier) : specifier;
}

/** The paths of all sources, and what is in them. */
function readSources(): [path: string, source: string][] {
  const paths = globSync(SOURCES, { cwd: PROJECT_ROOT }).map((file) => file.replaceAll('\\', '/'));
  return paths.map((path) => [path, readFileSync(join(PROJECT_ROOT, path), 'utf8')]);
}

if (isMain(import.meta)) {
  const files = readSources();
  const problems = files.flatMap(([path, source]) => findForbiddenImports(path, source));
  for (const problem of problems) console.error(problem);
  console.log(`Checked the imports of ${files.length} files: ${problems.length} run the wrong way.`);
  process.exitCode = problems.length > 0 ? 1 : 0;
}
