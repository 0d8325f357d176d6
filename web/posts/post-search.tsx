import { useTranslation } from 'react-i18next';
import { SEARCH_MAX_CHARS } from '#contract/limits.ts';
import { SearchField } from '#web/ui/search-field.tsx';
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
  const { t } = useTranslation('posts');
  return (
    <div className="grid gap-3 sm:has-[select]:grid-cols-[1fr_minmax(14rem,20rem)]">
      <SearchField
        label={t('searchLabel')}
        placeholder={t('searchPlaceholder')}
        clearLabel={t('clearSearch')}
        maxLength={SEARCH_MAX_CHARS}
        value={typed}
        onChange={onType}
      />
      <CommunityFilter value={communityCode} onChange={onCommunity} />
    </div>
  );
}
