import { html } from 'hono/html';
import { LOCATION_MAX_CHARS } from '#contract/limits.ts';
import { DESCRIPTION_MAX_CHARS, type MatchReason, NAME_MAX_CHARS, TITLE_MAX_CHARS } from '#contract/posts.ts';
import { nameDay } from '#worker/limits/limits.ts';
import { indexTerms, lookupTerms } from '#worker/matching/index-terms.ts';
import type { Evidence } from '#worker/matching/judging/evidence.ts';
import type { Judgement } from '#worker/matching/judging/match-rules.ts';
import { getLexicon } from '#worker/matching/lexicon/lexicon.ts';
import { wordReason } from '#worker/matching/lexicon/word-reasons.ts';
import type { Match } from '#worker/matching/match-types.ts';
import type { ItemMention } from '#worker/matching/reading/item-mention.ts';
import type { PlaceMention } from '#worker/matching/reading/read-places.ts';
import type { PostReading } from '#worker/matching/reading/read-post.ts';
import { redactFor, redactReasons } from '#worker/redaction/redact-for.ts';

/** What a developer types about one post. The keys are the names of the inputs. */
export type Typed = { title: string; description: string; location: string; owner: string };

/** One of the two posts on the page. `reading` is what the analysis found in the text; null if nothing was typed. */
export type Side = { typed: Typed; reading: PostReading | null };

export type ReadingPage = {
  lost: Side;
  found: Side;
  /** Null unless the developer has typed both posts. */
  pair: { judgement: Judgement; evidence: [aspect: string, Evidence][] } | null;
  /** The open posts in the database that match the typed post; null unless the developer has typed exactly one post. */
  matches: Match[] | null;
};

const LINES_SHOWN = 12;

/** Renders a page that works without scripts, in English only. */
export function renderReadingPage({ lost, found, pair, matches }: ReadingPage) {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>How a post is read</title>
        <link rel="stylesheet" href="/dev/reading.css" />
      </head>
      <body>
        <h1>How a post is read</h1>
        <p>Type one post to see what it is read as and what would match here, or two to see how they are compared.</p>
        <form method="post" action="/dev/reading">
          <div class="sides">${renderInputs('lost', lost.typed)}${renderInputs('found', found.typed)}</div>
          <button>Read</button>
        </form>
        ${pair === null ? '' : renderPair(pair)} ${matches === null ? '' : renderMatches(matches)}
        <div class="sides">${renderReading('Lost', lost.reading)}${renderReading('Found', found.reading)}</div>
      </body>
    </html>`;
}

function renderInputs(side: 'lost' | 'found', typed: Typed) {
  const input = (field: keyof Typed, label: string, max: number) => html`
    <label>${label} <input name="${side}_${field}" value="${typed[field]}" maxlength="${max}" autocomplete="off" /></label>`;
  return html`<fieldset>
    <legend>${side === 'lost' ? 'Lost' : 'Found'}</legend>
    ${input('title', 'Title', TITLE_MAX_CHARS)}
    <label>
      Description
      <textarea name="${side}_description" rows="4" maxlength="${DESCRIPTION_MAX_CHARS}">${typed.description}</textarea>
    </label>
    ${input('location', 'Location', LOCATION_MAX_CHARS)} ${input('owner', "Owner's names", NAME_MAX_CHARS)}
  </fieldset>`;
}

function renderReading(heading: string, reading: PostReading | null) {
  if (reading === null) return '';
  const rows = describeReading(reading).map(
    ({ heading: name, lines }) =>
      html`<tr>
        <th scope="row">${name}</th>
        <td>${renderLines(lines)}</td>
      </tr>`,
  );
  return html`<section>
    <h2>${heading}</h2>
    <table>
      ${rows}
    </table>
  </section>`;
}

/** Renders a list. Long lists are collapsed: dozens of lines would fill a phone's screen. */
function renderLines(lines: string[]) {
  const all = lines.map((line) => html`<div>${line}</div>`);
  if (lines.length <= LINES_SHOWN) return all;
  return html`<details>
    <summary>${lines.length}</summary>
    ${all}
  </details>`;
}

function renderPair({ judgement, evidence }: NonNullable<ReadingPage['pair']>) {
  const total = evidence.reduce((sum, [, { points }]) => sum + points, 0);
  const rows = evidence.map(
    ([aspect, { points, reasons }]) =>
      html`<tr>
        <th scope="row">${aspect}</th>
        <td class="number">${points.toFixed(2)}</td>
        <td>${reasons.flatMap(wordReason).map(renderReason)}</td>
      </tr>`,
  );
  return html`<section>
    <h2>Together</h2>
    <p>${describeJudgement(judgement)}</p>
    <table>
      ${rows}
      <tr>
        <th scope="row">in all</th>
        <td class="number">${total.toFixed(2)}</td>
        <td></td>
      </tr>
    </table>
  </section>`;
}

function describeJudgement({ score, confidence }: Pick<Judgement, 'score' | 'confidence'>): string {
  const result = { sure: 'sure: both people are told', possible: 'possible: listed', none: 'not shown' };
  return `Probability ${(100 * score).toFixed(1)} %, ${result[confidence ?? 'none']}.`;
}

function renderReason({ kind, en, sw }: MatchReason) {
  return html`<div>${kind}: <bdi lang="en">${en}</bdi> / <bdi lang="sw">${sw}</bdi></div>`;
}

function renderMatches(matches: Match[]) {
  const items = matches.map(({ candidate, score, confidence, reasons }) => {
    const redact = redactFor('visitor', candidate.kind);
    return html`<li>
      <a href="/posts/${candidate.id}"><bdi>${redact(`${candidate.title}, ${candidate.location}`)}</bdi></a>
      <div>${describeJudgement({ score, confidence })}</div>
      ${redactReasons(reasons.flatMap(wordReason), redact).map(renderReason)}
    </li>`;
  });
  return html`<section>
    <h2>Open posts here that match</h2>
    ${items.length === 0 ? html`<p>None.</p>` : html`<ol>${items}</ol>`}
  </section>`;
}

export const READING_STYLES = `
body { margin: 0 auto; max-width: 70rem; padding: 1rem; font: 1rem/1.45 system-ui, sans-serif; }
.sides { display: grid; gap: 1rem; grid-template-columns: repeat(auto-fit, minmax(min(100%, 20rem), 1fr)); }
fieldset { min-width: 0; }
label { display: block; margin-bottom: 0.5rem; }
input, textarea, button { box-sizing: border-box; width: 100%; padding: 0.5rem; font: inherit; }
button { margin-top: 1rem; min-height: 2.75rem; }
table { width: 100%; border-collapse: collapse; }
th, td { padding: 0.25rem 0.5rem 0.25rem 0; border-top: 1px solid #ccc; text-align: left; vertical-align: top; overflow-wrap: anywhere; }
th { width: 35%; font-weight: 600; }
.number { font-variant-numeric: tabular-nums; text-align: right; white-space: nowrap; }
li { margin-bottom: 0.75rem; }
@media (prefers-color-scheme: dark) { body { background: #111; color: #eee; } a { color: #9cf; } }
`;

type ReadRow = { heading: string; lines: string[] };

/**
 * Describes what the analysis of a post has found, in the words of the lexicon's lists, for people who edit the lists.
 */
export function describeReading(reading: PostReading): ReadRow[] {
  const { places } = reading;
  const rows: ReadRow[] = [
    { heading: 'Thing', lines: reading.heads.map(describeItem) },
    { heading: 'Said of a thing that no list knows', lines: describeUnnamed(reading) },
    { heading: 'In it or on it', lines: reading.parts.map(describeItem) },
    { heading: 'Where it was, on what', lines: reading.setting.map(describeItem) },
    { heading: 'Names', lines: reading.persons.map(({ names, certainty }) => `${names.join(' ')} (${certainty})`) },
    { heading: 'Schools, firms, offices', lines: reading.issuers.map(placeName) },
    { heading: 'Places of the location', lines: places.said.map(describePlace) },
    { heading: 'Places in the text', lines: places.named.map(describePlace) },
    { heading: 'Words of the location that no list knows', lines: places.words },
    { heading: 'Numbers', lines: reading.identifiers.map(({ kind, folded }) => `${kind}: ${folded}`) },
    { heading: 'Values', lines: reading.values.map(({ slot, value }) => `${slot}: ${value}`) },
    { heading: 'Measures', lines: reading.measures.map(({ value, dimension }) => `${value} ${dimension}`) },
    { heading: 'Money', lines: reading.amounts.map((amount) => `TSh ${amount.toLocaleString('en')}`) },
    {
      heading: 'Day',
      lines: reading.day === null ? [] : [`${nameDay(reading.day.first)} to ${nameDay(reading.day.last)}`],
    },
    { heading: 'Written on it', lines: reading.writing },
    { heading: 'Makes', lines: [...reading.makers, ...reading.makes] },
    { heading: 'Other meanings', lines: reading.concepts.map(labelOfConcept) },
    { heading: 'Details', lines: reading.details.map((detail) => detail.join(' / ')) },
    { heading: 'Words that no list knows', lines: reading.words },
    { heading: 'Stored under', lines: indexTerms(reading) },
    { heading: 'Looked up under', lines: lookupTerms(reading) },
  ];
  return rows.filter(({ lines }) => lines.length > 0);
}

function describeUnnamed({ heads, unnamed }: PostReading): string[] {
  const said = describeItem(unnamed);
  return heads.length > 0 || said === '' ? [] : [said];
}

function describeItem(item: ItemMention): string {
  const { things, colours, attributes } = getLexicon();
  const kinds = item.ids.map((id) => bilingual(things.get(id)?.labels, id)).join(' or ');
  const qualities = [
    ...[...item.colours].map((id) => bilingual(colours.get(id)?.labels, id)),
    ...item.brands,
    ...item.models,
    ...[...item.attributes].map((id) => bilingual(attributes.get(id)?.labels, id)),
    ...(item.count === null ? [] : [`× ${item.count}`]),
    ...[...item.of].map((id) => `of ${bilingual(things.get(id)?.labels, id)}`),
  ];
  return [kinds, ...qualities].filter((part) => part !== '').join(', ');
}

function bilingual(labels: { en: string; sw: string } | undefined, id: string): string {
  return labels === undefined ? id : `${labels.en} (${labels.sw})`;
}

function describePlace(mention: PlaceMention): string {
  return mention.join(' or ');
}

function placeName(id: string): string {
  return getLexicon().places.get(id)?.name ?? id;
}

function labelOfConcept(id: string): string {
  return bilingual(getLexicon().concepts.get(id)?.labels, id);
}
