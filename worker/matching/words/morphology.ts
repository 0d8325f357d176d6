/** English plural endings, and the fewest letters that the rest of the word must have: "as" is no plural. */
const PLURALS = [
  { ending: 's', singular: '', shortestStem: 3 },
  { ending: 'es', singular: '', shortestStem: 3 },
  { ending: 'ies', singular: 'y', shortestStem: 2 },
  { ending: 'ves', singular: 'f', shortestStem: 2 },
  { ending: 'ves', singular: 'fe', shortestStem: 2 },
] as const;

/** Returns the singular forms that a written English word may be a plural of. */
export function singularForms(word: string): string[] {
  return PLURALS.flatMap(({ ending, singular, shortestStem }) => {
    const stem = word.slice(0, -ending.length);
    const isPlural = word.endsWith(ending) && !word.endsWith('ss') && stem.length >= shortestStem;
    return isPlural ? [stem + singular] : [];
  });
}

/** Pairs of Swahili noun prefixes. A noun that is written with the first prefix may have the second in the lexicon. */
const NOUN_PREFIXES: ReadonlyArray<readonly [written: string, dictionary: string]> = [
  ['vi', 'ki'],
  ['ki', 'vi'],
  ['vy', 'ch'],
  ['ch', 'vy'],
  ['mi', 'm'],
  ['m', 'mi'],
  ['wa', 'm'],
  ['ma', ''],
  ['', 'ma'],
  ['me', 'ji'],
  ['ma', 'ji'],
  ['ma', 'u'],
  ['ny', 'w'],
  ['ny', ''],
  ['', 'u'],
  ['u', ''],
  ['kiji', ''],
  ['viji', ''],
  ['ji', ''],
  ['ki', ''],
  ['vi', ''],
  ['ka', ''],
  ['tu', ''],
];

/** Fewest letters of a Swahili noun, of its stem and of a verb stem. Shorter forms are only prefixes. */
const SHORTEST_NOUN = 3;
const SHORTEST_NOUN_STEM = 2;
const SHORTEST_VERB_STEM = 3;
const LONGEST_ADJECTIVE_PREFIX = 2;
const LONGEST_VERB_PREFIX = 10;
/**
 * The ending of "nyumbani" (at home). It is removed from words of at least SHORTEST_LOCATIVE letters: in many shorter
 * words "ni" is no ending.
 */
const LOCATIVE = 'ni';
const SHORTEST_LOCATIVE = 7;

/** Endings of passive, applied and causative verbs, each with the ending of the plain verb. */
const DERIVED: ReadonlyArray<readonly [derived: string, plain: string]> = [
  ['liwa', 'a'],
  ['lewa', 'a'],
  ['iwa', 'a'],
  ['ewa', 'a'],
  ['wa', 'a'],
  ['ia', 'a'],
  ['ea', 'a'],
  ['isha', 'a'],
  ['esha', 'a'],
];

const POSSESSIVES = ['angu', 'ako', 'ake', 'etu', 'enu', 'ao'];
const CONCORDS = ['y', 'l', 'ch', 'z', 'w', 'vy', 'kw'];
const JOINED_POSSESSIVE = new RegExp(`(?:${CONCORDS.join('|')})(?:${POSSESSIVES.join('|')})$`);

const ADJECTIVE_PREFIX = /^(?:m|mw|w|wa|mi|my|m|ki|ch|vi|vy|ji|j|ma|me|n|ny|u|ku|kw|pa|p|ka|k|tu|l|li|z|i)?$/;
const VERB_PREFIX =
  /^(?:ha|h|si)?(?:ni|n|u|a|tu|m|mu|wa|w|i|zi|z|li|l|ya|y|ki|vi|ka|ku|pa|aliye|atakaye)?(?:mesha|me|m|li|na|ta|ja|ka|ki|lio|liyo|lilo|lizo|liye|liko|taka|taye|takaye|naye|nayo|nge)?(?:ni|ku|mu|m|wa|i|zi|li|ya|ki|vi|u|ji)?$/;

/** Returns the dictionary forms that a written Swahili noun may be an inflection of. */
export function nounForms(word: string): string[] {
  const forms = new Set<string>();
  const bare = word.replace(JOINED_POSSESSIVE, '');
  for (const form of [word, bare, withoutLocative(word)]) {
    if (form.length >= SHORTEST_NOUN && form !== word) forms.add(form);
    for (const [written, dictionary] of NOUN_PREFIXES) {
      if (!form.startsWith(written)) continue;
      const stem = form.slice(written.length);
      if (stem.length >= SHORTEST_NOUN_STEM && dictionary.length + stem.length >= SHORTEST_NOUN) {
        forms.add(dictionary + stem);
      }
    }
  }
  return [...forms];
}

function withoutLocative(word: string): string {
  return word.length >= SHORTEST_LOCATIVE && word.endsWith(LOCATIVE) ? word.slice(0, -LOCATIVE.length) : word;
}

/** Finds the stem of an adjective among `stems`: `-eusi` (black) for nyeusi, mweusi, jeusi, cheusi. */
export function adjectiveStem(word: string, stems: Pick<ReadonlySet<string>, 'has'>): string | null {
  for (let cut = 0; cut <= LONGEST_ADJECTIVE_PREFIX; cut += 1) {
    const stem = `-${word.slice(cut)}`;
    if (stems.has(stem) && ADJECTIVE_PREFIX.test(word.slice(0, cut))) return stem;
  }
  return null;
}

/** Finds the stem of a verb among `stems`: `*potea` (get lost) for imepotea, limepotea, kilipotea, nmepotea. */
export function verbStem(word: string, stems: Pick<ReadonlySet<string>, 'has'>): string | null {
  for (let cut = 0; cut <= Math.min(LONGEST_VERB_PREFIX, word.length - SHORTEST_VERB_STEM); cut += 1) {
    if (!VERB_PREFIX.test(word.slice(0, cut))) continue;
    const stem = [word.slice(cut), ...underived(word.slice(cut))].find((form) => stems.has(`*${form}`));
    if (stem !== undefined) return `*${stem}`;
  }
  return null;
}

/** Returns the verbs that a form may be derived from: zungusha (turn) for zungushiwa, pasua (split) for pasuka. */
function underived(form: string): string[] {
  return DERIVED.flatMap(([ending, plain]) => {
    const stem = form.slice(0, -ending.length);
    return form.endsWith(ending) && stem.length >= SHORTEST_VERB_STEM ? [stem + plain] : [];
  });
}

/**
 * Which prefix of an adjective agrees with which prefix of a noun. Class n- (nyeusi) is omitted: careless writers use
 * it with every noun, so it rules no noun out.
 */
const AGREEMENT: ReadonlyArray<readonly [adjective: RegExp, noun: RegExp]> = [
  [/^(?:ki|ch)/, /^(?:ki|ch)/],
  [/^(?:vi|vy)/, /^(?:vi|vy)/],
  [/^(?:mi|my)/, /^(?:mi|my)/],
  [/^(?:ma|me(?=[ukp]))/, /^(?:ma|me)/],
  [/^we/, /^(?!ki)/],
  [/^j/, /^(?!ki|vi|vy|mi|ma)/],
  [/^mw/, /^(?:m(?!a|i)|u|w|ng|n|p|k(?!i)|b|s|f|j)/],
];

/** Whether the adjective may describe the noun. In "begi la vitabu jeusi" the bag is black: books would be "vyeusi". */
export function mayAgree(noun: string, adjective: string): boolean {
  return AGREEMENT.find(([opening]) => opening.test(adjective))?.[1].test(noun) ?? true;
}
