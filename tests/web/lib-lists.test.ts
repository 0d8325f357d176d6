import { HttpResponse, http } from 'msw';
import { expect, onTestFinished, test, vi } from 'vitest';
import { membersQuery } from '#web/communities/api.ts';
import { readCupboard, todayQuery } from '#web/communities/desk-api.ts';
import { canBeClaimed } from '#web/lib/can-be-claimed.ts';
import { claimsOptions, listedClaims, waitsForReader } from '#web/lib/claims-query.ts';
import { toCommunityOptions } from '#web/lib/communities-query.ts';
import { callLink, whatsappLink } from '#web/lib/contact-links.ts';
import { firstWords } from '#web/lib/first-words.ts';
import { guessLanguage } from '#web/lib/guess-language.ts';
import { matchesTyped } from '#web/lib/matches-typed.ts';
import { queryClient } from '#web/lib/query-client.ts';
import { savesData } from '#web/lib/saves-data.ts';
import { thingNumber } from '#web/lib/thing-number.ts';
import { noticesOptions } from '#web/notices/api.ts';
import { aClaim } from './support/claims.ts';
import { SCHOOL } from './support/communities.ts';
import { aPost } from './support/posts.ts';
import { server } from './support/setup.ts';

test('a post can be addressed to the communities that are approved, by name', () => {
  const waiting = { ...SCHOOL, approval_status: 0 as const };
  const market = { ...SCHOOL, name: 'Soko la Ilala', community_code: 'SOKO' };
  const hospital = { ...SCHOOL, name: 'Hospitali ya Amana', community_code: 'HOSP' };
  expect(toCommunityOptions([market, waiting, hospital])).toEqual([
    { code: 'HOSP', name: 'Hospitali ya Amana' },
    { code: 'SOKO', name: 'Soko la Ilala' },
  ]);
});

test('only its admins can address a post to a suspended community', () => {
  const suspended = { ...SCHOOL, is_suspended: true };
  expect(toCommunityOptions([{ ...suspended, member_role: 'member' }])).toEqual([]);
  expect(toCommunityOptions([{ ...suspended, member_role: 'admin' }])).toHaveLength(1);
});

test('a claim that changes while its list is read is listed once, as it was last', () => {
  const [one, other] = [aClaim({ id: 'one' }), aClaim({ id: 'other' })];
  const changed = { ...one, status: 'accepted' as const };
  const pages = [
    { claims: [one, other], nextCursor: '1' },
    { claims: [changed], nextCursor: null },
  ];
  expect(listedClaims({ pages })).toEqual([changed, other]);
  expect(listedClaims(undefined)).toEqual([]);
});

test.each([
  ['finder', 'waiting', true],
  ['finder', 'accepted', true],
  ['finder', 'asked', false],
  ['claimant', 'asked', true],
  ['claimant', 'waiting', false],
  ['claimant', 'accepted', false],
] as const)('the next step is the %s’s while a claim is %s: %s', (role, status, waits) => {
  expect(waitsForReader(aClaim({ role, status }))).toBe(waits);
});

test.each([
  ['what somebody else has found', {}, true],
  ['what its owner looks for', { posted_by: 'owner' }, false],
  ['one’s own find', { is_mine: true }, false],
  ['what is back', { is_found: true }, false],
  ['what is hidden', { is_hidden: true }, false],
] as const)('whether a reader can say “this is mine” of %s', (_what, overrides, can) => {
  expect(canBeClaimed(aPost({ posted_by: 'finder', ...overrides }))).toBe(can);
});

test('a number can be called, and written to where it is long enough for WhatsApp', () => {
  expect(callLink('0712345678')).toBe('tel:0712345678');
  expect(whatsappLink('0712345678', 'Habari & karibu')).toBe('https://wa.me/255712345678?text=Habari%20%26%20karibu');
  expect(whatsappLink('112', 'Habari')).toBeNull();
  expect(whatsappLink('+12345678', 'Habari')).toBeNull();
  expect(whatsappLink('+123456789', 'Habari')).toBe('https://wa.me/123456789?text=Habari');
});

test.each([
  ['simu', true],
  ['NEEMA kariakoo', true],
  ['mushi', true],
  ['simu moshi', false],
  ['bluu', false],
])('a post at hand fits what is typed by every word of its title, names and place: %s', (typed, fits) => {
  expect(matchesTyped(aPost({ title: 'Simu nyeusi', description: 'Ina kava la bluu' }), typed)).toBe(fits);
});

test('a thing has the same six digits on every list, and another thing others', () => {
  expect(thingNumber('a')).toBe('000 097');
  expect(thingNumber('ab')).toBe('003 105');
  expect(thingNumber('post-1')).toMatch(/^\d{3} \d{3}$/);
});

test.each([
  ['Nimeokota pochi nyeusi kwenye daladala', 'sw'],
  ['I FOUND a black wallet on the bus', 'en'],
  ['Tecno', null],
  ['Pochi, wallet', null],
  ['', null],
])('the language of %j is told by its small words, where they are of one: %s', (text, language) => {
  expect(guessLanguage(text)).toBe(language);
});

test('who writes first begins in the language of the other one, or in each where nobody can tell it', () => {
  const [english, swahili] = [
    'Hello, I saw your post on Patikana: A bag for $& 5',
    'Habari, nimeona tangazo lako kwenye Patikana: A bag for $& 5',
  ];
  const title = 'A bag for $& 5';
  expect(firstWords(title, 'Nimeokota begi', 'post')).toBe(swahili);
  expect(firstWords(title, 'I found it', 'post')).toBe(english);
  expect(firstWords(title, 'Tecno', 'post').split('\n').sort()).toEqual([swahili, english].sort());
});

test.each([
  ['the phone asks for it', { saveData: true }, '', true],
  ['its person asks for it', undefined, '(prefers-reduced-data: reduce)', true],
  ['nobody asks for it', { saveData: false }, '(prefers-reduced-motion: reduce)', false],
  ['nobody can say so', undefined, null, false],
] as const)('whether data is saved where %s', (_who, connection, wish, isSaved) => {
  Object.defineProperty(navigator, 'connection', { configurable: true, value: connection });
  onTestFinished(() => void Reflect.deleteProperty(navigator, 'connection'));
  vi.stubGlobal('matchMedia', wish === null ? undefined : (query: string) => ({ matches: query === wish }));
  onTestFinished(() => void vi.unstubAllGlobals());
  expect(savesData()).toBe(isSaved);
});

test('of each list as much is asked for at once as its screen can show', async () => {
  const asked: string[] = [];
  server.use(
    http.get('*/api/*', ({ request }) => {
      const { pathname, searchParams } = new URL(request.url);
      asked.push(`${pathname.replace('/api', '')} ${searchParams.get('limit')} ${searchParams.get('cursor')}`);
      return HttpResponse.json(pathname.endsWith('/notices') ? { unread_count: 0, notices: [] } : []);
    }),
  );
  await queryClient.fetchInfiniteQuery(claimsOptions);
  await queryClient.fetchInfiniteQuery(noticesOptions);
  await queryClient.fetchInfiniteQuery(membersQuery('school'));
  await queryClient.fetchQuery(todayQuery('a-user', 'MBEZ2345'));
  await readCupboard('MBEZ2345');
  expect(asked).toEqual([
    '/claims 50 null',
    '/notices 20 null',
    '/communities/school/members 100 null',
    '/posts/by-owner 100 null',
    '/posts 100 null',
  ]);
});
