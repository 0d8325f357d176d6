import { expect, test } from 'vitest';
import { addressToOpen, toNotice } from '#web/service-worker/pushed-notice.ts';

const PUSH = {
  type: 'matching_post',
  id: 'notice-1',
  title: 'Somebody has found a document',
  body: 'Open Patikana to see whether it is yours.',
  url: '/posts/found-post',
  language: 'en',
  silent: false,
};

function show(overrides: object = {}) {
  return toNotice(JSON.stringify({ ...PUSH, ...overrides }));
}

test.each([
  ['en', 'View', 'Not this one'],
  ['sw', 'Tazama', 'Si hiki'],
])('a matching notice is shown in %s, and can be looked at or refused', (language, view, notThis) => {
  const { title, options } = show({ language });
  expect(title).toBe(PUSH.title);
  expect(options).toMatchObject({ body: PUSH.body, lang: language, tag: 'notice-1', silent: false });
  expect(options.actions.map((action) => action.title)).toEqual([view, notThis]);
  expect(addressToOpen(options.data, '')).toBe('/posts/found-post');
  expect(addressToOpen(options.data, 'view')).toBe('/posts/found-post');
  expect(addressToOpen(options.data, 'dismiss')).toBe('/notices?dismiss=notice-1');
});

test('only a match can be refused, and in the quiet hours nothing sounds', () => {
  const { options } = show({ type: 'community_approved', silent: true });
  expect(options.actions.map(({ action }) => action)).toEqual(['view']);
  expect(options.silent).toBe(true);
});

test('a language that the app does not speak leaves the sentences, and names the buttons in English', () => {
  const { options } = show({ language: 'fr' });
  expect(options).not.toHaveProperty('lang');
  expect(options.actions[0]?.title).toBe('View');
});

test.each([
  ['nothing', null],
  ['no JSON', 'habari'],
  ['a number', '7'],
  ['null', 'null'],
  ['no id', JSON.stringify({ ...PUSH, id: undefined })],
  ['an empty title', JSON.stringify({ ...PUSH, title: '' })],
  ['a body that is no text', JSON.stringify({ ...PUSH, body: { html: '<b>' } })],
])('a push with %s is shown all the same, in both languages', (_what, text) => {
  const { title, options } = toNotice(text);
  expect(title).toBe('Patikana');
  expect(options.body).toBe('You have a new notice.\nUna arifa mpya.');
  expect(addressToOpen(options.data, '')).toBe('/notices');
  expect(addressToOpen(options.data, 'dismiss')).toBe('/notices');
});

test.each([
  'https://evil.example/',
  '//evil.example/',
  '/\\evil.example',
  'javascript:alert(1)',
  'posts/1',
  7,
  undefined,
])('a push leads nowhere else than into the app: %s', (url) => {
  expect(addressToOpen(show({ url }).options.data, '')).toBe('/notices');
});
