import { readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { compile, optimize } from '@tailwindcss/node';
import { LANGUAGES } from '#contract/language.ts';

const READERS_LANGUAGE = LANGUAGES.map((language) => `html[lang=${language}] [data-prerendered=${language}]`);

/** Only for prerendered pages: shows one of the languages, and the screen only at its own address. */
const PRERENDERED = `
#root:empty,[data-prerendered]{display:none}
${READERS_LANGUAGE.join(',')}{display:flex;min-height:100dvh;flex-direction:column}
html:not([data-page]) [data-prerendered] main{visibility:hidden;max-height:0;overflow:hidden}
html:not([data-page]) [data-prerendered] [aria-current]{background:none;color:inherit}
html[data-signed-in] [data-prerendered] nav{visibility:hidden}
`;

/** The app's style sheet, reduced to the classes in this markup. */
export async function compileCriticalCss(styleSheet: string, markup: string): Promise<string> {
  const source = await readFile(styleSheet, 'utf8');
  const compiler = await compile(source, { base: dirname(styleSheet), onDependency: () => undefined });
  const classes = new Set(
    [...markup.matchAll(/class="([^"]*)"/g)].flatMap(([, names = '']) => decode(names).split(/\s+/)),
  );
  return optimize(compiler.build([...classes]) + PRERENDERED, { minify: true }).code.trim();
}

function decode(attribute: string): string {
  return attribute.replaceAll('&amp;', '&').replaceAll('&#x27;', "'").replaceAll('&quot;', '"').replaceAll('&gt;', '>');
}
