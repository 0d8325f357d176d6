import type { READERS } from './fill-people.ts';

export type Route = {
  name: string;
  as: 'visitor' | keyof typeof READERS;
  /** @param size the number of posts in the database. */
  path: (size: number) => string;
};

/** The number of posts per page of the app's list of posts. */
const LIMIT = 20;

const search = (text: string, more = '') => `/api/posts?limit=${LIMIT}&search=${encodeURIComponent(text)}${more}`;
const list = (query: string) => `/api/posts?limit=${LIMIT}${query}`;
const since = new Date(Date.now() - 7 * 24 * 60 * 60 * 1000).toISOString();

const LISTS: [string, string][] = [
  ['the newest', list('')],
  ['lost ones', list('&posted_by=owner')],
  ['one kind', list('&kind=document')],
  ['open ones', list('&open=1')],
  ['of the last week', list(`&since=${since}`)],
  ['at a place', list('&place=kariakoo')],
  ['all of that', list(`&posted_by=finder&kind=document&open=1&since=${since}&place=kariakoo`)],
];

const SEARCHES: [string, string][] = [
  ['one word', search('simu')],
  ['two common words', search('simu nyeusi')],
  ['two that are seldom together', search('simu mbuzi')],
  ['a word that is rare', search('mwakyusa')],
  ['a word that is nowhere', search('hakunakabisa')],
  ['trigrams of common words', search('simuka')],
  ['a phrase', search('dar es salaam')],
  ['one letter', search('y')],
  ['two letters', search('ka')],
  ['two letters that are rare', search('xq')],
  ['a word and two letters', search('simu xq')],
  ['one word, of a kind that seldom has it', search('simu', '&kind=animal')],
];

/**
 * Searches that find posts only by meaning, because no post contains all their words. The last search may fit more
 * posts than the Worker compares.
 */
const MEANT: [string, string][] = [
  ['a thing', search('rununu')],
  ['a thing in a place', search('rununu dsm')],
  ['a thing, a colour and a make', search('handset bleki aitel')],
  ['a thing that is rare', search('rununu kigoma mjini')],
  ['what is near it', search('handset bleki hakunakabisa')],
];

/** Every route that reads posts or their related rows. */
export const ROUTES: Route[] = [
  ...LISTS.map(([name, path]) => visitor(`list: ${name}`, path)),
  visitor('list: far down', (size) => list(`&cursor=${Math.floor(size / 2)}`)),
  ...SEARCHES.map(([name, path]) => visitor(`search: ${name}`, path)),
  ...MEANT.map(([name, path]) => visitor(`by meaning: ${name}`, path)),
  visitor('one post', (size) => `/api/posts/post-${size - 1}`),
  visitor('its page for sharing', (size) => `/p/post-${size - 1}`),
  reader('list: the newest', list('')),
  ...SEARCHES.map(([name, path]) => reader(`search: ${name}`, path)),
  ...MEANT.map(([name, path]) => reader(`by meaning: ${name}`, path)),
  reader('one post', (size) => `/api/posts/post-${size - 1}`),
  reader('my posts', `/api/posts/by-owner?limit=${LIMIT}`),
  reader('matches of a post', (size) => `/api/posts/post-${size}/matches`),
  reader('counts of matches', '/api/matches/counts'),
  reader("a community's posts", list('&community_code=K2222222')),
  reader('by meaning in it', search('rununu', '&community_code=K2222222')),
  reader('a search in it', search('simu mbuzi', '&community_code=K2222222')),
  reader('notices', `/api/notices?limit=${LIMIT}`),
  reader('my communities', '/api/communities'),
  reader('communities to join', `/api/communities/approved?limit=${LIMIT}`),
  { name: 'find: a word', as: 'admin', path: () => '/api/admin/search?q=simu%20mbuzi' },
  { name: 'a person', as: 'admin', path: () => '/api/admin/users/reader' },
  { name: 'a post', as: 'admin', path: (size) => `/api/admin/posts/post-${size}` },
  { name: 'the week', as: 'admin', path: () => '/api/admin/week' },
  { name: 'reports', as: 'admin', path: () => '/api/admin/reports?status=open' },
  { name: 'communities', as: 'admin', path: () => '/api/admin/communities' },
];

export const BASELINES: Route[] = [
  visitor('LIKE over all', '/baseline/like?word=simu&word=mbuzi'),
  visitor('bm25 over all that is found', '/baseline/bm25?word=simu&word=mbuzi'),
];

function visitor(name: string, path: string | Route['path']): Route {
  return { name, as: 'visitor', path: typeof path === 'string' ? () => path : path };
}

function reader(name: string, path: string | Route['path']): Route {
  return { ...visitor(name, path), as: 'reader' };
}
