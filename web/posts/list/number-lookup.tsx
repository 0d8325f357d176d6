// This file loads only when the user types an identifier into the search field (view-posts-screen.tsx).

import { useMutation } from '@tanstack/react-query';
import { useEffect, useId, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '#web/api/client.ts';
import { paths } from '#web/lib/paths.ts';
import { lookUpIdentifier } from '#web/posts/api.ts';
import { Banner } from '#web/ui/banner.tsx';
import { Button, ButtonLink } from '#web/ui/button.tsx';

/**
 * Asks the server whether a found post has this identifier. After the answer, offers to create a lost post with the
 * identifier.
 */
export function NumberLookup({ identifier }: { identifier: string }) {
  const { t } = useTranslation('ends');
  const lookup = useMutation({ mutationFn: lookUpIdentifier });
  const hintId = useId();
  const isFound = lookup.data?.found === true;
  return (
    <div className="grid justify-items-start gap-2">
      <Banner tone={isFound ? 'success' : 'notice'}>
        {lookup.isSuccess && t(isFound ? 'lookupFound' : 'lookupNotFound')}
      </Banner>
      {lookup.isSuccess ? (
        <PostWithNumber identifier={identifier} />
      ) : (
        <div className="flex flex-wrap items-center gap-x-3">
          <Button
            look="quiet"
            icon="search"
            className="-ms-2 px-2!"
            aria-describedby={hintId}
            isBusy={lookup.isPending}
            onClick={() => lookup.mutate(identifier)}
          >
            {t('lookupAsk')}
          </Button>
          <p id={hintId} className="text-muted text-sm">
            {t('lookupHint')}
          </p>
        </div>
      )}
      {lookup.isError && <Problem error={lookup.error} />}
    </div>
  );
}

function PostWithNumber({ identifier }: { identifier: string }) {
  const { t } = useTranslation('ends');
  const link = useRef<HTMLAnchorElement>(null);
  // Moves the focus to the link, because the button that the user pressed has disappeared.
  useEffect(() => link.current?.focus(), []);
  return (
    // The identifier is in the navigation state and not in the URL, because other people may see a URL.
    <ButtonLink ref={link} to={paths.createPost} state={{ posted_by: 'owner', identifier }}>
      {t('lookupPost')}
    </ButtonLink>
  );
}

function Problem({ error }: { error: Error }) {
  const { t } = useTranslation('ends');
  const isUnproven = error instanceof ApiError && error.code === 'number_not_proven';
  const isBeyond = error instanceof ApiError && error.status === 429;
  return (
    <>
      <Banner tone="error">{t(isUnproven ? 'lookupUnproven' : isBeyond ? 'lookupLimit' : 'lookupFailed')}</Banner>
      {isUnproven && <ButtonLink to={paths.proveNumber}>{t('lookupProve')}</ButtonLink>}
    </>
  );
}
