import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useParams } from 'react-router';
import type { Post } from '#contract/posts.ts';
import { canBeClaimed } from '#web/lib/can-be-claimed.ts';
import { describeFailure } from '#web/lib/describe-failure.ts';
import { postPath } from '#web/lib/paths.ts';
import { postOptions } from '#web/lib/post-query.ts';
import { useSession } from '#web/lib/session.ts';
import { useFailure } from '#web/lib/use-failure.ts';
import { ButtonLink } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { LoadFailure } from '#web/ui/load-failure.tsx';
import { PostFacts } from '#web/ui/post-facts.tsx';
import { ClaimForm } from './claim-form.tsx';
import { LoginForClaims } from './login-for-claims.tsx';

/** /posts/{id}/claim: "this is mine", with the answer by which its finder can tell. */
export function ClaimFormScreen() {
  const { id = '' } = useParams();
  const session = useSession();
  return (
    <div className="mx-auto grid w-full max-w-xl gap-4">
      {session ? (
        <LoadedForm key={session.userId + id} viewerId={session.userId} postId={id} />
      ) : (
        <LoginForClaims isPage />
      )}
    </div>
  );
}

function LoadedForm({ viewerId, postId }: { viewerId: string; postId: string }) {
  const { t } = useTranslation(['claims', 'posts']);
  const query = useQuery(postOptions(viewerId, postId));
  const failure = useFailure(query);
  if (failure)
    return <LoadFailure icon="search" title={describeFailure(failure, t('posts:noAnswer'))} isPage query={query} />;
  if (!query.data) return <FormSkeleton />;
  if (!canBeClaimed(query.data)) return <CannotClaim postId={postId} />;
  return <Claiming post={query.data} />;
}

function Claiming({ post }: { post: Post }) {
  const { t } = useTranslation(['claims', 'posts']);
  return (
    <>
      <div className="grid gap-2">
        <h1>{t('posts:thisIsMine')}</h1>
        <p className="lead">{t('formText')}</p>
      </div>
      <section className="card wrap-anywhere grid gap-2">
        <h2 dir="auto">{post.title}</h2>
        <PostFacts post={post} />
      </section>
      <ClaimForm post={post} />
    </>
  );
}

function CannotClaim({ postId }: { postId: string }) {
  const { t } = useTranslation('claims');
  return (
    <EmptyState icon="tag" title={t('cannotClaimTitle')} text={t('cannotClaimText')} isPage>
      <ButtonLink to={postPath(postId)}>{t('seePost')}</ButtonLink>
    </EmptyState>
  );
}

function FormSkeleton() {
  return (
    <div className="grid gap-4" aria-hidden="true">
      <div className="skeleton h-9 w-48" />
      <div className="skeleton h-28" />
      <div className="skeleton h-64" />
    </div>
  );
}
