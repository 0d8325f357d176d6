import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate, useSearchParams } from 'react-router';
import { joinPath, readJoinCode } from '#contract/join-link.ts';
import { ApiError } from '#web/lib/api-client.ts';
import { useNoticesHeld } from '#web/lib/held-notices.ts';
import { paths } from '#web/lib/paths.ts';
import { queryKeys } from '#web/lib/query-keys.ts';
import { useSession } from '#web/lib/session.ts';
import { joinCommunity } from './api.ts';
import { forgetPendingCode, keepPendingCode, readPendingCode } from './pending-join.ts';

type Outcome = { tone: 'success' | 'error'; text: string };

/** The join box: what stands in it, and what became of it. */
export function useJoin() {
  const { t } = useTranslation('communities');
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const isSignedIn = useSession() !== null;
  const [code, setCode] = useLinkedCode(isSignedIn);
  useNoticesHeld('form', code !== '');
  const [outcome, setOutcome] = useState<Outcome | null>(null);

  const joining = useMutation({
    mutationFn: joinCommunity,
    async onSuccess() {
      setCode('');
      forgetPendingCode();
      setOutcome({ tone: 'success', text: t('joined') });
      // A member sees more than before: communities, and the posts of this one.
      await Promise.all([
        queryClient.invalidateQueries({ queryKey: queryKeys.communities.all }),
        queryClient.invalidateQueries({ queryKey: queryKeys.posts.all, refetchType: 'none' }),
      ]);
    },
    onError(error) {
      const detail = error instanceof ApiError ? error.detail : '';
      setOutcome({ tone: 'error', text: t('joinFailed', { detail: detail || t('unknownError') }) });
    },
  });

  return {
    code,
    setCode,
    outcome,
    isJoining: joining.isPending,
    join() {
      const typed = code.trim();
      if (!typed || joining.isPending) return;
      setOutcome(null);
      // Takes the link out of the address, unless the reader has left this screen meanwhile.
      const forgetLink = () => void navigate(paths.communities, { replace: true, preventScrollReset: true });
      if (isSignedIn) return joining.mutate(typed, { onSuccess: forgetLink });
      keepPendingCode(typed);
      void navigate(paths.login, { state: { from: joinPath(typed) } });
    },
  };
}

/** The box's text. A join link fills it, and fills it again when the visitor comes back from signing in on any way. */
function useLinkedCode(isSignedIn: boolean) {
  const [params] = useSearchParams();
  const linked = readJoinCode(params.get('join') ?? '');
  const [code, setCode] = useState(() => linked || readPendingCode());

  useEffect(() => {
    if (!linked) return;
    setCode(linked);
    if (!isSignedIn) keepPendingCode(linked);
  }, [linked, isSignedIn]);
  return [code, setCode] as const;
}
