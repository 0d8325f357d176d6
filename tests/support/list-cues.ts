/** Texts that match a part of an expression, and texts that lead to its repetitions. */
type Reading = { samples: string[]; cues: string[] };

/** Characters tried for a class or an escape. */
const CANDIDATES = [...' 1aA.-,:/@#°×’(\n\t*€é'];
/** From a longer list of plain words the first ones suffice, because all lead to the same part. */
const WORDS_MAX = 12;

/**
 * Lists the texts that lead an expression to each of its quantified parts, such as "last", "last four" and "last four
 * digits", and those that it matches, with every alternative at least once. Assertions and back references count as
 * empty.
 */
export function listCues({ source, flags }: RegExp): string[] {
  let at = 0;

  function read(pattern: RegExp): string {
    const [text = ''] = new RegExp(pattern.source, 'sy').exec(source.slice(at)) ?? [];
    at += text.length;
    return text;
  }

  function readAlternatives(): Reading {
    const alternatives = [readSequence()];
    while (read(/\|/) !== '') alternatives.push(readSequence());
    const arePlain = alternatives.every(({ samples, cues }) => samples.length === 1 && cues.length === 0);
    const some = arePlain ? alternatives.slice(0, WORDS_MAX) : alternatives;
    return { samples: some.flatMap(({ samples }) => samples), cues: some.flatMap(({ cues }) => cues) };
  }

  /** The parts before the last one are represented by their first samples. */
  function readSequence(): Reading {
    let samples = [''];
    const cues: string[] = [];
    while (at < source.length && !/[|)]/.test(source[at] ?? '')) {
      const atom = readAtom();
      const quantifier = read(/(?:[*+?]|\{\d+(?:,\d*)?\})\??/);
      const count = Math.max(1, Number(/\d+/.exec(quantifier)?.[0] ?? 1));
      const [first = '', ...others] = atom.samples.map((sample) => sample.repeat(count));
      const [start = ''] = samples;
      if (quantifier !== '') cues.push(...samples);
      cues.push(...atom.cues.map((cue) => start + cue));
      const isOptional = /^(?:[*?]|\{0)/.test(quantifier);
      const varied = isOptional ? [first, ...others] : others;
      samples = [
        ...samples.map((sample) => sample + (isOptional ? '' : first)),
        ...varied.map((sample) => start + sample),
      ];
    }
    return { samples: [...new Set(samples)], cues: [...new Set(cues)] };
  }

  function readAtom(): Reading {
    if (read(/\^|\$|\\[bB]|\\k<[^>]*>/) !== '') return { samples: [''], cues: [] };
    const opening = read(/\((?:\?(?:<?[=!]|:|<[^>]*>))?/);
    if (opening === '')
      return { samples: [sampleOf(read(/\[(?:\\.|[^\]])*\]|\\[pP]\{[^}]*\}|\\u[\da-f]{4}|\\.|./))], cues: [] };
    const inside = readAlternatives();
    read(/\)/);
    return /[=!]$/.test(opening) ? { ...inside, samples: [''] } : inside;
  }

  function sampleOf(atom: string): string {
    if (/^[\w ]$/.test(atom)) return atom;
    const one = new RegExp(`^${atom}$`, flags.replace(/[gy]/g, ''));
    return CANDIDATES.find((sign) => one.test(sign)) ?? '';
  }

  const { samples, cues } = readAlternatives();
  return [...new Set(['', ...cues, ...samples])];
}
