import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { Post, PostMatch } from '#contract/posts.ts';
import { ApiError } from '#web/lib/api-client.ts';
import { canBeClaimed } from '#web/lib/can-be-claimed.ts';
import { formatAge } from '#web/lib/format.ts';
import { answerMatch, keepConfirmed, type MatchAnswer } from '#web/lib/matches-query.ts';
import { postPath } from '#web/lib/paths.ts';
import { Badge } from './badge.tsx';
import { Banner } from './banner.tsx';
import { Button } from './button.tsx';
import { ContactLimited } from './contact-limited.tsx';
import { ContactLinks } from './contact-links.tsx';
import { ReasonList } from './reason-list.tsx';
import { ThisIsMine } from './this-is-mine.tsx';
import { Thumbnail } from './thumbnail.tsx';

type Props = {
  match: PostMatch;
  /** It is to leave the list, and what the reader is told of that. */
  onGone: (sentence: string) => void;
};

/** A post that matches one's own: why, and whether it is the one. Of a possible match the contact follows on a yes. */
export function MatchItem({ match: { pair_id, confidence, Post: post, reasons, answer }, onGone }: Props) {
  const { t } = useTranslation('notices');
  const client = useQueryClient();
  const isConfirmed = answer === 'confirmed';
  const answering = useMutation({
    mutationFn: (answer: MatchAnswer) => answerMatch(pair_id, answer),
    onSuccess: (_, said) => (said === 'dismiss' ? onGone(t('notThisDone')) : keepConfirmed(client, pair_id)),
    onError: (error) => isGone(error) && onGone(t('matchGone')),
  });
  const isAsking = (said: MatchAnswer) => answering.isPending && answering.variables === said;
  const owner = `${post.owner_first_name} ${post.owner_last_name}`.trim();

  return (
    <li className="wrap-anywhere grid gap-3 rounded-xl border border-line bg-surface p-4">
      <div className="flex gap-3">
        <Thumbnail post={post} />
        <div className="grid min-w-0 justify-items-start gap-1">
          <Badge tone={confidence === 'sure' ? 'found' : 'plain'}>{t(confidence)}</Badge>
          <Link dir="auto" className="link block" to={postPath(post.id)}>
            {post.title}
          </Link>
          <p className="text-muted text-sm">
            {t('placeAndAge', { place: post.location, age: formatAge(post.created_at) })}
          </p>
          {post.kept_at && <p className="text-sm">{t('nowAt', { place: post.kept_at })}</p>}
          {owner && <p className="text-sm">{t('ownerName', { name: owner })}</p>}
        </div>
      </div>
      <ReasonList reasons={reasons} />
      {post.posted_by === 'owner' && reasons.some(({ kind }) => kind === 'same_identifier') && (
        <p className="text-muted text-sm">{t('numberAlone')}</p>
      )}
      <Banner tone="success">{isConfirmed && t(post.phone_number ? 'isThisDone' : 'isThisTold')}</Banner>
      {(confidence === 'sure' || isConfirmed) && <MatchContact post={post} />}
      <div className="grid grid-cols-[repeat(auto-fit,minmax(8rem,1fr))] gap-2">
        {/* Where "This is mine" stands already, a second yes would only leave the reader to choose between the two. */}
        {!(confidence === 'sure' && canBeClaimed(post)) && (
          // Locked and not gone once it has been said, so that whoever pressed it keeps their place.
          <Button
            look="secondary"
            icon="check"
            className="px-2!"
            isBusy={isAsking('confirm')}
            isLocked={isAsking('dismiss') || isConfirmed}
            onClick={() => answering.mutate('confirm')}
          >
            {t('isThis')}
          </Button>
        )}
        <Button
          look="secondary"
          icon="close"
          className="px-2!"
          isBusy={isAsking('dismiss')}
          isLocked={isAsking('confirm')}
          onClick={() => answering.mutate('dismiss')}
        >
          {t('notThis')}
        </Button>
      </div>
      {answering.isError && !isGone(answering.error) && <Banner tone="error">{t('notMineFailed')}</Banner>}
    </li>
  );
}

function MatchContact({ post }: { post: Post }) {
  if (post.is_contact_limited) return <ContactLimited postId={post.id} opensAt={post.contact_opens_at} />;
  return (
    <>
      {post.phone_number && <ContactLinks phone={post.phone_number} title={post.title} />}
      {canBeClaimed(post) && <ThisIsMine postId={post.id} look={post.phone_number ? 'secondary' : 'primary'} />}
    </>
  );
}

/** Whether the pair is no longer there to be answered to: returned, deleted, changed or dismissed elsewhere. */
function isGone(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 404 || error.status === 409);
}
