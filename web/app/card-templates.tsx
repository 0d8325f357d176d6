import { QueryClientProvider } from '@tanstack/react-query';
import { renderToStaticMarkup } from 'react-dom/server';
import { StaticRouter } from 'react-router';
import { type CardTemplates, cardVariantOf } from '#contract/first-posts.ts';
import { POSTED_BY } from '#contract/kinds.ts';
import { CONTACTS, type Post, postSchema } from '#contract/posts.ts';
import { queryClient } from '#web/api/queries.ts';
import { Feed, PostGrid } from '#web/posts/post/post-card.tsx';
import { PostResult } from '#web/posts/view-posts-screen.tsx';

/** Each card of the list begins with this markup. A list item inside a card begins with other markup. */
const ITEM = '<li class="min-w-0">';
const END = '</ul></section>';
/**
 * Takes the place of the photo in the Worker's cards. The app adds the photo later, unless the phone's data saver is
 * on.
 */
const PHOTO_PLACE = '<span class="size-24 shrink-0 rounded-lg bg-sunken"></span>';

/**
 * Renders the list of posts as a visitor sees it, in the current language, with one card for each variant of a card.
 * Each text is a placeholder such as `__title__`, which the Worker fills (worker/pages/render-posts.ts).
 * @throws Error if the markup cannot be split into cards.
 */
export function renderCardTemplates(): CardTemplates {
  const posts = listVariants();
  const markup = renderToStaticMarkup(
    <QueryClientProvider client={queryClient}>
      <StaticRouter location="/view-posts">
        <Feed isBusy={false}>
          <PostGrid posts={posts} renderCard={(post) => <PostResult post={post} />} />
        </Feed>
      </StaticRouter>
    </QueryClientProvider>,
  );
  // Clears the query client, whose timers would keep the build process running.
  queryClient.clear();
  const [start = '', ...items] = markup.slice(0, -END.length).split(new RegExp(`(?=${ITEM})`));
  if (!markup.endsWith(END) || items.length !== posts.length) throw new Error('The feed has another markup');
  const cards = items.map((item, at) => [cardVariantOf(posts[at] as Post), putSlots(item)]);
  return { start, cards: Object.fromEntries(cards), end: END };
}

/**
 * Replaces the time by placeholders that the Worker fills, and the photo by an empty place where the app later shows
 * the photo.
 */
function putSlots(item: string): string {
  return item
    .replace(/<time [^>]*>[^<]*<\/time>/, '<time datetime="__created_at__">__age__</time>')
    .replace(/<img [^>]*>/, PHOTO_PLACE);
}

/**
 * Returns a sample post for each variant of the card that people without an account see. Every text field contains a
 * placeholder with its own name, such as `__title__`.
 */
function listVariants(): Post[] {
  const slots = Object.fromEntries(Object.keys(postSchema.shape).map((field) => [field, `__${field}__`]));
  const post: Post = {
    ...(slots as unknown as Post),
    owner_first_name: '__owner__',
    owner_last_name: '',
    phone_number: null,
    is_author_proven: null,
    is_contact_limited: false,
    contact_opens_at: null,
    kind: 'other',
    claim_question: null,
    community_code: null,
    community_name: null,
    state: 'open',
    is_mine: false,
    is_hidden: false,
    hidden_by: [],
    hidden_reason: null,
    created_at: '2026-01-01T00:00:00.000Z',
  };
  const photo = { id: 'photo', url: 'photo', thumbnail_url: 'photo', width: 1, height: 1, alt: '' };
  const isOrNot = [false, true];
  return POSTED_BY.flatMap((posted_by) =>
    CONTACTS.flatMap((contact) =>
      isOrNot.flatMap((is_found) =>
        isOrNot.flatMap((on_behalf) =>
          [[], [photo]].map((photos) => ({ ...post, posted_by, contact, is_found, on_behalf, photos })),
        ),
      ),
    ),
  );
}
