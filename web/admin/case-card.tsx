import { type KeyboardEvent, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { formatAge } from '#web/lib/format.ts';
import { PostBadges } from '#web/ui/post-badges.tsx';
import { PostFacts } from '#web/ui/post-facts.tsx';
import type { CaseStatus, QueuedCase } from './api.ts';
import { CaseKeys } from './case-keys.tsx';
import { CaseReports } from './case-reports.tsx';
import type { HarshVerdict } from './harsh-dialog.tsx';
import { KnownPeople } from './known-people.tsx';

type Props = { entry: QueuedCase; list: CaseStatus; onAsk: (verdict: HarshVerdict) => void };

/** A post as it is shown, what is said against it, what is known of both sides, and what can be done. */
export function CaseCard({ entry, list, onAsk }: Props) {
  const { t } = useTranslation('admin');
  const card = useRef<HTMLLIElement>(null);
  const { post } = entry;

  /** One key each, wherever in the card the focus is: the buttons say which. */
  function pressKey(event: KeyboardEvent) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
    // Not part of the selector: a quotation mark is a key too.
    const buttons = [...(card.current?.querySelectorAll<HTMLButtonElement>('[aria-keyshortcuts]') ?? [])];
    const button = buttons.find((one) => one.getAttribute('aria-keyshortcuts') === event.key.toLowerCase());
    if (!button) return;
    event.preventDefault();
    button.click();
  }

  return (
    <li
      ref={card}
      tabIndex={-1}
      aria-labelledby={`case-${entry.id}`}
      onKeyDown={pressKey}
      className="card grid min-w-0 gap-4"
    >
      <p className="flex flex-wrap justify-between gap-2 text-muted text-sm">
        <span>
          {t(entry.status === 'open' ? 'queue.waitsSince' : 'queue.decidedAt', { age: formatAge(entry.since) })}
        </span>
        {entry.is_edited && <span className="font-semibold text-notice">{t('queue.isEdited')}</span>}
      </p>
      <div className="grid gap-2">
        <PostBadges post={post} />
        <h2 id={`case-${entry.id}`} className="wrap-anywhere text-lg">
          <Link to={{ search: `?post=${post.id}` }} dir="auto" className="underline-offset-4 hover:underline">
            {post.title}
          </Link>
        </h2>
        <PostFacts post={post} />
        {post.description && (
          <p dir="auto" className="wrap-anywhere whitespace-pre-wrap">
            {post.description}
          </p>
        )}
        {post.phone_number && <p className="tabular-nums">{post.phone_number}</p>}
        {post.hidden_by.length > 0 && (
          <ul className="text-muted text-sm">
            {post.hidden_by.map((by) => (
              <li key={by}>{t(`hiddenBy.${by}`)}</li>
            ))}
          </ul>
        )}
      </div>
      <CaseReports entry={entry} />
      <KnownPeople entry={entry} />
      <CaseKeys entry={entry} list={list} onAsk={onAsk} onDecided={() => card.current?.focus()} />
    </li>
  );
}
