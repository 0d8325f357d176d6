import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { AdminPerson } from '#contract/admin.ts';
import { formatDate } from '#web/lib/format.ts';
import { formatNumber } from '#web/lib/format-number.ts';
import { useFailure } from '#web/lib/use-failure.ts';
import { useOwnTitle } from '#web/lib/use-title.ts';
import { personQuery } from './api.ts';
import { BackToAdmin } from './back-to-admin.tsx';
import { ListFailure, ListSkeleton } from './list-states.tsx';
import { PostLinks, SuspendedBadge } from './look-up.tsx';
import { Past } from './past.tsx';
import { Standing } from './standing.tsx';

/** What is known of a person, and the way to suspend them. */
export function PersonPage({ id }: { id: string }) {
  const { t } = useTranslation('admin');
  const person = useQuery(personQuery(id));
  const failure = useFailure(person);
  useOwnTitle(person.data?.username ?? t('title'));
  return (
    <div className="mx-auto grid w-full max-w-3xl gap-5">
      <BackToAdmin />
      {failure && <ListFailure error={failure} list={person} />}
      {person.isPending && !failure && <ListSkeleton />}
      {person.data && <WholePerson person={person.data} />}
    </div>
  );
}

function WholePerson({ person }: { person: AdminPerson }) {
  const { t } = useTranslation('admin');
  return (
    <>
      <h1 dir="auto" className="wrap-anywhere">
        {person.username}
      </h1>
      {person.is_suspended && <SuspendedBadge />}
      <dl className="card grid gap-x-6 gap-y-1 sm:grid-cols-[auto_1fr]">
        <Fact name={t('email')}>{person.email}</Fact>
        <Fact name={t('number')}>
          {person.whatsapp_number === null
            ? t('numberNone')
            : t(person.is_number_proven ? 'numberProven' : 'numberNotProven', { number: person.whatsapp_number })}
        </Fact>
        <Fact name={t('accountSince')}>{formatDate(person.created_at)}</Fact>
        <Fact name={t('postCount')}>{formatNumber(person.post_count)}</Fact>
        <Fact name={t('reportsAgainst')}>{formatNumber(person.reports_against)}</Fact>
        <Fact name={t('reportsMade')}>{formatNumber(person.reports_made)}</Fact>
        {person.is_platform_admin && <Fact name={t('role')}>{t('isAdmin')}</Fact>}
      </dl>
      <Standing person={person} />
      <section className="grid gap-3">
        <h2>{t('posts')}</h2>
        {person.posts.length === 0 && <p className="text-muted">{t('noPosts')}</p>}
        <PostLinks posts={person.posts} />
      </section>
      <Past reports={person.reports} log={person.log} />
    </>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-muted">{name}</dt>
      <dd dir="auto" className="wrap-anywhere mb-2 sm:mb-0">
        {children}
      </dd>
    </>
  );
}
