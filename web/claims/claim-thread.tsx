import { useTranslation } from 'react-i18next';
import type { Claim, ClaimMessage } from '#contract/claims.ts';
import { formatDateTime } from '#web/lib/format.ts';
import { Icon } from '#web/ui/icon.tsx';

/** What was asked and replied since. A log: what is added to it while it stands there is read out. */
export function ClaimThread({ claim }: { claim: Claim }) {
  const { t } = useTranslation('claims');
  const { messages } = claim;
  return (
    <section className={messages.length > 0 ? 'grid gap-3' : 'sr-only'} aria-label={t('thread')}>
      {messages.length > 0 && <h2>{t('thread')}</h2>}
      <div role="log" aria-label={t('thread')} className="grid gap-3">
        {messages.map((message, index) => (
          // Messages are only ever added at the end.
          // biome-ignore lint/suspicious/noArrayIndexKey: see above
          <Message key={index} message={message} claim={claim} />
        ))}
      </div>
    </section>
  );
}

function Message({ message, claim }: { message: ClaimMessage; claim: Claim }) {
  const { t } = useTranslation('claims');
  const isOwn = message.from === claim.role;
  return (
    <article className={`grid max-w-[90%] gap-1 ${isOwn ? 'justify-self-end' : 'justify-self-start'}`}>
      {message.is_about_money && !isOwn && (
        <p className="flex items-start gap-2 rounded-xl bg-danger-soft px-3 py-2 font-semibold text-danger">
          <Icon name="alert" className="mt-0.5 size-5" />
          {t('moneyWarning')}
        </p>
      )}
      <div className={`wrap-anywhere grid gap-1 rounded-xl px-3 py-2 ${isOwn ? 'bg-accent-soft' : 'bg-sunken'}`}>
        <p className="font-semibold text-sm">
          <bdi>{isOwn ? t('fromYou') : (claim.other_name ?? t('personGone'))}</bdi>
        </p>
        <p dir="auto" className="whitespace-pre-line">
          {message.text}
        </p>
        <time className="text-muted text-sm" dateTime={message.created_at}>
          {formatDateTime(message.created_at)}
        </time>
      </div>
    </article>
  );
}
