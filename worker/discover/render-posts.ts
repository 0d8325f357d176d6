import { html } from 'hono/html';
import { FIRST_CARDS_MAX, FIRST_POSTS_ID, type FirstPosts } from '#contract/first-posts.ts';
import { formatAgeIn } from '#contract/format-age.ts';
import type { Language } from '#contract/language.ts';
import type { Post } from '#contract/posts.ts';
import { type IconName, renderIcon } from './icons.ts';
import { type CardTexts, texts as en } from './texts/en.ts';
import { texts as sw } from './texts/sw.ts';

// The same markup as the app renders for a visitor (web/posts/found-post.tsx), so that nothing moves when the app takes
// over; a test compares the two. Photos are left to the app, which knows whether the visitor saves data.

const TEXTS = { en, sw } satisfies Record<Language, CardTexts>;

const BUTTON =
  'wrap-anywhere inline-flex min-h-11 max-w-full items-center justify-center gap-2 rounded-xl px-4 py-2 text-center font-semibold transition-colors aria-disabled:cursor-not-allowed aria-disabled:opacity-60';
const BADGE = 'inline-flex items-center gap-1 rounded-full px-2.5 py-0.5 font-semibold text-sm';
const BADGES = {
  owner: { look: 'bg-lost-soft text-lost', icon: 'search' },
  finder: { look: 'bg-accent-soft text-accent', icon: 'tag' },
  returned: { look: 'bg-found-soft text-found', icon: 'check' },
} as const;

type Markup = ReturnType<typeof html>;

/** The first posts as cards, in one language. */
export function renderCards(posts: Post[], language: Language, now: number): string {
  const texts = TEXTS[language];
  const cards = posts
    .slice(0, FIRST_CARDS_MAX)
    .map(
      (post) => html`<li class="min-w-0">${renderCard(post, texts, formatAgeIn(language, post.created_at, now))}</li>`,
    );
  return html`<section aria-label="${texts.results}" aria-busy="false" class="grid gap-4"><ul class="grid gap-4 sm:grid-cols-2 lg:grid-cols-3">${cards}</ul></section>`.toString();
}

/** The list as JSON, for the app. Escaped so that no text can end the script element or reorder the page's source. */
export function renderData(posts: FirstPosts): string {
  const json = JSON.stringify(posts).replace(
    /[<\u2028\u2029]|\p{Bidi_Control}/gu,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  return `<script type="application/json" id="${FIRST_POSTS_ID}">${json}</script>`;
}

function renderCard(post: Post, texts: CardTexts, age: string): Markup {
  const badge = post.is_found ? 'returned' : post.posted_by;
  const { look, icon } = BADGES[badge];
  const border = post.is_found ? 'border-found bg-found-soft/50' : '';
  return html`<article class="card flex h-full flex-col gap-3 p-4! ${border}"><div class="flex items-start justify-between gap-2"><div class="flex flex-wrap gap-1.5"><span class="${BADGE} ${look}">${renderIcon(icon, 'size-4')}${texts.kinds[badge]}</span></div><div class="relative -my-2.5 -me-2"><button type="button" class="icon-button text-muted" aria-label="${texts.more.replace('{title}', () => post.title)}" aria-expanded="false">${renderIcon('more')}</button></div></div><h2 class="break-words text-lg leading-snug"><a dir="auto" class="block underline-offset-4 hover:underline" href="/posts/${encodeURIComponent(post.id)}">${post.title}</a></h2><div class="flex gap-3">${renderPhotoPlace(post)}${renderFacts(post, texts, age)}</div>${post.description && html`<p dir="auto" class="line-clamp-2 break-words">${post.description}</p>`}<div class="mt-auto grid gap-2 pt-1">${renderContact(post, texts)}</div></article>`;
}

function renderPhotoPlace({ photos }: Post): Markup | '' {
  return photos.length > 0 ? html`<span class="size-24 shrink-0 rounded-lg bg-sunken"></span>` : '';
}

function renderFacts(post: Post, texts: CardTexts, age: string): Markup {
  const owner = `${post.owner_first_name} ${post.owner_last_name}`.trim();
  return html`<ul class="grid content-start gap-1">${owner && renderFact('user', texts.owner, renderTyped(owner))}${renderFact('pin', texts.location, renderTyped(post.location))}${post.kept_at && renderFact('shield', null, renderTyped(texts.nowAt.replace('{place}', () => post.kept_at ?? '')))}${renderFact('clock', texts.posted, html`<time datetime="${post.created_at}">${age}</time>`)}${post.on_behalf && renderFact('users', null, html`${texts.forOther}`)}</ul>`;
}

function renderTyped(text: string): Markup {
  return html`<span dir="auto">${text}</span>`;
}

function renderFact(icon: IconName, label: string | null, fact: Markup): Markup {
  return html`<li class="flex items-start gap-2 text-muted text-sm">${renderIcon(icon, 'mt-0.5 size-4')}${label && html`<span class="sr-only">${label}</span>`}<span class="min-w-0 break-words">${fact}</span></li>`;
}

function renderContact(post: Post, texts: CardTexts): Markup | '' {
  if (post.contact !== 'claim')
    return renderLogin('border border-field-line bg-surface hover:bg-sunken w-full', 'phone', texts.logIn);
  if (post.posted_by !== 'finder' || post.is_found) return '';
  return html`<div class="grid gap-2"><p class="text-muted text-sm">${texts.claimFirst}</p>${renderLogin('bg-accent text-on-accent hover:bg-accent-strong ', 'tag', texts.thisIsMine)}</div>`;
}

/** Visitors have to sign in first, whatever they want to do. */
function renderLogin(look: string, icon: IconName, label: string): Markup {
  return html`<a class="${BUTTON} ${look}" href="/login">${renderIcon(icon)}${label}</a>`;
}
