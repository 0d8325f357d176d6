import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { AdminPost } from '#contract/admin.ts';
import { AdminQueryState } from '#web/admin/admin-query-state.tsx';
import { postQuery } from '#web/admin/api.ts';
import { formatDate } from '#web/lib/format.ts';
import { paths, postPath } from '#web/lib/paths.ts';
import { useOwnTitle } from '#web/lib/title.ts';
import { useGoBack } from '#web/lib/use-go-back.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Button } from '#web/ui/button.tsx';
import { Past } from './log.tsx';
import { SuspendedBadge } from './look-up.tsx';

/** Everything that admins can see of a post, also if it is hidden. */
export function PostPage({ id }: { id: string }) {
  const { t } = useTranslation('admin');
  const page = useQuery(postQuery(id));
  useOwnTitle(page.data?.post.title ?? t('title'));
  return (
    <div className="mx-auto grid w-full max-w-3xl gap-5">
      <BackToAdmin />
      <AdminQueryState query={page}>{(known) => <WholePost page={known} />}</AdminQueryState>
    </div>
  );
}

function WholePost({ page: { post, author, reports, log } }: { page: AdminPost }) {
  const { t } = useTranslation('admin');
  return (
    <>
      <h1 dir="auto" className="wrap-anywhere">
        {post.title}
      </h1>
      <div className="card grid gap-2">
        {post.hidden_by.length > 0 && (
          <ul className="flex flex-wrap gap-2">
            {post.hidden_by.map((by) => (
              <li key={by}>
                <Badge tone="plain" icon="eyeOff">
                  {t(`hiddenBy.${by}`)}
                </Badge>
              </li>
            ))}
          </ul>
        )}
        <p className="text-muted text-sm">{t('postedOn', { date: formatDate(post.created_at) })}</p>
        <p dir="auto">{post.location}</p>
        {post.community_name && <p dir="auto">{post.community_name}</p>}
        {post.phone_number && <p>{post.phone_number}</p>}
        {post.description && (
          <p dir="auto" className="wrap-anywhere whitespace-pre-line">
            {post.description}
          </p>
        )}
        <Link className="link justify-self-start py-1" to={postPath(post.id)}>
          {t('openInApp')}
        </Link>
      </div>
      <section className="grid gap-3">
        <h2>{t('author')}</h2>
        <div className="card grid gap-1">
          <Link dir="auto" className="link wrap-anywhere py-1 font-semibold" to={{ search: `?person=${author.id}` }}>
            {author.username}
          </Link>
          <p className="text-muted text-sm">{t('since', { date: formatDate(author.created_at) })}</p>
          {author.is_suspended && <SuspendedBadge />}
        </div>
      </section>
      <Past reports={reports} log={log} />
    </>
  );
}

/** Goes back to the previous screen, such as the search or log. If the visit began here, goes to the administration. */
export function BackToAdmin() {
  const { t } = useTranslation('admin');
  const back = useGoBack(paths.admin);
  return (
    <Button look="quiet" icon="back" className="justify-self-start px-2!" onClick={back}>
      {t('back')}
    </Button>
  );
}
