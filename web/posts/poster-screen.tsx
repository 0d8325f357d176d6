import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useParams } from 'react-router';
import type { Post } from '#contract/posts.ts';
import { postPath } from '#web/lib/paths.ts';
import { useGoBack } from '#web/lib/use-go-back.ts';
import { LoadedPost, useOnePost } from '#web/posts/post/loaded-post.tsx';
import { PosterSheet } from '#web/posts/share/poster-sheet.tsx';
import { useSharedPost } from '#web/posts/share/shared-post.ts';
import { Banner } from '#web/ui/banner.tsx';
import { Button } from '#web/ui/button.tsx';
import { Checkbox } from '#web/ui/choice-fields.tsx';
import { Icon } from '#web/ui/icon.tsx';

/** /posts/{id}/poster: a poster to print and hang where the item was lost or found. */
export function PosterScreen() {
  const { t } = useTranslation(['sharing', 'posts']);
  const { id = '' } = useParams();
  const goBack = useGoBack(postPath(id));
  return (
    <div className="mx-auto grid w-full max-w-2xl gap-4">
      <div className="flex items-center gap-2">
        <button type="button" className="icon-button -ml-2" aria-label={t('posts:back')} onClick={goBack}>
          <Icon name="back" />
        </button>
        <h1>{t('posts:posterTitle')}</h1>
      </div>
      <LoadedPost query={useOnePost(id)} render={(post) => <Poster post={post} />} />
    </div>
  );
}

/** @param post the post as the signed-in user sees it. The author can print their own phone number. */
function Poster({ post }: { post: Post }) {
  const { t } = useTranslation('sharing');
  const query = useSharedPost(post);
  if (post.state !== 'open') return <Banner tone="notice">{t('posterEnded')}</Banner>;
  if (query.post === null) {
    return (
      <>
        <Banner tone="notice">{t('posterForMembers')}</Banner>
        <Printable post={post} shown={null} />
      </>
    );
  }
  return (
    <LoadedPost query={{ ...query, post: query.post }} render={(shown) => <Printable post={post} shown={shown} />} />
  );
}

function Printable({ post, shown }: { post: Post; shown: Post | null }) {
  const { t } = useTranslation('sharing');
  const [isWithPhone, setIsWithPhone] = useState(false);
  const ownPhone = post.is_mine && shown !== null ? post.phone_number : null;
  return (
    <>
      <p className="lead">{t('posterText')}</p>
      {ownPhone && (
        <div>
          <Checkbox
            label={t('posterPhone', { phone: ownPhone })}
            checked={isWithPhone}
            onChange={(event) => setIsWithPhone(event.target.checked)}
          />
          <p className="pl-8 text-muted text-sm">{t('posterPhoneText')}</p>
        </div>
      )}
      <Button icon="print" className="justify-self-start" onClick={() => window.print()}>
        {t('print')}
      </Button>
      <PosterSheet postId={post.id} shown={shown} phone={isWithPhone ? ownPhone : null} />
    </>
  );
}
