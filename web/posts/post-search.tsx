import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { Icon } from '#web/ui/icon.tsx';
import { SEARCH_MAX_CHARS } from '#worker/contract/limits.ts';
import { CommunityFilter } from './community-field.tsx';

/** The search box and, for those who are signed in, which community to look in. */
export function PostSearch({
  typed,
  onType,
  communityCode,
  onCommunity,
}: {
  typed: string;
  onType: (typed: string) => void;
  communityCode: string | null;
  onCommunity: (code: string | null) => void;
}) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: React warns of a search element where the browser does not know it
    <form
      role="search"
      className="grid gap-3 sm:grid-cols-[1fr_minmax(14rem,20rem)]"
      onSubmit={(event) => event.preventDefault()}
    >
      <SearchBox typed={typed} onType={onType} />
      <CommunityFilter value={communityCode} onChange={onCommunity} />
    </form>
  );
}

function SearchBox({ typed, onType }: { typed: string; onType: (typed: string) => void }) {
  const { t } = useTranslation('posts');
  const id = useId();
  return (
    <div className="relative">
      <label htmlFor={id} className="sr-only">
        {t('searchLabel')}
      </label>
      <Icon name="search" className="-translate-y-1/2 pointer-events-none absolute top-1/2 left-3 size-5 text-muted" />
      <input
        id={id}
        type="text"
        inputMode="search"
        enterKeyHint="search"
        autoComplete="off"
        dir="auto"
        maxLength={SEARCH_MAX_CHARS}
        placeholder={t('searchPlaceholder')}
        value={typed}
        onChange={(event) => onType(event.target.value)}
        className="field-input px-11!"
      />
      {typed && (
        <button
          type="button"
          className="icon-button absolute top-0 right-0.5"
          aria-label={t('clearSearch')}
          onClick={() => onType('')}
        >
          <Icon name="close" />
        </button>
      )}
    </div>
  );
}
