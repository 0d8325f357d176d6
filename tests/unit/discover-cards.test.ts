import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { FIRST_CARDS_MAX } from '#contract/first-posts.ts';
import type { Language } from '#contract/language.ts';
import type { Post } from '#contract/posts.ts';
import { PROJECT_ROOT } from '#scripts/command/project-root.ts';
import { aPost } from '#tests/support/a-post.ts';
import { textsOfPage } from '#tests/support/texts-of-page.ts';
import { renderCards, renderData } from '#worker/discover/render-posts.ts';

const NOW = Date.parse('2026-11-21T12:00:00.000Z');
const PHOTO = { id: 'p', url: '/photos/p', thumbnail_url: '/photos/p-small', width: 9, height: 9, alt: '' };

/** A post of three hours ago, as a visitor gets it. */
function aShown(overrides: Partial<Post> = {}): Post {
  const visitors = { phone_number: null, is_author_proven: null, created_at: '2026-11-21T09:00:00.000Z' };
  return aPost({ ...visitors, title: 'Begi', ...overrides });
}

function render(overrides: Partial<Post> = {}, language: Language = 'en'): string {
  return renderCards([aShown(overrides)], language, NOW);
}

const OF_OTHERS = { kept_at: 'Kituo cha {place} $&', on_behalf: true, description: '' };
const CLAIMED = { contact: 'claim', owner_first_name: '', owner_last_name: '' } as const;

test.each([
  [
    'a found thing',
    {},
    ['Found', 'Begi', 'Owner', 'Neema Mushi', 'Location', 'Kariakoo', 'Posted', '3 hours ago', 'Ina kava la bluu'],
    ['Log in to view contact'],
    [
      'Kimeokotwa',
      'Begi',
      'Mwenyewe',
      'Neema Mushi',
      'Mahali',
      'Kariakoo',
      'Lilitangazwa',
      'saa 3 zilizopita',
      'Ina kava la bluu',
    ],
    ['Ingia ili uone namba ya simu'],
  ],
  [
    'a thing that somebody else has lost',
    { ...OF_OTHERS, posted_by: 'owner', owner_last_name: '' },
    [
      'Lost',
      'Begi',
      'Owner',
      'Neema',
      'Location',
      'Kariakoo',
      'It is now at: Kituo cha {place} $&',
      'Posted',
      '3 hours ago',
      'Posted for somebody else',
    ],
    ['Log in to view contact'],
    [
      'Kimepotea',
      'Begi',
      'Mwenyewe',
      'Neema',
      'Mahali',
      'Kariakoo',
      'Sasa kiko: Kituo cha {place} $&',
      'Lilitangazwa',
      'saa 3 zilizopita',
      'Limetangazwa kwa niaba ya mtu mwingine',
    ],
    ['Ingia ili uone namba ya simu'],
  ],
  [
    'a found thing that is claimed',
    CLAIMED,
    ['Found', 'Begi', 'Location', 'Kariakoo', 'Posted', '3 hours ago', 'Ina kava la bluu'],
    [
      'The finder asks for proof that it is yours. Their number is shown only to the person they choose.',
      'This is mine',
    ],
    ['Kimeokotwa', 'Begi', 'Mahali', 'Kariakoo', 'Lilitangazwa', 'saa 3 zilizopita', 'Ina kava la bluu'],
    ['Aliyekiokota anataka uthibitisho kuwa ni chako. Namba yake itaonyeshwa kwa atakayemchagua tu.', 'Ni changu'],
  ],
] as const)('the card of %s says all of it, and what a visitor can do', (_what, post, en, toDo, sw, toDoInSwahili) => {
  expect(textsOfPage(render(post))).toEqual([...en, ...toDo]);
  expect(textsOfPage(render(post, 'sw'))).toEqual([...sw, ...toDoInSwahili]);
});

test('a lost thing whose owner wants to be asked first has no contact', () => {
  expect(textsOfPage(render({ ...CLAIMED, posted_by: 'owner' })).at(-1)).toBe('Ina kava la bluu');
});

test('the list is named, and has no more cards than the page has room for', () => {
  const posts = Array.from({ length: FIRST_CARDS_MAX + 1 }, (_, index) => aShown({ title: `Begi ${index}` }));
  const titles = (list: string) => textsOfPage(list).filter((text) => text.startsWith('Begi'));
  expect(titles(renderCards(posts, 'en', NOW))).toEqual(posts.slice(0, FIRST_CARDS_MAX).map(({ title }) => title));
  expect(render()).toMatch(/^<section aria-label="Posts" /);
  expect(render({}, 'sw')).toMatch(/^<section aria-label="Matangazo" /);
});

test('what people typed is set apart, in its own direction and paragraph', () => {
  const card = render({ id: 'a/b', title: '<b>"Begi"</b>', kept_at: 'Kituo' });
  expect(card).toContain('href="/posts/a%2Fb">&lt;b&gt;&quot;Begi&quot;&lt;/b&gt;</a>');
  for (const typed of ['Neema Mushi', 'Kariakoo', 'It is now at: Kituo'])
    expect(card).toContain(`<span dir="auto">${typed}</span>`);
  for (const label of ['Owner', 'Location', 'Posted']) expect(card).toContain(`<span class="sr-only">${label}</span>`);
  expect(card.match(/sr-only/g)).toHaveLength(3);
  expect(card).toContain('<p dir="auto" class="line-clamp-2 break-words">Ina kava la bluu</p>');
  expect(render({ description: '' })).not.toContain('<p ');
  expect(card).toContain('<time datetime="2026-11-21T09:00:00.000Z">3 hours ago</time>');
});

test('a place is kept for the photo that the app will show, and only then', () => {
  const place = '<span class="size-24 shrink-0 rounded-lg bg-sunken"></span>';
  expect(render({ photos: [PHOTO] })).toContain(place);
  expect(render()).not.toContain(place);
});

const ICONS = readFileSync(join(PROJECT_ROOT, 'web/ui/icon.tsx'), 'utf8');
/** How the app draws an icon. */
const drawingOf = (name: string) => new RegExp(`\\b${name}:\\s+'([^']*)'`).exec(ICONS)?.[1];

test.each([
  [{}, ['tag', 'more', 'user', 'pin', 'clock', 'phone']],
  [{ ...OF_OTHERS, posted_by: 'owner' }, ['search', 'more', 'user', 'pin', 'shield', 'clock', 'users', 'phone']],
  [CLAIMED, ['tag', 'more', 'pin', 'clock', 'tag']],
] as const)('the card of a post with %j has the app’s icons: %j', (post, names) => {
  const drawn = [...render(post).matchAll(/<path d="([^"]*)">/g)].map(([, drawing]) => drawing);
  expect(drawn).toEqual(names.map(drawingOf));
  expect(drawn).not.toContain(undefined);
});

test('an icon is small in a badge and beside a fact, and larger on a button', () => {
  const sizes = [...render().matchAll(/class="shrink-0 ([^"]*)"/g)].map(([, size]) => size);
  expect(sizes).toEqual(['size-4', 'size-5', 'mt-0.5 size-4', 'mt-0.5 size-4', 'mt-0.5 size-4', 'size-5']);
});

test('lost and found differ in colour', () => {
  expect(render()).toContain('bg-accent-soft text-accent">');
  expect(render({ posted_by: 'owner' })).toContain('bg-lost-soft text-lost">');
});

test('the list for the app is one element, which no text can end or turn, and is read as it was', () => {
  const title = '</script><!-- \u2028\u2029 \u061c\u202e\u2066';
  const posts = { at: '2026-11-21T12:00:00.000Z', entries: [{ Post: aShown({ title }) }], next_cursor: '7' };
  const data = renderData(posts);
  const [, json = ''] = /^<script type="application\/json" id="first-posts">([^<]*)<\/script>$/.exec(data) ?? [];
  expect(JSON.parse(json)).toEqual(posts);
  expect(json).not.toMatch(/[\u2028\u2029\u061c\u202e\u2066]/);
});
