import { html } from 'hono/html';
import { DESCRIPTION_MAX_CHARS, LOCATION_MAX_CHARS, NAME_MAX_CHARS, TITLE_MAX_CHARS } from '#contract/limits.ts';
import type { MatchReason } from '#contract/matching.ts';
import { redactFor, redactReasons } from '#worker/posts/index.ts';
import { describeReading } from './describe-reading.ts';
import type { Evidence } from './judging/evidence.ts';
import type { Judgement } from './judging/match-rules.ts';
import { wordReason } from './lexicon/word-reasons.ts';
import type { Match } from './match-types.ts';
import type { PostReading } from './reading/read-post.ts';

/** What is typed of one post, by the names of its inputs. */
export type Typed = { title: string; description: string; location: string; owner: string };

/** Null: nothing was typed there. */
export type Side = { typed: Typed; reading: PostReading | null };

export type ReadingPage = {
  lost: Side;
  found: Side;
  /** Where both are typed. */
  pair: { judgement: Judgement; evidence: [aspect: string, Evidence][] } | null;
  /** Of the open posts here, where one is typed. */
  matches: Match[] | null;
};

const LINES_SHOWN = 12;

/** A page that works without a script, in the plain English of the lexicon's files. */
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

/** Dozens of index terms would push everything else off a phone. */
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
  const consequence = { sure: 'sure: both people are told', possible: 'possible: listed', none: 'not shown' };
  return `Probability ${(100 * score).toFixed(1)} %, ${consequence[confidence ?? 'none']}.`;
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
