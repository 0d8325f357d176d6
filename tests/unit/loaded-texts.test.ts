import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path/posix';
import { expect, test } from 'vitest';
import { PROJECT_ROOT } from '#scripts/command/project-root.ts';

/** What a module imports at once and later, the namespaces that it uses, and those that it loads with what comes later. */
type Module = { imports: string[]; late: Map<string, string[]>; uses: string[] };

const STATIC = /^(?:import|export)\s(?!type\b)[^;]*?from '([^']+)';|^import '([^']+)';/gm;
const LATE = /(?<!typeof )import\('([^']+)'\)(?:\)\.\w+,\s*((?:'\w+'(?:,\s*)?)+)\))?/g;
const SCREEN = /import\('#([^']+)'\).*?texts: \[([^\]]*)\].*?title: '(\w+):/gs;
const USES = [/useTranslation\(([^)]*)\)/g, /\bi18next\.t\(['`](\w+):/g, /getFixedT\(\w+, ('\w+')\)/g];

const modules = new Map(globSync('web/**/*.{ts,tsx}', { cwd: PROJECT_ROOT }).map((path) => [path, readModule(path)]));

function readModule(path: string): Module {
  const code = readFileSync(join(PROJECT_ROOT, path), 'utf8');
  const resolve = (name = '') => (name.startsWith('#') ? name.slice(1) : join(dirname(path), name));
  const loadsItself = wordsIn(code.match(/await loadTexts\(([^)]*)\)/)?.[1]);
  return {
    imports: [...code.matchAll(STATIC)].map(([, from, bare]) => resolve(from ?? bare)),
    late: new Map([...code.matchAll(LATE)].map(([, to, texts]) => [resolve(to), wordsIn(texts)])),
    uses: USES.flatMap((use) => [...code.matchAll(use)].flatMap(([, names]) => wordsIn(names))).filter(
      (namespace) => !loadsItself.includes(namespace),
    ),
  };
}

function wordsIn(list = ''): string[] {
  return list.match(/\w+/g) ?? [];
}

/** The namespaces of everything that comes at once with a module. */
function usedWith(path: string, seen = new Set<string>()): string[] {
  const module = modules.get(path);
  if (!module || seen.has(path)) return [];
  seen.add(path);
  return [...module.uses, ...module.imports.flatMap((one) => usedWith(one, seen))];
}

function sorted(namespaces: readonly string[]): string[] {
  return [...new Set(namespaces)].filter((namespace) => namespace !== 'common').sort();
}

const lateParts = [...modules]
  .filter(([path]) => !/^web\/app\/(screens|prerender)\./.test(path))
  .flatMap(([from, { late }]) => [...late].map(([part, texts]) => ({ from, part, texts })));

test('the frame of the app uses the texts of common alone, which are loaded before it', () => {
  expect(sorted(usedWith('web/main.tsx'))).toEqual([]);
});

test('the table of screens names for each screen the texts that its code and its title use', () => {
  const table = readFileSync(join(PROJECT_ROOT, 'web/app/screens.ts'), 'utf8');
  const screens = [...table.matchAll(SCREEN)];
  expect(screens).toHaveLength(modules.get('web/app/screens.ts')?.late.size ?? 0);
  for (const [, file = '', texts, ofTitle = ''] of screens)
    expect([file, sorted(wordsIn(texts))]).toEqual([file, sorted([...usedWith(file), ofTitle])]);
});

test.each(lateParts)('$from loads with $part the texts that it uses', ({ from, part, texts }) => {
  const here = usedWith(from);
  expect(sorted(texts)).toEqual(sorted(usedWith(part).filter((namespace) => !here.includes(namespace))));
});
