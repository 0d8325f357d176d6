import type { DatabaseSync } from 'node:sqlite';
import { DAY_MS } from '#contract/durations.ts';
import type { PostKind } from '#contract/kinds.ts';
import { readSet } from '#tests/bench/matching/read-fixtures.ts';
import { partsOf, recombine } from '#tests/bench/matching/synthetic-posts.ts';
import { valuesOf } from '#worker/matching/find-candidates.ts';
import { indexTerms } from '#worker/matching/index-terms.ts';
import { readKind } from '#worker/matching/reading/read-kind.ts';
import { encodeReading, type MatchablePost, readingVersion, readPost } from '#worker/matching/reading/read-post.ts';
import { type Meaning, meaningOf } from '#worker/matching/search-terms.ts';
import { type SearchTexts, searchTextsOf } from '#worker/posts/search-texts.ts';
import { peopleAmong, READER_POSTS } from './fill-people.ts';

const ROWS_PER_TRANSACTION = 20_000;
/** All databases contain three years of posts, so a bigger database has more posts a day. */
const AGE_MS = 3 * 365 * DAY_MS;
/** The newest posts are open. Older posts rest, are closed or returned, except a few that their authors keep open. */
const OPEN_SHARE = 0.2;
const KEPT_OPEN_SHARE = 0.05;
const FOUND_SHARE = 0.15;
/** The share of posts that belong to a community. */
const INSIDE_SHARE = 0.15;
const HIDDEN_SHARE = 0.002;
const HIDDEN_BY_ADMIN = 4;
/** The share of open posts with a match. */
const PAIRED_SHARE = 0.3;

type Filling = { size: number; communities: string[]; now: number; random: () => number };

/** A post's columns besides its text. */
type Circumstances = ReturnType<typeof circumstancesOf>;

export function fillPosts(db: DatabaseSync, filling: Filling): void {
  const posts = makePosts(filling.random);
  const [insertPost, insertMatching, insertMeaning] = [preparePost(db), prepareMatching(db), prepareMeaning(db)];
  for (let seq = 1; seq <= filling.size; seq++) {
    if (seq % ROWS_PER_TRANSACTION === 1) db.exec('begin');
    const made = posts[Math.floor(posts.length * filling.random())] as MadePost;
    const circumstances = circumstancesOf(seq, filling);
    insertPost(made, circumstances);
    if (circumstances.isOpen) insertMatching(made, circumstances);
    const isListed = (circumstances.isOpen || circumstances.isFound) && !circumstances.isHidden;
    if (isListed) insertMeaning(made, circumstances);
    if (seq % ROWS_PER_TRANSACTION === 0 || seq === filling.size) db.exec('commit');
  }
}

function circumstancesOf(seq: number, { size, communities, now, random }: Filling) {
  const isReaders = (size - seq) % Math.floor(size / READER_POSTS) === 0;
  const isOpen = seq > size * (1 - OPEN_SHARE) || random() < KEPT_OPEN_SHARE;
  return {
    seq,
    id: `post-${seq}`,
    author: isReaders ? 'reader' : `person-${Math.floor(peopleAmong(size) * random())}`,
    // A few communities have most of the posts.
    community: random() < INSIDE_SHARE ? (communities[Math.floor(communities.length * random() ** 2)] ?? null) : null,
    createdAt: now - AGE_MS + Math.floor((AGE_MS * seq) / size),
    isOpen,
    isFound: !isOpen && random() < FOUND_SHARE,
    isHidden: random() < HIDDEN_SHARE,
    isPaired: isReaders || random() < PAIRED_SHARE,
  };
}

function preparePost(db: DatabaseSync) {
  const insert = db.prepare(`insert into posts (seq, id, author_id, community_id, title, owner_first_name,
      owner_last_name, location, phone_number, description, posted_by, kind, is_found, found_at, away_since, outcome,
      hidden_by, search_text, reader_text, visitor_text, search_version, created_at, changed_at)
    values (?, ?, ?, ?, ?, ?, ?, ?, '0712345678', ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`);
  return ({ post, kind, texts }: MadePost, around: Circumstances): void => {
    const { isOpen, isFound, createdAt } = around;
    const [foundAt, awaySince] = [isFound ? createdAt + DAY_MS : null, isOpen || isFound ? null : createdAt + DAY_MS];
    const written = [post.title, post.owner_first_name, post.owner_last_name, post.location, post.description];
    const standing = [Number(isFound), foundAt, awaySince, isFound ? 'returned' : null];
    const { search_text, reader_text, visitor_text, search_version } =
      around.community === null ? texts.open : texts.inside;
    const searched = [search_text, reader_text, visitor_text, search_version];
    const hiddenBy = around.isHidden ? HIDDEN_BY_ADMIN : 0;
    const owner = [around.seq, around.id, around.author, around.community];
    insert.run(...owner, ...written, post.posted_by, kind, ...standing, hiddenBy, ...searched, createdAt, createdAt);
  };
}

/** Prepares the insertion of the terms and words by which a search by meaning finds a post. */
function prepareMeaning(db: DatabaseSync) {
  const insert = db.prepare(
    'insert into search_meanings (post_seq, version, scope, terms, words) values (?, ?, ?, ?, ?)',
  );
  const term = db.prepare('insert into search_terms (scope, term, post_seq) values (?, ?, ?)');
  return ({ meaning }: MadePost, { seq, community }: Circumstances): void => {
    const scope = community ?? '';
    insert.run(seq, readingVersion(), scope, JSON.stringify(meaning.terms), meaning.words);
    for (const one of meaning.indexed) term.run(scope, one, seq);
  };
}

/** Prepares the insertion of the rows that the matching needs for an open post, and of a match and its notice. */
function prepareMatching(db: DatabaseSync) {
  const term = db.prepare('insert into match_terms (posted_by, term, post_seq) values (?, ?, ?)');
  const reading = db.prepare('insert into match_readings (post_seq, version, reading, agreeable) values (?, ?, ?, ?)');
  const pair = db.prepare(`insert into match_pairs (id, lost_post_id, found_post_id, score, reasons, notice_id,
      created_at) values (?, ?, ?, 0.9, '[]', ?, ?)`);
  const notice = db.prepare(`insert into notices (id, recipient_id, type, pair_id, confidence, your_post_id, post_id,
      created_at, place_in_day, delivered_at) values (?, ?, 'matching_post', ?, 'sure', ?, ?, ?, 0, ?)`);
  const newest = { owner: '', finder: '' };
  return ({ post, ...read }: MadePost, { seq, id, author, createdAt, isPaired }: Circumstances): void => {
    for (const one of read.terms) term.run(post.posted_by, one, seq);
    reading.run(seq, readingVersion(), read.reading, read.agreeable);
    newest[post.posted_by] = id;
    const other = post.posted_by === 'owner' ? newest.finder : newest.owner;
    if (!isPaired || other === '') return;
    pair.run(`pair-${seq}`, newest.owner, newest.finder, `notice-${seq}`, createdAt);
    notice.run(`notice-${seq}`, author, `pair-${seq}`, id, other, createdAt, createdAt);
  };
}

/** The number of posts made from each fixture: real people also write similar posts about similar things. */
const MADE_OF_EACH = 20;
const SOME_COMMUNITY = 'some-community';

type MadePost = {
  post: MatchablePost;
  kind: PostKind;
  /** The searchable texts of the post if it is public (`open`) or in a community (`inside`). */
  texts: { open: SearchTexts; inside: SearchTexts };
  /** `terms`, `reading` and `agreeable`: the results of analysing the post for matching, as stored in the database. */
  terms: string[];
  reading: string;
  agreeable: string;
  /** The terms with which searches by meaning find the post. */
  meaning: Meaning;
};

/**
 * Creates realistic posts from the matching's fixtures. Each new post combines the thing of one fixture, the place of
 * another, and random names and numbers. To analyse each new post would take too long, so the new post gets the
 * analysis (`readPost`) of the fixture from which its thing comes.
 */
function makePosts(random: () => number): MadePost[] {
  const written = readSet([]).flatMap(({ lost, found }) => [lost, found]);
  const all = partsOf(written);
  return all.patterns.flatMap((pattern) => {
    const reading = readPost(pattern.post);
    const kind = readKind(reading);
    const read = {
      terms: [...new Set(indexTerms(reading))],
      reading: encodeReading(reading),
      agreeable: JSON.stringify(valuesOf(reading)),
      meaning: meaningOf(pattern.post, reading),
    };
    return Array.from({ length: MADE_OF_EACH }, () => {
      const post = recombine({ ...all, patterns: [pattern] }, random);
      const texts = { open: searchTextsOf(post, kind, null), inside: searchTextsOf(post, kind, SOME_COMMUNITY) };
      return { post, kind, texts, ...read };
    });
  });
}
