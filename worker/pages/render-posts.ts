import { html } from 'hono/html';
import {
  type CardTemplates,
  cardVariantOf,
  FIRST_CARDS_MAX,
  FIRST_POSTS_ID,
  type FirstPosts,
} from '#contract/first-posts.ts';
import { formatAgeIn, type Language } from '#contract/language.ts';
import type { Post } from '#contract/posts.ts';

const SLOT = /__([a-z]+(?:_[a-z]+)*)__/g;
/** Matches a `li` or `p` that contains no other `li` or `p`. */
const LINE = /<(li|p)\b(?:(?!<\/?(?:li|p)\b).)*<\/\1>/gs;

export function renderCards(posts: Post[], templates: CardTemplates, language: Language, now: number): string {
  const cards = posts.slice(0, FIRST_CARDS_MAX).map((post) => {
    const owner = `${post.owner_first_name} ${post.owner_last_name}`.trim();
    const age = formatAgeIn(language, post.created_at, now);
    return fillIn(templates.cards[cardVariantOf(post)] ?? '', { ...post, owner, age });
  });
  return templates.start + cards.join('') + templates.end;
}

/**
 * Fills the placeholders of a template with a post's texts. Omits a `li` or `p` element if the post has no text for a
 * placeholder in the element, as the app does.
 */
function fillIn(template: string, texts: Readonly<Record<string, unknown>>): string {
  return template
    .replace(LINE, (line) => ([...line.matchAll(SLOT)].every(([, field = '']) => texts[field]) ? line : ''))
    .replace(SLOT, (_slot, field: string) => String(html`${texts[field]}`));
}

/**
 * Renders the posts as JSON for the app. Escapes the JSON, so that no text can end the script element or change the
 * reading direction of the page's source.
 */
export function renderData(posts: FirstPosts): string {
  const json = JSON.stringify(posts).replace(
    /[<\u2028\u2029]|\p{Bidi_Control}/gu,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  return `<script type="application/json" id="${FIRST_POSTS_ID}">${json}</script>`;
}
