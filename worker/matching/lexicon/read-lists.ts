import { adjectiveStem, singularForms, verbStem } from '#worker/matching/words/morphology.ts';
import { foldText, isConnective, phraseShapes } from '#worker/matching/words/tokens.ts';
import {
  type Attribute,
  addPhrases,
  CONCEPT_CLASSES,
  type Concept,
  type ConceptClass,
  type Labels,
  type PhraseTree,
  PLAIN_THING,
  type Sense,
  type SenseKind,
  sensesAt,
  type Thing,
} from './lexicon-types.ts';

/** One line of a list: `id < parent | a, b | c, d`. The caller of `parseEntries` names the columns. */
export type LexiconEntry<Column extends string> = {
  id: string;
  parent: string | null;
  columns: Record<Column, string[]>;
};

type LexiconSection = { name: string; lines: string[] };

/** Returns the lines of a list without empty lines and `#` comments. */
export function contentLines(text: string): string[] {
  return text.split('\n').flatMap((raw) => {
    const hash = raw.indexOf('#');
    const content = (hash < 0 ? raw : raw.slice(0, hash)).trim();
    return content === '' ? [] : [content];
  });
}

/** Parses one entry a line. `names` are the columns in order; a missing column is empty. */
export function parseEntries<Column extends string>(lines: string[], names: readonly Column[]): LexiconEntry<Column>[] {
  return lines.map((line) => {
    const [head = '', ...cells] = line.split('|');
    const [id = '', parent = ''] = head.split('<').map((part) => part.trim());
    const columns = Object.fromEntries(names.map((name, at) => [name, splitWords(cells[at] ?? '')]));
    return { id, parent: parent === '' ? null : parent, columns: columns as Record<Column, string[]> };
  });
}

/** Parses a list with `[name]` headings; each section has the lines up to the next heading. */
export function parseSections(text: string): LexiconSection[] {
  const sections: LexiconSection[] = [];
  for (const line of contentLines(text)) {
    if (line.startsWith('[')) sections.push({ name: line.slice(1, line.indexOf(']')).trim(), lines: [] });
    else sections.at(-1)?.lines.push(line);
  }
  return sections;
}

export function splitWords(column: string): string[] {
  return column
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '');
}

/** The entries of all lists but the glossary. The glossary adds words to an entry, but never alters what it means. */
type Known = {
  tree: PhraseTree;
  things: Map<string, Thing>;
  attributes: Map<string, Attribute>;
  names: ReadonlyMap<string, string>;
};

type Form = { text: string; lang: 'en' | 'sw'; isFirst: boolean; senses: readonly Sense[]; isInflected: boolean };

type Line = { class: string; forms: Form[]; labels: Labels };

/** Glossary classes that name things. `SIDE_THINGS` are rarely the lost thing if the post also names another thing. */
const THINGS = ['thing', 'animal', 'part', 'food', 'plant'];
const SIDE_THINGS = ['part', 'food', 'plant'];
const QUALITIES = ['quality', 'material'];
export const GLOSSARY_CLASSES: readonly string[] = [...THINGS, ...QUALITIES, ...CONCEPT_CLASSES];
/** The fewest known words of a glossary line that can decide the line's meaning if the first English word cannot. */
const FEWEST_VOTES = 2;
/** Fewest letters of a Swahili infinitive, with its prefix ku-. */
const SHORTEST_INFINITIVE = 5;
const PREFIX = 'g:';

/**
 * Reads the glossary, one concept a line: `english, … | kiswahili, … | class`. The other lists (`known`) may already
 * contain some words of a line. If these known words agree on one thing or quality (`agreed`), the line's other words
 * are added to that entry. Any other line becomes a new thing, quality or concept.
 */
export function readGlossary(text: string, known: Known): Map<string, Concept> {
  const concepts = new Map<string, Concept>();
  for (const content of contentLines(text)) {
    const line = parseLine(content, known);
    if (line === null) continue;
    if (THINGS.includes(line.class)) addThing(line, known);
    else if (QUALITIES.includes(line.class)) addQuality(line, known);
    else if (isConceptClass(line.class)) addConcept(line, line.class, known, concepts);
  }
  return concepts;
}

function isConceptClass(name: string): name is ConceptClass {
  return (CONCEPT_CLASSES as readonly string[]).includes(name);
}

function parseLine(content: string, known: Known): Line | null {
  const [english = '', swahili = '', name = ''] = content.split('|').map((column) => column.trim());
  const [en, sw] = [splitWords(english), splitWords(swahili)];
  const forms = [
    ...en.map((text, at) => toForm({ text: text.replace(/^to /, ''), lang: 'en', isFirst: at === 0 }, known)),
    ...sw.map((text, at) => toForm({ text: asStem(text, name), lang: 'sw', isFirst: at === 0 }, known)),
  ].filter((form) => isFree(form, known));
  const labels = { en: en[0] ?? '', sw: (sw.find((word) => !word.startsWith('-')) ?? sw[0] ?? '').replace(/^-/, '') };
  return forms.length === 0 ? null : { class: name, forms, labels };
}

/**
 * Returns the stem of a Swahili infinitive: `*chanika` for kuchanika. The stem also finds imechanika and limechanika.
 * Returns any other word unchanged.
 */
function asStem(text: string, name: string): string {
  const isVerb = (name === 'action' || name === 'quality') && /^ku[a-z]+$/.test(text);
  return isVerb && text.length >= SHORTEST_INFINITIVE ? `*${text.slice(2)}` : text;
}

function toForm(form: Pick<Form, 'text' | 'lang' | 'isFirst'>, { tree }: Known): Form {
  const { text, lang } = form;
  const [shape = []] = phraseShapes(text, lang);
  const senses = sensesAt(tree, shape);
  const isInflected = senses.length === 0 && shape.length === 1;
  return { ...form, senses: isInflected ? inflectedSenses(text, tree) : senses, isInflected };
}

/** Returns an inflected word's meanings by its stem: -eupe for mweupe, *chanika for imechanika, strap for straps. */
function inflectedSenses(word: string, tree: PhraseTree): readonly Sense[] {
  const known = { has: (stem: string) => tree.vocabulary.has(stem) };
  const stems = [adjectiveStem(word, known), verbStem(word, known), ...singularForms(word)];
  return stems.flatMap((stem) => (stem === null ? [] : [...sensesAt(tree, [stem])]));
}

/**
 * Whether the glossary may give the word another meaning. The glossary may not if the lists contain the word as a
 * grammatical word, a number, a person's name, a brand or a model series.
 */
function isFree({ text, senses }: Form, { names }: Known): boolean {
  if (senses.some(({ kind }) => ['word', 'number', 'brand', 'series'].includes(kind))) return false;
  return foldText(text)
    .split(' ')
    .every((word) => !names.has(word));
}

/**
 * Returns the entry of another list that a glossary line is about: the only meaning of the line's first English word.
 * If this word has no meaning or several, returns the meaning that all known words of the line share, provided that at
 * least `FEWEST_VOTES` words are known.
 */
function agreed({ forms }: Line, kinds: SenseKind[]): string | null {
  const idsOf = (form: Form): string[] => form.senses.filter(({ kind }) => kinds.includes(kind)).map(({ id }) => id);
  const [first] = forms;
  const [named, ...others] = first?.lang === 'en' ? new Set(idsOf(first)) : [];
  if (named !== undefined && others.length === 0) return named;
  const votes = forms.flatMap((form) => [...new Set(idsOf(form))]);
  const [voted] = votes;
  return votes.length >= FEWEST_VOTES && votes.every((id) => id === voted) ? (voted ?? null) : null;
}

function addThing(line: Line, known: Known): void {
  const id = agreed(line, ['thing']) ?? newThing(line, known);
  addForms(line, { kind: 'thing', id }, known);
}

function newThing({ class: name, forms, labels }: Line, { things, tree }: Known): string {
  const id = `${PREFIX}${labels.en}`;
  const near = new Set(
    forms.flatMap(({ senses }) => senses.filter(({ kind }) => kind === 'thing').map((one) => one.id)),
  );
  const earlier = things.get(id);
  if (earlier !== undefined) return id;
  things.set(id, {
    ...PLAIN_THING,
    id,
    parent: name === 'thing' ? widerThing(labels, tree, things) : null,
    labels,
    near,
    isAnimal: name === 'animal',
    isContext: SIDE_THINGS.includes(name),
    isOfGlossary: true,
  });
  return id;
}

/**
 * Returns the thing of another list that both names of a glossary line, English and Swahili, contain: a "silver chain",
 * "mkufu wa fedha", is a chain (mkufu).
 */
function widerThing({ en, sw }: Labels, tree: PhraseTree, things: ReadonlyMap<string, Thing>): string | null {
  const listed = (shape: string[]): string[] =>
    sensesAt(tree, shape)
      .filter(({ kind }) => kind === 'thing')
      .flatMap(({ id }) => (things.get(id)?.isOfGlossary || things.get(id)?.isContext ? [] : [id]));
  const heads = (shape: string[], isFirst: boolean): string[] => {
    const parts = shape.slice(1).map((_, at) => (isFirst ? shape.slice(0, -at - 1) : shape.slice(at + 1)));
    return parts.map(listed).find(({ length }) => length > 0) ?? [];
  };
  const [english = []] = phraseShapes(en, 'en');
  const [swahili = []] = phraseShapes(sw, 'sw');
  const named = heads(english, english.some(isConnective));
  const [wider, ...others] = heads(swahili, true).filter((id) => named.includes(id));
  return others.length === 0 ? (wider ?? null) : null;
}

function addQuality(line: Line, known: Known): void {
  const colour = agreed(line, ['colour']);
  if (colour !== null) {
    addForms(line, { kind: 'colour', id: colour }, known);
    return;
  }
  const id = agreed(line, ['attribute']) ?? `${PREFIX}${line.labels.en}`;
  if (!known.attributes.has(id))
    known.attributes.set(id, { id, group: 'glossary', isExclusive: false, labels: line.labels });
  addForms(line, { kind: 'attribute', id }, known);
}

function addConcept(line: Line, name: ConceptClass, known: Known, concepts: Map<string, Concept>): void {
  const id = `${PREFIX}${line.labels.en}`;
  if (!concepts.has(id)) concepts.set(id, { id, class: name, labels: line.labels });
  addForms(line, { kind: 'concept', id }, known);
}

/**
 * Adds the words of a glossary line that the lists do not contain yet. If the lists contain the line's first English
 * or first Swahili word as another thing, the word gets both meanings: "ndege" is a bird and an aircraft. The words
 * also mean the line's concept, so that posts with two different words of one line share a concept.
 */
function addForms({ forms, labels }: Line, { kind, id }: { kind: SenseKind; id: string }, { tree }: Known): void {
  for (const { text, lang, isFirst, senses, isInflected } of forms) {
    const isSecondThing = kind === 'thing' && isFirst && senses.every((sense) => sense.kind === 'thing');
    if (senses.length === 0 || isSecondThing) addPhrases(tree, [text], { kind, id, lang });
    // An entry for the inflected word would hide the entry of its stem.
    if (!isInflected || senses.length === 0)
      addPhrases(tree, [text], { kind: 'concept', id: `${PREFIX}${labels.en}`, lang });
  }
}
