import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { SEARCH_MAX_CHARS } from '#contract/limits.ts';
import type { KnownPerson } from '#contract/moderation.ts';
import type { Post } from '#contract/posts.ts';
import { AdminQueryState } from '#web/admin/admin-query-state.tsx';
import { type DeletedCase, type QueuedCase, searchQuery } from '#web/admin/api.ts';
import { useTypedParam } from '#web/lib/address.ts';
import { formatDate } from '#web/lib/format.ts';
import { Badge } from '#web/ui/badge.tsx';
import { SearchField } from '#web/ui/choice-fields.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';

/** Searches for people and posts. The address holds the search, so that going back restores it. */
export function LookUp() {
  const { t } = useTranslation('admin');
  const { settled, typed, setTyped } = useTypedParam('q');
  const q = settled.trim();
  const found = useQuery({ ...searchQuery(q), placeholderData: keepPreviousData });
  const { people = [], posts = [] } = found.data ?? {};
  const isEmpty = people.length + posts.length === 0;
  return (
    <div className="grid gap-4">
      <SearchField
        label={t('lookUpLabel')}
        clearLabel={t('clearSearch')}
        maxLength={SEARCH_MAX_CHARS}
        value={typed}
        onChange={setTyped}
      />
      {q === '' ? (
        <p className="text-muted">{t('lookUpText')}</p>
      ) : (
        <AdminQueryState query={found} empty={isEmpty && <EmptyState icon="search" title={t('lookUpNothing')} />}>
          {() => (
            <>
              {people.length > 0 && (
                <section className="grid gap-3">
                  <h2>{t('people')}</h2>
                  <PersonLinks people={people} />
                </section>
              )}
              {posts.length > 0 && (
                <section className="grid gap-3">
                  <h2>{t('posts')}</h2>
                  <PostLinks posts={posts} />
                </section>
              )}
            </>
          )}
        </AdminQueryState>
      )}
    </div>
  );
}

function PersonLinks({ people }: { people: readonly KnownPerson[] }) {
  const { t } = useTranslation('admin');
  return (
    <ul className="grid gap-3">
      {people.map((person) => (
        <li key={person.id} className="card grid gap-1">
          <Link dir="auto" className="link wrap-anywhere py-1 font-semibold" to={{ search: `?person=${person.id}` }}>
            {person.username}
          </Link>
          <p className="text-muted text-sm">{t('since', { date: formatDate(person.created_at) })}</p>
          {person.is_suspended && <SuspendedBadge />}
        </li>
      ))}
    </ul>
  );
}

export function SuspendedBadge() {
  const { t } = useTranslation('admin');
  return (
    <span>
      <Badge tone="lost" icon="alert">
        {t('suspended')}
      </Badge>
    </span>
  );
}

export function PostLinks({ posts }: { posts: readonly Post[] }) {
  const { t } = useTranslation('admin');
  return (
    <ul className="grid gap-3">
      {posts.map((post) => (
        <li key={post.id} className="card grid gap-1">
          <Link dir="auto" className="link wrap-anywhere py-1 font-semibold" to={{ search: `?post=${post.id}` }}>
            {post.title}
          </Link>
          <p className="text-muted text-sm">{formatDate(post.created_at)}</p>
          {post.is_hidden && (
            <span>
              <Badge tone="plain" icon="eyeOff">
                {t('hidden')}
              </Badge>
            </span>
          )}
        </li>
      ))}
    </ul>
  );
}

/** The author and the reporters of a case. */
export function KnownPeople({ entry: { author, reporters } }: { entry: QueuedCase | DeletedCase }) {
  const { t } = useTranslation('admin');
  return (
    <div className="grid gap-3 text-sm">
      <Person role={t('queue.author')} person={author} />
      {reporters.length > 0 && (
        <details>
          <summary className="min-h-11 cursor-pointer content-center font-semibold">
            {t('queue.reporters', { count: reporters.length })}
          </summary>
          <div className="grid gap-3 pt-1">
            {reporters.map((person) => (
              <Person key={person.id} role={t('queue.reporter')} person={person} />
            ))}
          </div>
        </details>
      )}
    </div>
  );
}

/** @param role the person's part in a reported case, such as "Author". */
export function Person({ role, person }: { role: string; person: KnownPerson }) {
  const { t } = useTranslation('admin');
  const facts = [
    t('queue.since', { date: formatDate(person.created_at) }),
    t(person.is_number_proven ? 'queue.numberProven' : 'queue.numberNotProven'),
    t('queue.postCount', { count: person.post_count }),
    t('queue.reportsAgainst', { count: person.reports_against }),
    t('queue.reportsMade', { count: person.reports_made }),
    ...(person.is_suspended ? [t('queue.isSuspended')] : []),
  ];
  return (
    <section className="grid gap-0.5">
      <h3 className="wrap-anywhere font-semibold">
        {role}:{' '}
        <Link className="link" to={{ search: `?person=${person.id}` }}>
          <bdi>{person.username}</bdi>
        </Link>
      </h3>
      <ul className="flex flex-wrap gap-x-4 text-muted">
        {facts.map((fact) => (
          <li key={fact}>{fact}</li>
        ))}
      </ul>
    </section>
  );
}
