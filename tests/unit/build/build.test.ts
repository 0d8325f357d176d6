import { globSync, readFileSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path/posix';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { POST_KINDS } from '#contract/kinds.ts';
import { LANGUAGES } from '#contract/language.ts';
import { PREVIEW_HEIGHT, PREVIEW_STATES, PREVIEW_WIDTH } from '#contract/links.ts';
import { chunkGroups } from '#scripts/build/chunk-groups.ts';
import { drawPreview, type PreviewTexts, writeLine } from '#scripts/build/preview-pictures.ts';
import { isMain, PROJECT_ROOT } from '#scripts/command/command.ts';
import { checkPublicAddresses } from '#scripts/wrangler/run-wrangler.ts';

/** Returns the name of the module's chunk, or null. As in the bundler, the group with the highest priority decides. */
function chunkOf(path: string, isLate = false): string | null {
  const bundle = { getModuleInfo: () => ({ dynamicImporters: isLate ? ['/home/x/patikana/web/app/app.tsx'] : [] }) };
  const groups = chunkGroups().sort((one, other) => other.priority - one.priority);
  const names = groups.map(({ name }) => name(`/home/x/patikana/${path}`, bundle));
  return names.find((name) => name !== null) ?? null;
}

test.each([
  ['web/app/router.tsx', 'app'],
  ['node_modules/react-dom/cjs/react-dom.js', 'app'],
  ['node_modules/@tanstack/query-core/build/query.js', 'data'],
  ['web/posts/post/post-card.tsx', 'posts'],
  ['web/posts/form/post-form.tsx', null],
  ['web/app/styles.css', null],
])('the shared chunk for the module %s is %s (null means no shared chunk)', (path, chunk) =>
  expect(chunkOf(path)).toBe(chunk),
);

test.each(['web/app/errands.tsx', 'web/home/home-screen.tsx', 'web/posts/post/report-dialog.tsx'])(
  'the module %s, which is loaded lazily, is in no shared chunk',
  (path) => expect(chunkOf(path, true)).toBeNull(),
);

test('the build fails if the configuration of a shared chunk names a missing folder', () => {
  expect(() => chunkGroups({ app: ['web/app', 'web/rooter'] })).toThrow('web/rooter');
  expect(() => chunkGroups({ app: ['node_modules/no-such-package'] })).toThrow('no-such-package');
});

/** A module: its static imports, the text namespaces that it uses, and those that its dynamic imports load. */
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

/** The text namespaces that a module and its static imports use. */
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

test('the code that every screen loads uses only texts of the namespace “common”, which is loaded first', () => {
  expect(sorted(usedWith('web/main.tsx'))).toEqual([]);
});

test('web/app/screens.ts lists for each screen exactly the text namespaces that its code and its title use', () => {
  const table = readFileSync(join(PROJECT_ROOT, 'web/app/screens.ts'), 'utf8');
  const screens = [...table.matchAll(SCREEN)];
  expect(screens).toHaveLength(table.split("import('#").length - 1);
  for (const [, file = '', texts, ofTitle = ''] of screens)
    expect([file, sorted(wordsIn(texts))]).toEqual([file, sorted([...usedWith(file), ofTitle])]);
});

test.each(lateParts)(
  'the lazy import of $part by $from also loads the texts that $part needs',
  ({ from, part, texts }) => {
    const here = usedWith(from);
    expect(sorted(texts)).toEqual(sorted(usedWith(part).filter((namespace) => !here.includes(namespace))));
  },
);

const SET = {
  VITE_SUPPORT_ADDRESS: 'help@patikana.test',
  VITE_SOCIAL_PROFILE_URL: 'https://social.test/patikana',
  VITE_OWNER_POSTAL_ADDRESS: 'P.O. Box 1\nDodoma',
};

test('a deployment with all public contact addresses set gets no warning', () => {
  expect(checkPublicAddresses(SET)).toEqual([]);
});

test('a deployment gets a warning for each public contact address that is missing or empty', () => {
  const { VITE_SOCIAL_PROFILE_URL: _unset, ...rest } = SET;
  expect(checkPublicAddresses({ ...rest, VITE_OWNER_POSTAL_ADDRESS: '' })).toEqual([
    expect.stringMatching(/^VITE_SOCIAL_PROFILE_URL is not set/),
    expect.stringMatching(/^VITE_OWNER_POSTAL_ADDRESS is not set/),
  ]);
});

test('a deployment whose contact address is only an example is refused', () => {
  const environment = { ...SET, VITE_SUPPORT_ADDRESS: 'msaada@patikana.example' };
  expect(() => checkPublicAddresses(environment)).toThrow('VITE_SUPPORT_ADDRESS is an example');
});

test('isMain recognises the script that was started, even on a Node without import.meta.main', () => {
  const started: Pick<ImportMeta, 'filename'> = { filename: realpathSync(process.argv[1] ?? '') };
  expect(isMain(started as ImportMeta)).toBe(true);
  expect(isMain(import.meta)).toBe(false);
});

describe('preview pictures', () => {
  const WEIGHT_MAX_BYTES = 100 * 1024;
  const LINE = { x: 0, y: 0, height: 14, maxWidth: 1_000, colour: '#000000', weight: 2 };

  function readTexts(language: string): PreviewTexts {
    return JSON.parse(
      readFileSync(join(PROJECT_ROOT, `locales/${language}/outside/previews.json`), 'utf8'),
    ) as PreviewTexts;
  }

  test.each(LANGUAGES)(
    'in the language %s each kind and state of a post has its own preview picture of less than 100 KiB',
    async (language) => {
      const pictures = new Set<string>();
      for (const kind of POST_KINDS) {
        for (const state of PREVIEW_STATES) {
          const picture = await drawPreview(readTexts(language), kind, state);
          const { format, width, height } = await sharp(picture).metadata();
          expect([format, width, height]).toEqual(['jpeg', PREVIEW_WIDTH, PREVIEW_HEIGHT]);
          expect(picture.length).toBeLessThan(WEIGHT_MAX_BYTES);
          pictures.add(picture.toString('base64'));
        }
      }
      expect(pictures.size).toBe(POST_KINDS.length * PREVIEW_STATES.length);
    },
  );

  test.each(LANGUAGES)('our font has every letter that the preview pictures in the language %s need', (language) => {
    const texts = Object.values(readTexts(language)).flatMap((group) => Object.values(group));
    for (const text of texts) {
      expect(writeLine(text, LINE).match(/<path/g), text).toHaveLength(text.replaceAll(' ', '').length);
    }
  });

  test('in a preview picture a line that is too wide is made smaller, and a character that our font lacks is omitted', () => {
    const scaleOf = (text: string, maxWidth: number) =>
      Number(/scale\(([\d.]+)\)/.exec(writeLine(text, { ...LINE, maxWidth }))?.[1]);
    expect(scaleOf('MMMM', 1_000)).toBe(1);
    expect(scaleOf('MMMM', 30)).toBeLessThan(0.6);
    expect(writeLine('Pérdu <', LINE).match(/<path/g)).toHaveLength(5);
  });
});
