import { expect, test } from 'vitest';
import { HOUR_MS } from '#contract/durations.ts';
import { isGranted, signAddress } from '#worker/photos/photo-address.ts';
import { findOgPicture, presentPhotos } from '#worker/photos/photo-rules.ts';
import { fileNamesOf, RENDITIONS } from '#worker/photos/renditions.ts';
import { canSeePhotos, photoAudienceOf } from '#worker/posts/visibility.ts';

const KEY = 'the-key-that-signs-photo-addresses';
const NOW = Date.parse('2026-11-22T12:34:56Z');
const [AUTHOR, READER] = ['author', 'reader'].map((userId) => ({ userId, tokenVersion: 1, sessionId: '' }));

const photo = (id: string, has_og = 1) => ({ id, width: 320, height: 240, alt: `Picha ${id}`, has_og });

const PHOTOS = JSON.stringify([photo('a'), photo('b')]);
const somePost = (overrides: object = {}) => {
  return { author_id: 'author', community_id: null, kind: 'bag', hidden_by: 0, away_since: null, ...overrides };
};
const asTyped = (text: string) => text;

const present = (audience: string | null, redact = asTyped) =>
  presentPhotos(PHOTOS, { audience, key: KEY, redact }, NOW);

test('a public photo is shown with its size, its description and addresses that are not signed', () => {
  expect(present(null)).toEqual([
    {
      id: 'a',
      url: '/photos/a.webp',
      thumbnail_url: '/photos/a-thumbnail.webp',
      width: 320,
      height: 240,
      alt: 'Picha a',
    },
    {
      id: 'b',
      url: '/photos/b.webp',
      thumbnail_url: '/photos/b-thumbnail.webp',
      width: 320,
      height: 240,
      alt: 'Picha b',
    },
  ]);
});

test.each([
  ['a document’s, community or not', { kind: 'document', community_id: 'c' }, 'author'],
  ['a hidden post’s', { hidden_by: 1, community_id: 'c' }, 'who sees it all the same'],
  ['a resting post’s', { away_since: 1 }, 'who sees it all the same'],
  ['a community’s', { community_id: 'c' }, 'community c'],
  ['any other', {}, null],
])('%s photos are for %3$s', (_what, overrides, audience) => {
  expect(photoAudienceOf(somePost(overrides))).toBe(audience);
});

test('what is not for everybody has addresses that are good for one to two hours, the same ones within an hour', () => {
  const [first] = present('community c');
  const granted = { photoId: 'a', audience: 'community c' };
  const query = Object.fromEntries(new URL(first?.url ?? '', 'https://patikana.test').searchParams);
  expect(Object.keys(query)).toEqual(['expires', 'signature']);
  expect(query.expires).toBe(String(Date.parse('2026-11-22T14:00:00Z')));
  expect(first?.thumbnail_url).toBe(first?.url.replace('.webp', '-thumbnail.webp'));
  const hour = Date.parse('2026-11-22T12:00:00Z');
  expect(signAddress(KEY, granted, hour)).toBe(signAddress(KEY, granted, hour + HOUR_MS - 1));
  expect(signAddress(KEY, granted, hour)).not.toBe(signAddress(KEY, granted, hour - 1));
  expect(isGranted(KEY, granted, query, hour + 2 * HOUR_MS - 1)).toBe(true);
  expect(isGranted(KEY, granted, query, hour + 2 * HOUR_MS)).toBe(false);
  for (const other of [
    { ...granted, photoId: 'b' },
    { ...granted, audience: 'author' },
  ])
    expect(isGranted(KEY, other, query, NOW)).toBe(false);
  const later = { ...query, expires: String(Number(query.expires) + 1) };
  for (const changed of [{}, later, { ...query, signature: '' }, { ...query, signature: 'x'.repeat(43) }])
    expect(isGranted(KEY, granted, changed, NOW)).toBe(false);
  expect(isGranted(`${KEY}!`, granted, query, NOW)).toBe(false);
});

test('a description is shown as its reader may read it', () => {
  const alts = present(null, (text) => text.toUpperCase()).map(({ alt }) => alt);
  expect(alts).toEqual(['PICHA A', 'PICHA B']);
});

test('a document’s photos are shown to its author alone', () => {
  const document = somePost({ kind: 'document' });
  expect([AUTHOR, READER, null].map((viewer) => canSeePhotos(document, viewer ?? null))).toEqual([true, false, false]);
  expect([AUTHOR, READER, null].map((viewer) => canSeePhotos(somePost(), viewer ?? null))).toEqual([true, true, true]);
});

test('the picture to share is the first photo’s, if it has one and everybody may see it', () => {
  expect(findOgPicture(PHOTOS, null)).toBe('/photos/a-og.jpg');
  expect(findOgPicture(JSON.stringify([photo('a', 0), photo('b')]), null)).toBeNull();
  expect(findOgPicture('[]', null)).toBeNull();
  expect(findOgPicture(PHOTOS, 'community c')).toBeNull();
});

test('a photo is three files, each of its type', () => {
  expect(fileNamesOf('a')).toEqual(['a.webp', 'a-thumbnail.webp', 'a-og.jpg']);
  expect(Object.values(RENDITIONS).map(({ type }) => type)).toEqual(['image/webp', 'image/webp', 'image/jpeg']);
});
