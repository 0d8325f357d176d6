import { useMutation, useQuery } from '@tanstack/react-query';
import { useEffect, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Community, CommunityStats } from '#contract/communities.ts';
import { joinLink } from '#contract/links.ts';
import { fetchQrCode, statsQuery } from '#web/communities/api.ts';
import { formatNumber } from '#web/lib/format.ts';
import { copyText } from '#web/lib/share-text.ts';
import { Button } from '#web/ui/button.tsx';
import { Icon, type IconName } from '#web/ui/icon.tsx';
import { QueryState } from '#web/ui/query-state.tsx';
import { showToast } from '#web/ui/toast.tsx';
import { QrDialog } from './qr-dialog.tsx';

export function Dashboard({ community }: { community: Community }) {
  const { t } = useTranslation('community');
  const stats = useQuery(statsQuery(community.id));
  return (
    <div className="grid items-start gap-5 lg:grid-cols-3">
      <div className="lg:col-span-2">
        <QueryState query={stats} failed={t('statsFailed')} skeleton={<StatCardsSkeleton />}>
          {(data) => <StatCards stats={data} />}
        </QueryState>
      </div>
      <AccessSettings community={community} />
    </div>
  );
}

function StatCards({ stats }: { stats: CommunityStats }) {
  const { t } = useTranslation('community');
  const { found_items, lost_items, active_posts, most_active_location, admin_username } = stats;
  const postsDetail = t('statPostsDetail', { found: formatNumber(found_items), lost: formatNumber(lost_items) });
  return (
    <dl className="grid grid-cols-2 gap-3 md:grid-cols-3">
      <StatCard icon="users" label={t('statMembers')} value={formatNumber(stats.total_members)} />
      <StatCard icon="tag" label={t('statPosts')} value={formatNumber(stats.total_posts)} detail={postsDetail} />
      <StatCard
        icon="check"
        label={t('statResolved')}
        value={formatNumber(stats.resolved_posts)}
        detail={t('statResolvedDetail', { active: formatNumber(active_posts) })}
      />
      <StatCard icon="clock" label={t('statRecent')} value={formatNumber(stats.posts_last_7_days)} />
      {most_active_location && <StatCard icon="pin" label={t('statLocation')} value={most_active_location} isText />}
      <StatCard icon="user" label={t('statAdmin')} value={admin_username ?? t('unknown')} isText />
    </dl>
  );
}

/** @param isText whether the value is a text and not a number. Texts may be long, so their font is smaller. */
function StatCard({
  icon,
  label,
  value,
  detail,
  isText = false,
}: {
  icon: IconName;
  label: string;
  value: string;
  detail?: string;
  isText?: boolean;
}) {
  return (
    <div className="card grid content-start gap-1 p-4!">
      <dt className="flex items-start gap-2 text-muted text-sm">
        <Icon name={icon} className="mt-0.5 size-4" />
        {label}
      </dt>
      <dd className="grid gap-0.5">
        <span dir="auto" className={`line-clamp-3 break-words font-bold ${isText ? 'text-lg' : 'text-3xl'}`}>
          {value}
        </span>
        {detail && <span className="text-muted text-sm">{detail}</span>}
      </dd>
    </div>
  );
}

function StatCardsSkeleton() {
  return (
    <div className="grid grid-cols-2 gap-3 md:grid-cols-3" aria-busy="true">
      {['a', 'b', 'c', 'd', 'e', 'f'].map((key) => (
        <div key={key} className="skeleton h-28" />
      ))}
    </div>
  );
}

const COPIED_MS = 2_000;

/** The access code and the ways to share it. */
function AccessSettings({ community }: { community: Community }) {
  const { t } = useTranslation('community');
  const id = useId();
  const code = community.access_code ?? '';
  const [isQrOpen, setIsQrOpen] = useState(false);
  const qrCode = useMutation({
    mutationFn: () => fetchQrCode(community.id),
    onSuccess: () => setIsQrOpen(true),
    // The user sees no error message (docs/product.md S8).
    onError: (error) => console.warn({ event: 'qr_code_failed', error }),
  });
  return (
    <section className="card grid gap-4" aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`}>{t('accessSettings')}</h2>
      <p className="text-muted text-sm">{t(accessTextKey(community))}</p>
      <div className="grid gap-1.5">
        <label htmlFor={id} className="font-semibold">
          {t('accessCode')}
        </label>
        <input
          id={id}
          readOnly
          dir="ltr"
          value={code}
          onFocus={(event) => event.target.select()}
          className="field-input text-center font-mono text-xl! tracking-widest"
        />
      </div>
      <div className="grid grid-cols-2 gap-2">
        <CopyButton text={code} />
        <Button
          look="secondary"
          icon="share"
          onClick={() =>
            void share(t('shareText', { name: community.name, link: joinLink(window.location.origin, code) }))
          }
        >
          {t('share')}
        </Button>
      </div>
      <Button icon="qr" isBusy={qrCode.isPending} onClick={() => qrCode.mutate()}>
        {qrCode.isPending ? t('generatingQr') : t('generateQr')}
      </Button>
      {isQrOpen && qrCode.data && (
        <QrDialog qrCode={qrCode.data} community={community} onClose={() => setIsQrOpen(false)} />
      )}
    </section>
  );
}

function accessTextKey({ approval_status, is_suspended }: Community) {
  if (is_suspended) return 'accessSuspended';
  return approval_status === 1 ? 'accessText' : 'accessPending';
}

function CopyButton({ text }: { text: string }) {
  const { t } = useTranslation('community');
  const [isCopied, setIsCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return;
    const timer = setTimeout(() => setIsCopied(false), COPIED_MS);
    return () => clearTimeout(timer);
  }, [isCopied]);

  async function copy() {
    if (await copyText(text)) setIsCopied(true);
    else showToast.error(t('copyFailed'));
  }

  return (
    <Button look="secondary" icon={isCopied ? 'check' : 'copy'} onClick={() => void copy()}>
      <span aria-live="polite">{isCopied ? t('copied') : t('copy')}</span>
    </Button>
  );
}

/** Opens the phone's share sheet if there is one, else WhatsApp. */
async function share(text: string): Promise<void> {
  if (!navigator.share) {
    window.open(`https://wa.me/?text=${encodeURIComponent(text)}`, '_blank', 'noopener');
    return;
  }
  try {
    await navigator.share({ text });
  } catch {
    // Some browsers also reject when the user closes the share sheet, so no error is shown.
  }
}
