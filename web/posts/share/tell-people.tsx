import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useSession } from '#web/api/session.ts';
import { posterPath } from '#web/lib/paths.ts';
import { postOptions } from '#web/posts/queries.ts';
import { ButtonLink } from '#web/ui/button.tsx';
import { SharePost } from './share-post.tsx';

/** Asks the author of a new post to share it: most items come back through people who heard of them. */
export function TellPeople({ postId }: { postId: string }) {
  const { t } = useTranslation('sharing');
  const viewerId = useSession()?.userId ?? null;
  const { data: post } = useQuery(postOptions(viewerId, postId));
  if (post?.state !== 'open') return null;
  return (
    <section className="card grid gap-3">
      <h2>{t('justPostedTitle')}</h2>
      <p>{t('justPostedText')}</p>
      <div className="flex flex-wrap gap-2">
        <SharePost post={post} />
        <ButtonLink look="quiet" icon="print" to={posterPath(postId)}>
          {t('makePoster')}
        </ButtonLink>
      </div>
    </section>
  );
}
