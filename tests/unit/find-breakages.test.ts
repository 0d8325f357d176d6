import { expect, test } from 'vitest';
import { findBreakages } from '#tests/bench/mutants/find-breakages.ts';

/** What becomes of the source, breakage by breakage. */
function breakEach(source: string, path = 'worker/x.ts'): string[] {
  return findBreakages(path, source).map(
    ({ start, end, replacement }) => source.slice(0, start) + replacement + source.slice(end),
  );
}

test.each<[source: string, broken: string[]]>([
  ['if (a) b();', ['if (!(a)) b();', 'if (a) ;']],
  ['x = a < b ? c : d;', [';', 'x = !(a < b) ? c : d;', 'x = a <= b ? c : d;']],
  ['x = a && b;', [';', 'x = a || b;']],
  ['x = a ?? b;', [';', 'x = b;']],
  ['const x = 30;', ['const x = 60;']],
  ['const x = 0;', ['const x = 1;']],
  ['const x = true;', ['const x = false;']],
  ["const x = 'simu';", ["const x = '';"]],
  ['const x = [a, b];', ['const x = [b];', 'const x = [a];']],
  ['const x = { a, ...b };', ['const x = { ...b };', 'const x = { a };']],
  ['const x = a.trim();', ['const x = a;']],
  ['const x = f(a, b);', ['const x = f(a);']],
  ['function f() { a; b; }', ['function f() { return; a; b; }']],
])('%s is broken in every way that it can be', (source, broken) => {
  expect(breakEach(source)).toEqual(broken);
});

test('the words of SQL are broken, and not the values that are bound to it', () => {
  // biome-ignore lint/suspicious/noTemplateCurlyInString: this is source code
  const source = 'const q = sql`where a = ${and} and b is null`;';
  expect(breakEach(source)).toEqual([
    // biome-ignore lint/suspicious/noTemplateCurlyInString: this is source code
    'const q = sql`where a = ${and} or b is null`;',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: this is source code
    'const q = sql`where a = ${and} and b is not null`;',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: this is source code
    'const q = sql`where a <> ${and} and b is null`;',
  ]);
});

test('what nobody reads but the compiler, who reads the logs, and the eye is left alone', () => {
  const spared = `
    import a from 'b';
    type T = 'c' | 1;
    const d = e as 'f';
    log.warn('g', { h: 1 });
    log[i]('j');
  `;
  expect(breakEach(spared)).toEqual([]);
  const screen = 'const x = <b className="p-4" icon="pin" role="alert">{a}</b>;';
  expect(breakEach(screen, 'web/x.tsx')).toEqual([
    'const x = <b className="p-4" icon="pin" >{a}</b>;',
    `const x = <b className="p-4" icon="pin" role=''>{a}</b>;`,
  ]);
});
