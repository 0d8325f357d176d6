import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import type { Notice } from '#contract/notices.ts';
import { withReference } from '#web/lib/api-client.ts';
import { showToast } from '#web/ui/toast.tsx';
import { dismissMatch, dismissNotice } from './api.ts';

/**
 * "Not this one", pressed on a notification: /notices?dismiss=ID says which, for the service worker has no session to
 * say it itself. Done once, and out of the address before it is.
 * @param notices the list; null until it is here.
 */
export function useDismissalInAddress(notices: Notice[] | null): void {
  const { t } = useTranslation('notices');
  const client = useQueryClient();
  const [params, setParams] = useSearchParams();
  const id = params.get('dismiss');
  const isReady = id !== null && notices !== null;
  const dismissed = useRef<string | null>(null);

  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each id, with the list of that moment
  useEffect(() => {
    if (!isReady || dismissed.current === id) return;
    dismissed.current = id;
    setParams({}, { replace: true });
    const message = notices.find(({ message: { id: known } }) => known === id)?.message;
    const isPossible = message?.type === 'matching_post' && message.confidence === 'possible';
    (isPossible ? dismissMatch(client, message.pair_id) : dismissNotice(client, id)).then(
      () => showToast.success(t(isPossible ? 'notThisDone' : 'notMineDone')),
      (error: unknown) => showToast.error(withReference(t('notMineFailed'), error), 'not-dismissed'),
    );
  }, [isReady, id]);
}
