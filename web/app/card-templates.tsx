import { QueryClientProvider } from '@tanstack/react-query';
import { renderToStaticMarkup } from 'react-dom/server';
import { StaticRouter } from 'react-router';
import { type CardTemplates, cardVariantOf } from '#contract/first-posts.ts';
import { POSTED_BY } from '#contract/post-kinds.ts';
import { CONTACTS, type Post, postSchema } from '#contract/posts.ts';
import { queryClient } from '#web/lib/query-client.ts';
import { FoundPost } from '#web/posts/found-post.tsx';
import { Feed, PostGrid } from '#web/posts/post-grid.tsx';

/** How the list's items begin, to tell them apart from the items within a card. */
const ITEM = '<li class="min-w-0">';
const END = '</ul></section>';
/** The app shows a photo if the reader does not save data; until then a place is kept for it. */
const PHOTO_PLACE = '<span class="size-24 shrink-0 rounded-lg bg-sunken"></span>';

/**
 * Renders the feed for a visitor in the present language, one card for each variant. Instead of a text, a card has a
 * slot `__field__`, which the Worker fills (worker/discover/render-posts.ts).
 * @throws Error if the markup does not split into the variants' cards.
 */
export function renderCardTemplates(): CardTemplates {
  const posts = listVariants();
  const markup = renderToStaticMarkup(
    <QueryClientProvider client={queryClient}>
      <StaticRouter location="/view-posts">
        <Feed isBusy={false}>
          <PostGrid posts={posts} renderCard={(post) => <FoundPost post={post} />} />
        </Feed>
      </StaticRouter>
    </QueryClientProvider>,
  );
  // What it holds on to for a while would keep the build from ending.
  queryClient.clear();
  const [start = '', ...items] = markup.slice(0, -END.length).split(new RegExp(`(?=${ITEM})`));
  if (!markup.endsWith(END) || items.length !== posts.length) throw new Error('The feed has another markup');
  const cards = items.map((item, at) => [cardVariantOf(posts[at] as Post), putSlots(item)]);
  return { start, cards: Object.fromEntries(cards), end: END };
}

/** The parts that are not text: a time has a machine's form and a reader's, and a photo is left to the app. */
function putSlots(item: string): string {
  return item
    .replace(/<time [^>]*>[^<]*<\/time>/, '<time datetime="__created_at__">__age__</time>')
    .replace(/<img [^>]*>/, PHOTO_PLACE);
}

/** A post for each variant that a visitor's card may have. Every field that is a text contains its slot. */
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
