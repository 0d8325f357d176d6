import { DAY_MS } from '#contract/durations.ts';
import type { MatchReason } from '#contract/posts.ts';
import { isSameName } from '#worker/matching/judging/compare-names.ts';
import { isSameWord } from '#worker/matching/judging/compare-parts.ts';
import { getLexicon } from '#worker/matching/lexicon/lexicon.ts';
import type { Labels, Sense, SenseKind } from '#worker/matching/lexicon/lexicon-types.ts';
import { composeThing, isMadeBy, widerThings } from '#worker/matching/lexicon/thing-relations.ts';
import { wordReason } from '#worker/matching/lexicon/word-reasons.ts';
import { annotate, type Scope, wordAlternatives } from '#worker/matching/reading/annotate.ts';
import { readDay } from '#worker/matching/reading/read-dates.ts';
import { readIdentifiers } from '#worker/matching/reading/read-identifiers.ts';
import { placesAround } from '#worker/matching/reading/read-places.ts';
import type { MatchablePost } from '#worker/matching/reading/read-post.ts';
import { numberOf } from '#worker/matching/reading/spoken-numbers.ts';
import { foldText, isConnective, type Token, tokenise } from '#worker/matching/words/tokens.ts';
import type { JudgedPair } from './measure-matching.ts';

/** The words of a post with all their meanings, independent of how the matching reads the post. */
export type Words = { post: MatchablePost; words: string[]; meanings: Map<SenseKind, Set<string>>; amounts: number[] };

export function wordsOf(post: MatchablePost): Words {
  const [text, location] = [tokensOf(`${post.title}\n${post.description}`), tokensOf(post.location)];
  const owner = tokenise(`${post.owner_first_name} ${post.owner_last_name}`);
  const meanings = new Map<SenseKind, Set<string>>();
  for (const { kind, id } of [
    ...sensesOf(text, 'text'),
    ...sensesOf(expandChat(tokenise(`${post.title}\n${post.description}`)), 'text'),
    ...sensesOf(continued(post), 'text'),
    ...sensesOf(location, 'location'),
  ]) {
    meanings.set(kind, (meanings.get(kind) ?? new Set()).add(id));
  }
  const { amounts } = readIdentifiers(`${post.title}\n${post.description}`);
  return { post, words: [...text, ...location, ...owner].map((token) => token.text), meanings, amounts };
}

/** Joins each word of the title with a description that continues the title: "miwani" with "ya jua". */
function continued({ title, description }: MatchablePost): Token[] {
  const [next] = tokenise(description);
  if (next === undefined || !isConnective(next.text)) return [];
  return tokenise(title).flatMap((word) => tokenise(`${word.raw} ${description}`));
}

/** Returns the words of a text, and after each word in chat spelling also the full words. */
function tokensOf(text: string): Token[] {
  return tokenise(text).flatMap((token) => [token, ...expandChat([token]).filter((full) => full.text !== token.text)]);
}

function expandChat(tokens: Token[]): Token[] {
  const { chat } = getLexicon();
  return tokens.flatMap((token) => (chat.get(token.text) ?? [token.text]).map((full) => ({ ...token, text: full })));
}

/** Returns the meanings of the longest known phrases, and of every single word. */
function sensesOf(tokens: Token[], scope: Scope): Sense[] {
  const { phrases } = getLexicon();
  const alone = tokens.flatMap(({ text }) =>
    wordAlternatives(text, scope).flatMap((word) => phrases.next?.get(word)?.senses ?? []),
  );
  return [...annotate(tokens, scope).flatMap(({ senses }) => senses), ...alone];
}

/** Whether some words of the post support the reason. */
export function follows(reason: MatchReason, said: Words): boolean {
  switch (reason.kind) {
    case 'date':
      return saysDay(reason, said);
    case 'number':
      return fold(`${said.post.title} ${said.post.description}`).includes(fold(reason.en));
    case 'name':
      return reason.en.split(/[\s,]+/).every((name) => said.words.some((word) => isSameName(foldText(name), word)));
    case 'place':
      return saysPlace(reason.en, said) || hasWords(reason.en, said);
    case 'brand':
      return saysMake(reason.en, said) || hasWords(reason.en, said);
    default:
      return (
        saysEntry(reason, said) ||
        [reason.en, reason.sw].some((label) => hasWords(label, said)) ||
        saysMake(reason.en, said) ||
        saysPlace(reason.en, said) ||
        saysAmount(reason.en, said) ||
        saysInitials(reason.en, said)
      );
  }
}

/** Whether the post names the make, or a series of the make: an IST is a Toyota. */
function saysMake(name: string, said: Words): boolean {
  const makes = [...meanings(said, 'brand'), ...meanings(said, 'series')];
  return makes.some((make) => make.toLowerCase() === name.toLowerCase());
}

function meanings(said: Words, kind: SenseKind): ReadonlySet<string> {
  return said.meanings.get(kind) ?? new Set();
}

/** Whether the post mentions the thing, colour, attribute or concept that the reason shows. */
function saysEntry(reason: MatchReason, said: Words): boolean {
  const { things, colours, attributes, concepts } = getLexicon();
  const isShown = ({ labels }: { labels: Labels }): boolean => labels.en === reason.en && labels.sw === reason.sw;
  const idsOf = (list: Iterable<{ id: string; labels: Labels }>): string[] =>
    [...list].filter(isShown).map(({ id }) => id);
  const isColour = (id: string): boolean =>
    [...meanings(said, 'colour')].some(
      (own) => own === id || colours.get(own)?.parent === id || colours.get(id)?.parent === own,
    );
  return (
    idsOf(things.values()).some((id) => saysThing(id, said)) ||
    idsOf(colours.values()).some(isColour) ||
    idsOf(attributes.values()).some((id) => meanings(said, 'attribute').has(id)) ||
    idsOf(concepts.values()).some((id) => meanings(said, 'concept').has(id))
  );
}

/** Whether the post names the thing, a narrower thing, two things that together mean it, or a brand that makes it. */
function saysThing(id: string, said: Words): boolean {
  const makes = [...meanings(said, 'brand'), ...meanings(said, 'series')];
  const made = makes.flatMap((brand) => getLexicon().brands.get(brand)?.makes.slice(0, 1) ?? []);
  const sums = said.amounts.length > 0 ? ['money'] : [];
  const named = [...meanings(said, 'thing'), ...made, ...sums];
  const isIt = (thing: string): boolean => widerThings(thing).includes(id);
  if (named.some(isIt)) return true;
  if (named.some((head) => named.some((other) => composeThing([head], [other])?.some(isIt)))) return true;
  return makes.some((brand) => isMadeBy([id], brand));
}

function saysPlace(name: string, said: Words): boolean {
  const { places } = getLexicon();
  return [...meanings(said, 'place')].some((id) =>
    placesAround(id).some((around) => places.get(around)?.name === name),
  );
}

function saysAmount(text: string, { amounts }: Words): boolean {
  return amounts.some((amount) => text === `TSh ${amount.toLocaleString('en')}`);
}

/** Whether the post contains the initials, such as "F & J" or "F.J.". */
function saysInitials(text: string, { post }: Words): boolean {
  if (!/^\p{Lu}{2,4}$/u.test(text)) return false;
  return new RegExp([...text].join('[ .&+]*')).test(`${post.title} ${post.description}`);
}

function saysDay(reason: MatchReason, { post }: Words): boolean {
  const day = readDay(`${post.title}\n${post.description}`, post.created_at);
  if (day === null) return false;
  const shown = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', timeZone: 'UTC' });
  return shown.format(day.first * DAY_MS) === reason.en;
}

function hasWords(text: string, { words }: Words): boolean {
  return tokenise(text).every(({ text: word }) =>
    words.some((own) => isSameWord(word, own) || isSameNumber(word, own)),
  );
}

/** Whether both texts mean one number: "02", "2" and "mbili" do. */
function isSameNumber(shown: string, own: string): boolean {
  const digits = shown.replace(/\D/g, '');
  return digits !== '' && (own.replace(/\D/g, '').endsWith(digits) || numberOf(own) === Number(digits));
}

/** Removes separators, and writes look-alike characters as one: O becomes 0. */
function fold(text: string): string {
  const folded = text.toUpperCase().replace(/[^A-Z\d]/g, '');
  return folded.replace(/O/g, '0').replace(/[IL]/g, '1').replace(/S/g, '5').replace(/B/g, '8').replace(/Z/g, '2');
}

type UntrueReason = { pair: JudgedPair; reason: MatchReason; unsaidBy: ('lost' | 'found')[] };

/** The displayed reasons that do not follow from the words of both posts, and how many reasons are displayed. */
export function findUntrueReasons(judged: readonly JudgedPair[]): { untrue: UntrueReason[]; shown: number } {
  const listed = judged.filter(({ judgement }) => judgement.confidence !== null);
  const untrue = listed.flatMap((pair) => {
    const words = { lost: wordsOf(pair.lost), found: wordsOf(pair.found) };
    return pair.judgement.reasons.flatMap(wordReason).flatMap((reason) => {
      const unsaidBy = (['lost', 'found'] as const).filter((side) => !follows(reason, words[side]));
      return unsaidBy.length === 0 ? [] : [{ pair, reason, unsaidBy }];
    });
  });
  return { untrue, shown: listed.reduce((sum, { judgement }) => sum + judgement.reasons.length, 0) };
}
