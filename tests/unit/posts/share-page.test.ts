import { expect, test } from 'vitest';
import type { Language } from '#contract/language.ts';
import type { Post } from '#contract/posts.ts';
import { aPost } from '#tests/support/posts.ts';
import {
  chooseShareLanguage,
  formatShareDate,
  renderAbsent,
  renderFailure,
  renderForMembers,
  renderPost,
  summarise,
  toPlainLine,
} from '#worker/pages/share-page.ts';

const SIGNS: Record<string, string> = { lt: '<', gt: '>', quot: '"', '#39': "'", amp: '&' };

/** Returns the page's texts, piece by piece, as a screen reader reads them. */
function textsOfPage(markup: string): string[] {
  return markup
    .replace(/<head>[\s\S]*<\/head>/, '')
    .split(/<[^>]*>/)
    .map((text) => text.replace(/&(lt|gt|quot|#39|amp);/g, (_, name: string) => SIGNS[name] ?? '').trim())
    .filter((text) => text !== '');
}

const PHOTO = { id: 'p', url: '/photos/p', thumbnail_url: '/photos/p-small', width: 320, height: 240, alt: '' };
const placeIn = (language: Language) => ({ origin: 'https://patikana.test', postId: 'siri', language });

/** A post published late in the evening in UTC, when the next day has begun in Dar es Salaam. */
function aShared(overrides: Partial<Post> = {}): Post {
  return aPost({ id: 'siri', title: 'Begi', created_at: '2026-11-20T21:30:00.000Z', ...overrides });
}

function render(post: Post, language: Language = 'en', preview: string | null = null): string {
  return String(renderPost(post, preview, placeIn(language)));
}

const LOST = { posted_by: 'owner', description: '' } as const;

const PAGES = [
  [
    'en',
    { kept_at: 'Kituo' },
    'Found',
    [
      'Place',
      'Kariakoo',
      'Where it is now',
      'Kituo',
      'Posted',
      '21 November 2026',
      'Ina kava la bluu',
      'Is it yours? Open it in Patikana',
    ],
  ],
  ['en', LOST, 'Lost', ['Place', 'Kariakoo', 'Posted', '21 November 2026', 'Have you seen it? Open it in Patikana']],
  [
    'sw',
    { ...LOST, kept_at: 'Kituo' },
    'Kimepotea',
    [
      'Mahali',
      'Kariakoo',
      'Kilipo sasa',
      'Kituo',
      'Lilitangazwa',
      '21 Novemba 2026',
      'Je, umekiona? Fungua kwenye Patikana',
    ],
  ],
  [
    'sw',
    { description: '' },
    'Kimeokotwa',
    ['Mahali', 'Kariakoo', 'Lilitangazwa', '21 Novemba 2026', 'Je, ni chako? Fungua kwenye Patikana'],
  ],
] as const;

const AROUND = {
  en: {
    head: ['Patikana', 'Kiswahili'],
    contact: 'Log in to contact the author, free of charge. Never pay before you have the item in your hands.',
    foot: 'Patikana: lost and found for Tanzania',
  },
  sw: {
    head: ['Patikana', 'English'],
    contact:
      'Ingia kwenye akaunti yako ili uwasiliane na aliyetangaza, bila malipo. Usilipe chochote kabla ya kukipokea mkononi.',
    foot: 'Patikana: vilivyopotea na kuokotwa Tanzania',
  },
};

test.each(PAGES)(
  'in the language %s the share page of an open post with the fields %j shows “%s” and the post’s data',
  (language, changes, kind, texts) => {
    const { head, contact, foot } = AROUND[language];
    const page = render(aShared(changes), language);
    expect(textsOfPage(page)).toEqual([...head, kind, 'Begi', ...texts, contact, foot]);
    expect(page).toContain(`<title>${kind}: Begi, Kariakoo · Patikana</title>`);
    expect(page.includes('<p class="text"><bdi>Ina kava la bluu</bdi></p>')).toBe(!('description' in changes));
  },
);

test.each([
  ['en', 'Found and returned', 'Open it in Patikana'],
  ['sw', 'Kimepatikana na kurudishwa', 'Fungua kwenye Patikana'],
] as const)(
  'in the language %s the share page of a returned post contains “%s” and no request to contact the author',
  (language, kind, open) => {
    const page = render(aShared({ is_found: true }), language);
    const texts = textsOfPage(page);
    expect(texts.slice(2, 4)).toEqual([kind, 'Begi']);
    expect(texts.slice(-3)).toEqual(['Ina kava la bluu', open, AROUND[language].foot]);
    expect(page).toContain('<p class="kind returned">');
    expect(page).toContain(`<title>${kind}: Begi, Kariakoo · Patikana</title>`);
  },
);

test('a share page shows “Found” and “Found and returned” in the same colour, and a check mark before “Found and returned”', () => {
  expect(render(aShared())).toContain('<p class="kind finder">Found</p>');
  expect(render(aShared(LOST))).toContain('<p class="kind owner">Lost</p>');
  expect(render(aShared())).toMatch(/<style>[^<]*\.finder, \.returned \{ color: var\(--found\) \}[^<]*<\/style>/);
  expect(render(aShared())).toMatch(/<style>[^<]*\.returned::before \{ content: '✓ '[^<]*<\/style>/);
});

const WITHOUT_POST = {
  'a community’s post': [
    renderForMembers,
    {
      en: [
        'For the members of a community',
        'Only members of its community can read this post. If you are a member, log in to open it.',
        'Open it in Patikana',
      ],
      sw: [
        'Kwa wanachama wa jumuiya',
        'Tangazo hili linasomwa na wanachama wa jumuiya yake tu. Kama wewe ni mwanachama, ingia kwenye akaunti yako ulifungue.',
        'Fungua kwenye Patikana',
      ],
    },
    '/posts/siri',
  ],
  'a missing post': [
    renderAbsent,
    {
      en: ['This post is not available', 'It was removed, or the link is incomplete.', 'Browse the posts'],
      sw: ['Tangazo hili halipo', 'Limeondolewa, au kiungo hiki hakijakamilika.', 'Pitia matangazo'],
    },
    '/view-posts',
  ],
  'a post that failed to load': [
    renderFailure,
    {
      en: ['This page could not be loaded', 'Please open it again in a minute.'],
      sw: ['Ukurasa huu haukuweza kupakiwa', 'Tafadhali ufungue tena baada ya dakika moja.'],
    },
    null,
  ],
} as const;

test.each(Object.entries(WITHOUT_POST))(
  'in both languages the share page for %s says what the visitor can do next',
  (_what, parts) => {
    const [renderPage, texts, path] = parts;
    for (const language of ['en', 'sw'] as const) {
      const page = String(renderPage(placeIn(language)));
      const { head, foot } = AROUND[language];
      expect(textsOfPage(page)).toEqual([...head, ...texts[language], foot]);
      expect(page).toContain(`<title>${texts[language][0]} · Patikana</title>`);
      expect(page).toContain('<meta name="robots" content="noindex" />');
      expect(/class="button" href="([^"]*)"/.exec(page)?.[1] ?? null).toBe(path);
    }
  },
);

test('each share page has a link to the same page in the other language', () => {
  const linkTo = (language: Language, name: string) =>
    `<nav><a href="/p/siri?lang=${language}" hreflang="${language}" lang="${language}">${name}</a></nav>`;
  expect(render(aShared())).toContain(linkTo('sw', 'Kiswahili'));
  expect(render(aShared(), 'sw')).toContain(linkTo('en', 'English'));
  expect(render(aShared()).match(/og:locale:alternate/g)).toHaveLength(1);
});

test('the alternative text of a photo is the photo’s description; without a description, it contains the post’s title', () => {
  const altOf = (alt: string, language: Language) =>
    /<img[^>]* alt="([^"]*)"/.exec(
      render(aShared({ title: 'Begi $& {title}', photos: [{ ...PHOTO, alt }] }), language),
    )?.[1];
  expect(altOf('Begi jekundu', 'en')).toBe('Begi jekundu');
  expect(altOf('', 'en')).toBe('Photo of Begi $&amp; {title}');
  expect(altOf('', 'sw')).toBe('Picha ya Begi $&amp; {title}');
});

test('the meta description of a share page is the post’s description, or a sentence about Patikana if the post has none', () => {
  const descriptionOf = (description: string) =>
    /<meta name="description" content="([^"]*)"/.exec(render(aShared({ description })))?.[1];
  expect(descriptionOf(' \n ')).toBe('Patikana: lost and found for Tanzania');
  expect(descriptionOf(' Kava\n\n la\tbluu ')).toBe('Kava la bluu');
});

test('a link preview shows the post’s first photo; without a photo, a standard picture for the post’s kind and state', () => {
  const pictureOf = (preview: string | null, changes: Partial<Post> = {}) =>
    /<meta property="og:image" content="([^"]*)"/.exec(render(aShared(changes), 'sw', preview))?.[1];
  expect(pictureOf('/photos/p.jpg')).toBe('https://patikana.test/photos/p.jpg');
  expect(pictureOf(null)).toBe('https://patikana.test/previews/electronics-finder-sw.jpg');
  expect(pictureOf(null, { is_found: true })).toBe('https://patikana.test/previews/electronics-returned-sw.jpg');
});

const FAMILY = '👨‍👩‍👧';

test.each([
  ['a short text stays whole', 'x'.repeat(200), 'x'.repeat(200)],
  ['a long text ends with “…”', 'x'.repeat(201), `${'x'.repeat(199)}…`],
  ['a space before “…” is removed', `${'x'.repeat(198)} ${'y'.repeat(9)}`, `${'x'.repeat(198)}…`],
  ['an emoji is not cut in two', `${'x'.repeat(195)}${FAMILY}${'y'.repeat(9)}`, `${'x'.repeat(195)}…`],
])('the summary of a text in a link preview has at most 200 characters: %s', (_what, line, summary) => {
  expect(summarise(line)).toBe(summary);
});

test('the title in a link preview is one line, without invisible characters that change the text direction', () => {
  expect(toPlainLine(' Simu\r\n\tya\u0007  \u202eTecno\u2069 \u200f')).toBe('Simu ya Tecno');
});

test('a share page shows the day of the post in Tanzanian time, in the language of the page', () => {
  expect(formatShareDate('2026-11-20T20:59:59.999Z', 'en')).toBe('20 November 2026');
  expect(formatShareDate('2026-11-20T21:00:00.000Z', 'en')).toBe('21 November 2026');
  expect(formatShareDate('2026-01-20T21:00:00.000Z', 'sw')).toBe('21 Januari 2026');
});

test('a share page is in the language of the link, else in the browser’s language, else in Swahili', () => {
  expect(chooseShareLanguage('en', 'sw')).toBe('en');
  expect(chooseShareLanguage('de', 'en')).toBe('en');
  expect(chooseShareLanguage(undefined, undefined)).toBe('sw');
});
