import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { SEARCH_MAX_CHARS } from '#contract/limits.ts';
import type { KnownPerson } from '#contract/moderation.ts';
import type { Post } from '#contract/posts.ts';
import { formatDate } from '#web/lib/format.ts';
import { useFailure } from '#web/lib/use-failure.ts';
import { useTypedParam } from '#web/lib/use-typed-param.ts';
import { Badge } from '#web/ui/badge.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { SearchField } from '#web/ui/search-field.tsx';
import { searchQuery } from './api.ts';
import { ListFailure, ListSkeleton } from './list-states.tsx';

/** A person or a post, by whatever is known of them; what was looked for stays in the address, for the way back. */
export function LookUp() {
  const { t } = useTranslation('admin');
  const { settled, typed, setTyped } = useTypedParam('q');
  const q = settled.trim();
  const found = useQuery({ ...searchQuery(q), placeholderData: keepPreviousData });
  const failure = useFailure(found);
  const { people = [], posts = [] } = (q !== '' && !failure && found.data) || {};
  const isEmpty = q !== '' && found.isSuccess && people.length + posts.length === 0;
  return (
    <div className="grid gap-4">
      <SearchField
        label={t('lookUpLabel')}
        clearLabel={t('clearSearch')}
        maxLength={SEARCH_MAX_CHARS}
        value={typed}
        onChange={setTyped}
      />
      {failure && <ListFailure error={failure} list={found} />}
      {q !== '' && found.isPending && !failure && <ListSkeleton />}
      {q === '' && <p className="text-muted">{t('lookUpText')}</p>}
      {isEmpty && <EmptyState icon="search" title={t('lookUpNothing')} />}
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
