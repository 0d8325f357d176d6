import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path/posix';
import { PROJECT_ROOT } from './project-root.ts';

const SOURCES = '{contract,worker,durable,web,tests,scripts}/**/*.{ts,tsx}';
const IMPORT = /\b(?:from|import|import\()\s*['"]([^'"]+)['"]/g;
const COMMENT = /^\s*(?:\/\/|\*|\/\*).*$/gm;
const NOUNS = ['home', 'accounts', 'recovery', 'posts', 'communities', 'notices', 'admin'];

type Rule = { from: RegExp; isForbidden: (to: string, from: string) => boolean; reason: string };

// Paths are those of the project; what comes from npm keeps its name.
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
    from: /^web\//,
    isForbidden: (to) => /^(worker|durable)\//.test(to),
    reason: 'the web app takes from the Worker its contract alone',
  },
  {
    from: /^web\/(ui|lib|locales)\//,
    isForbidden: (to) => to.startsWith('web/app/') || nounOf(to) !== null,
    reason: 'what every noun shares imports no noun and not the app',
  },
  {
    from: new RegExp(`^web/(${NOUNS.join('|')})/`),
    isForbidden: (to, from) => to.startsWith('web/app/') || ![null, nounOf(from)].includes(nounOf(to)),
    reason: 'a noun does not import another noun or the app: what two need moves to web/ui or web/lib',
  },
];

function nounOf(path: string): string | null {
  const [folder, noun = ''] = path.split('/');
  return folder === 'web' && NOUNS.includes(noun) ? noun : null;
}

/** Every import of the file that runs the wrong way, each as one line. */
export function findForbiddenImports(from: string, source: string): string[] {
  const imports = [...source.replace(COMMENT, '').matchAll(IMPORT)].map(([, specifier = '']) => specifier);
  return imports.flatMap((specifier) => {
    const to = resolveImport(from, specifier);
    return RULES.filter((rule) => rule.from.test(from) && rule.isForbidden(to, from)).map(
      (rule) => `${from} imports ${specifier}: ${rule.reason}.`,
    );
  });
}

function resolveImport(from: string, specifier: string): string {
  if (specifier.startsWith('#')) return specifier.slice(1);
  return specifier.startsWith('.') ? join(dirname(from), specifier) : specifier;
}

if (import.meta.main) {
  const files = globSync(SOURCES, { cwd: PROJECT_ROOT }).map((file) => file.replaceAll('\\', '/'));
  const problems = files.flatMap((file) => findForbiddenImports(file, readFileSync(join(PROJECT_ROOT, file), 'utf8')));
  for (const problem of problems) console.error(problem);
  console.log(`Checked the imports of ${files.length} files: ${problems.length} run the wrong way.`);
  process.exitCode = problems.length > 0 ? 1 : 0;
}
