import { html, raw } from 'hono/html';
import { isLanguage, LANGUAGES, type Language, localeOf, nameOf } from '#contract/language.ts';
import { PREVIEW_HEIGHT, PREVIEW_WIDTH, previewPath, sharePath, sharePathIn } from '#contract/links.ts';
import type { Post } from '#contract/posts.ts';
import en from '#locales/en/outside/sharing.json' with { type: 'json' };
import sw from '#locales/sw/outside/sharing.json' with { type: 'json' };
import { chooseLanguage } from '#worker/http/context.ts';
import { PAGE_STYLE } from '#worker/http/html-page.ts';

/**
 * The styles of a shared post's page. Lost posts are amber and found posts green; a word says the same for people who
 * cannot see the colour.
 */
export const SHARE_STYLE = `${PAGE_STYLE}
:root { --found: #14643c; --lost: #8a4b00; --muted: #5d5870; --line: #ddd6c8 }
@media (prefers-color-scheme: dark) { :root { --found: #7fd9a8; --lost: #f5b968; --muted: #aaa4bd; --line: #3a3548 } }
header { display: flex; justify-content: space-between; align-items: center; font-weight: 700 }
header a { text-decoration: none; min-width: 2.75rem; font-size: 1.125rem }
header a[hreflang] { font-size: 1rem; text-align: end }
h1 { margin: .5rem 0 1rem; overflow-wrap: anywhere }
bdi { display: block; overflow-wrap: anywhere }
.kind { display: inline-block; margin: 1rem 0 0; padding: .125rem .75rem; border: 2px solid; border-radius: 9rem; font-weight: 700 }
.finder, .returned { color: var(--found) }
.owner { color: var(--lost) }
.returned::before { content: '✓ ' / '' }
img { display: block; width: 100%; height: auto; max-height: 24rem; object-fit: contain; border-radius: .75rem }
dl { display: grid; grid-template-columns: auto 1fr; gap: .25rem 1rem; margin: 1rem 0 }
dt { color: var(--muted) }
dd { margin: 0; min-width: 0 }
.text { white-space: pre-wrap }
.button { display: block; margin: 1.5rem 0 1rem; padding: .75rem 1rem; border-radius: .75rem; text-align: center;
  text-decoration: none; font-weight: 600; background: var(--accent); color: var(--on-accent) }
footer { margin-top: 1.5rem; border-top: 1px solid var(--line); color: var(--muted) }
`;

const TEXTS = { en, sw } satisfies Record<Language, unknown>;

type Markup = ReturnType<typeof html>;
export type Place = { origin: string; postId: string; language: Language };

/**
 * Renders the page of a public post.
 * @param preview the path of the picture for link previews; null for the default picture.
 */
export function renderPost(post: Post, preview: string | null, place: Place): Markup {
  const texts = TEXTS[place.language];
  const state = post.is_found ? 'returned' : post.posted_by;
  const kind = post.is_found ? texts.returned : texts.kinds[post.posted_by];
  const title = toPlainLine(`${kind}: ${post.title}, ${post.location}`);
  return renderPage(place, {
    title,
    tags: renderTags(post, { title, preview: preview ?? previewPath(post.kind, state, place.language) }, place),
    content: html`<p class="kind ${state}">${kind}</p>
      <h1><bdi>${post.title}</bdi></h1>
      ${renderFacts(post, place.language)}
      ${renderPhoto(post, texts.photoOf)}
      ${post.description && html`<p class="text"><bdi>${post.description}</bdi></p>`}
      ${renderButton(openPath(place), post.is_found ? texts.openReturned : texts.open[post.posted_by])}
      ${post.is_found ? '' : html`<p>${texts.contact}</p>`}`,
  });
}

/** Renders the page for the link of a community's post. The page says only that the post exists. */
export function renderForMembers(place: Place): Markup {
  const { membersTitle, membersText, membersOpen } = TEXTS[place.language];
  return renderPage(place, {
    title: membersTitle,
    tags: NO_INDEX,
    content: html`<h1>${membersTitle}</h1>
      <p>${membersText}</p>
      ${renderButton(openPath(place), membersOpen)}`,
  });
}

export function renderAbsent(place: Place): Markup {
  const { absentTitle, absentText, absentOpen } = TEXTS[place.language];
  return renderPage(place, {
    title: absentTitle,
    tags: NO_INDEX,
    content: html`<h1>${absentTitle}</h1>
      <p>${absentText}</p>
      ${renderButton('/view-posts', absentOpen)}`,
  });
}

export function renderFailure(place: Place): Markup {
  const { failedTitle, failedText } = TEXTS[place.language];
  return renderPage(place, {
    title: failedTitle,
    tags: NO_INDEX,
    content: html`<h1>${failedTitle}</h1>
      <p>${failedText}</p>`,
  });
}

const NO_INDEX = html`<meta name="robots" content="noindex" />`;

function openPath({ postId }: Place): string {
  return `/posts/${encodeURIComponent(postId)}`;
}

/** Renders a post's tags for search engines and link previews. */
function renderTags(
  post: Post,
  { title, preview }: Record<'title' | 'preview', string>,
  { origin, language }: Place,
): Markup {
  const description = summarise(toPlainLine(post.description) || TEXTS[language].about);
  const address = origin + sharePathIn(language, post.id);
  const others = LANGUAGES.filter((other) => other !== language);
  return html`<meta name="description" content="${description}" />
    <link rel="canonical" href="${address}" />
    ${LANGUAGES.map((one) => html`<link rel="alternate" hreflang="${one}" href="${origin + sharePathIn(one, post.id)}" />`)}
    <link rel="alternate" hreflang="x-default" href="${origin + sharePath(post.id)}" />
    <meta property="og:type" content="article" />
    <meta property="og:site_name" content="Patikana" />
    <meta property="og:title" content="${title}" />
    <meta property="og:description" content="${description}" />
    <meta property="og:url" content="${address}" />
    <meta property="og:locale" content="${toOgLocale(language)}" />
    ${others.map((other) => html`<meta property="og:locale:alternate" content="${toOgLocale(other)}" />`)}
    <meta property="og:image" content="${origin + preview}" />
    <meta property="og:image:type" content="image/jpeg" />
    <meta property="og:image:width" content="${PREVIEW_WIDTH}" />
    <meta property="og:image:height" content="${PREVIEW_HEIGHT}" />
    <meta property="og:image:alt" content="${title}" />
    <meta name="twitter:card" content="summary_large_image" />`;
}

/** Returns the language in the format of Open Graph, such as `sw_TZ`. */
function toOgLocale(language: Language): string {
  return localeOf(language).replace('-', '_');
}

function renderFacts({ location, kept_at, created_at }: Post, language: Language): Markup {
  const { place, keptAt, posted } = TEXTS[language];
  return html`<dl>
    <dt>${place}</dt>
    <dd><bdi>${location}</bdi></dd>
    ${
      kept_at &&
      html`<dt>${keptAt}</dt>
        <dd><bdi>${kept_at}</bdi></dd>`
    }
    <dt>${posted}</dt>
    <dd><time datetime="${created_at}">${formatShareDate(created_at, language)}</time></dd>
  </dl>`;
}

/** Renders the thumbnail of the first photo. Only the app shows further photos. */
function renderPhoto({ photos: [photo], title }: Post, photoOf: string): Markup | '' {
  if (!photo) return '';
  const { thumbnail_url, width, height, alt } = photo;
  return html`<img
    src="${thumbnail_url}"
    width="${width}"
    height="${height}"
    alt="${alt || photoOf.replace('{title}', () => title)}"
  />`;
}

function renderButton(path: string, label: string): Markup {
  return html`<a class="button" href="${path}">${label}</a>`;
}

type PageParts = { title: string; tags: Markup; content: Markup };

function renderPage({ postId, language }: Place, { title, tags, content }: PageParts): Markup {
  const others = LANGUAGES.filter((other) => other !== language).map(
    (other) => html`<a href="${sharePathIn(other, postId)}" hreflang="${other}" lang="${other}">${nameOf(other)}</a>`,
  );
  return html`<!doctype html>
    <html lang="${language}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title} · Patikana</title>
        ${tags}
        <link rel="icon" href="/icon.svg" type="image/svg+xml" />
        ${STYLE_TAG}
      </head>
      <body>
        <main>
          <header><a href="/">Patikana</a> <nav>${others}</nav></header>
          ${content}
          <footer><p>${TEXTS[language].about}</p></footer>
        </main>
      </body>
    </html>`;
}

/**
 * The style element, inserted without escaping: the Content-Security-Policy contains the hash of the unescaped style.
 */
const STYLE_TAG = raw(`<style>${SHARE_STYLE}</style>`);

/** The language if neither the link nor the browser requests one: most readers of shared links know Swahili. */
const USUAL_LANGUAGE: Language = 'sw';
/** The maximum length of a summary: about as much text as chat apps show in a preview. */
const SUMMARY_MAX_CHARS = 200;

/**
 * Chooses the language of a shared page.
 * @param wanted the language in the link: the language in which the sharing person uses the app.
 */
export function chooseShareLanguage(wanted: string | undefined, acceptLanguage: string | undefined): Language {
  return isLanguage(wanted) ? wanted : chooseLanguage(acceptLanguage, USUAL_LANGUAGE);
}

/**
 * Prepares a typed text for attributes and titles, which cannot contain a `bdi` element. Returns a single line without
 * characters that change the direction of the surrounding text.
 */
export function toPlainLine(text: string): string {
  return text
    .replace(/\p{Bidi_Control}/gu, '')
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim();
}

/** Shortens a line to the maximum length, without splitting a character that consists of several code points. */
export function summarise(line: string): string {
  if (line.length <= SUMMARY_MAX_CHARS) return line;
  let start = '';
  for (const { segment } of new Intl.Segmenter().segment(line)) {
    if (start.length + segment.length >= SUMMARY_MAX_CHARS) break;
    start += segment;
  }
  return `${start.trimEnd()}…`;
}

/** Formats a date: 21 November 2026, or 21 Novemba 2026. */
export function formatShareDate(iso: string, language: Language): string {
  return new Intl.DateTimeFormat(localeOf(language), { dateStyle: 'long', timeZone: 'Africa/Dar_es_Salaam' }).format(
    new Date(iso),
  );
}
