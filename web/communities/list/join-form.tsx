import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useEffect, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate, useSearchParams } from 'react-router';
import { JOIN_TEXT_MAX_CHARS } from '#contract/limits.ts';
import { hasJoinLink, joinPath, readJoinCode } from '#contract/links.ts';
import { ApiError } from '#web/api/client.ts';
import { queryKeys } from '#web/api/query-keys.ts';
import { useSession } from '#web/api/session.ts';
import { joinCommunity } from '#web/communities/api.ts';
import { useNoticesHeld } from '#web/lib/notice-signals.ts';
import { paths } from '#web/lib/paths.ts';
import { Banner } from '#web/ui/banner.tsx';
import { Button, ButtonLink } from '#web/ui/button.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { ScannerDialog } from './scanner-dialog.tsx';

/** Joins a community by an access code that was typed, pasted, scanned or part of a link. */
export function JoinForm() {
  const { t } = useTranslation('communities');
  const id = useId();
  const { code, setCode, join, outcome, isJoining } = useJoin();
  const [isScanning, setIsScanning] = useState(false);

  function submit(event: FormEvent) {
    event.preventDefault();
    join();
  }

  return (
    <section className="card grid gap-4" aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`}>{t('joinTitle')}</h2>
      <form className="grid gap-3" onSubmit={submit}>
        <div className="grid gap-1.5">
          <label htmlFor={id} className="font-semibold">
            {t('joinLabel')}
          </label>
          <div className="flex gap-2">
            <input
              id={id}
              name="access_code"
              className="field-input min-w-0 font-mono"
              autoComplete="off"
              autoCapitalize="characters"
              autoCorrect="off"
              spellCheck={false}
              dir="ltr"
              maxLength={JOIN_TEXT_MAX_CHARS}
              placeholder={t('joinPlaceholder')}
              value={code}
              onChange={(event) => setCode(readPasted(event.target.value))}
            />
            <Button
              look="secondary"
              icon="qr"
              aria-label={t('scan')}
              title={t('scan')}
              onClick={() => setIsScanning(true)}
            />
          </div>
        </div>
        <Button type="submit" isBusy={isJoining} isLocked={code.trim() === ''} busyLabel={t('joining')}>
          {t('join')}
        </Button>
        {outcome?.tone === 'error' && <Banner tone="error">{outcome.text}</Banner>}
        <Banner tone="success">{outcome?.tone === 'success' && outcome.text}</Banner>
      </form>
      <JoinHelp />
      <ButtonLink look="secondary" icon="search" to={paths.findCommunity}>
        {t('find')}
      </ButtonLink>
      {isScanning && (
        <ScannerDialog
          onClose={() => setIsScanning(false)}
          onCode={(text) => {
            setIsScanning(false);
            setCode(readJoinCode(text));
          }}
        />
      )}
    </section>
  );
}

/** Returns only the access code if the text is a join link; otherwise the text unchanged. */
function readPasted(text: string): string {
  return hasJoinLink(text) ? readJoinCode(text) : text;
}

function JoinHelp() {
  const { t } = useTranslation('communities');
  return (
    <details className="group">
      <summary className="flex min-h-11 cursor-pointer items-center gap-2 font-semibold text-accent">
        <Icon name="chevron" className="size-5 transition-transform group-open:rotate-180" />
        {t('joinHelpTitle')}
      </summary>
      <ul className="grid list-disc gap-1.5 pl-5 text-muted">
        <li>{t('joinHelp1')}</li>
        <li>{t('joinHelp2')}</li>
        <li>{t('joinHelp3')}</li>
      </ul>
    </details>
  );
}

type Outcome = { tone: 'success' | 'error'; text: string };

/** The join field's text, and the result of the last attempt to join. */
function useJoin() {
  const { t } = useTranslation('communities');
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const [params] = useSearchParams();
  const linked = readJoinCode(params.get('join') ?? '');
  const isSignedIn = useSession() !== null;
  const [code, setCode] = useLinkedCode(linked, isSignedIn);
  useNoticesHeld('form', code !== '');
  const [outcome, setOutcome] = useState<Outcome | null>(null);

  const joining = useMutation({
    mutationFn: joinCommunity,
    onSuccess() {
      setCode('');
      forgetPendingCode();
      setOutcome({ tone: 'success', text: t('joined') });
      // A new member can see more communities and posts, so these lists are outdated. This callback does not wait
      // until the lists are refetched, because `forgetLink` runs after this callback: meanwhile the user may begin to
      // open another screen, and `forgetLink` would then bring the user back.
      void queryClient.invalidateQueries({ queryKey: queryKeys.communities.all });
      void queryClient.invalidateQueries({ queryKey: queryKeys.posts.all, refetchType: 'none' });
    },
    onError(error) {
      const detail = error instanceof ApiError ? error.detail : '';
      setOutcome({ tone: 'error', text: t('joinFailed', { detail: detail || t('unknownError') }) });
    },
  });

  /**
   * Removes the access code from the address. If the address contains no access code, does not navigate, because
   * another navigation may have begun.
   */
  function forgetLink() {
    if (linked) void navigate(paths.communities, { replace: true, preventScrollReset: true });
  }

  return {
    code,
    setCode,
    outcome,
    isJoining: joining.isPending,
    join() {
      const typed = code.trim();
      if (!typed || joining.isPending) return;
      setOutcome(null);
      // TanStack Query calls this callback only while this screen is open. If the user has opened another screen,
      // `forgetLink` therefore does not bring the user back to this one.
      if (isSignedIn) return joining.mutate(typed, { onSuccess: forgetLink });
      keepPendingCode(typed);
      void navigate(paths.login, { state: { from: joinPath(typed) } });
    },
  };
}

/**
 * Returns the join field's text. A join link fills in its access code. If the visitor must sign in first, the code is
 * filled in afterwards.
 * @param linked the access code in the address; empty without a join link.
 */
function useLinkedCode(linked: string, isSignedIn: boolean) {
  const [code, setCode] = useState(() => linked || readPendingCode());

  useEffect(() => {
    if (!linked) return;
    setCode(linked);
    if (!isSignedIn) keepPendingCode(linked);
  }, [linked, isSignedIn]);
  return [code, setCode] as const;
}

/** The key under which the tab's session storage keeps the access code while the visitor signs in. */
const PENDING_KEY = 'pendingJoinCode';

function keepPendingCode(code: string): void {
  sessionStorage.setItem(PENDING_KEY, code);
}

function readPendingCode(): string {
  // The build renders this screen without a browser, and so without storage.
  if (typeof window === 'undefined') return '';
  return sessionStorage.getItem(PENDING_KEY) ?? '';
}

function forgetPendingCode(): void {
  sessionStorage.removeItem(PENDING_KEY);
}
