import { useTranslation } from 'react-i18next';
import { foldIdentifier, isIdentifier } from '#contract/identifiers.ts';
import { IDENTIFIER_MIN_DIGITS, IDENTIFIER_TYPED_MAX_CHARS, SEARCH_MAX_CHARS } from '#contract/limits.ts';
import { withTexts } from '#web/lib/i18n.ts';
import { useSession } from '#web/lib/session.ts';
import { useLate } from '#web/lib/use-late.ts';
import { SearchField } from '#web/ui/search-field.tsx';
import { CommunityFilter } from './community-field.tsx';

/** The search box and, for signed-in readers, the community to look in. */
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
    <div className="grid items-start gap-3 sm:has-[select]:grid-cols-[1fr_minmax(14rem,20rem)]">
      <div className="grid gap-2">
        <SearchField
          label={t('searchLabel')}
          placeholder={t('searchPlaceholder')}
          clearLabel={t('clearSearch')}
          maxLength={SEARCH_MAX_CHARS}
          value={typed}
          onChange={onType}
        />
        <LookupOfNumber typed={typed} />
      </div>
      <CommunityFilter value={communityCode} onChange={onCommunity} />
    </div>
  );
}

const loadLookup = withTexts(async () => (await import('./number-lookup.tsx')).NumberLookup, 'ends');

/** Offers to look up what is typed where it looks like the number of a thing. */
function LookupOfNumber({ typed }: { typed: string }) {
  const isSignedIn = useSession() !== null;
  const isOffered = isSignedIn && looksLikeIdentifier(typed);
  const NumberLookup = useLate(loadLookup, isOffered);
  // Another number has an answer of its own.
  return isOffered && NumberLookup && <NumberLookup key={foldIdentifier(typed)} identifier={typed.trim()} />;
}

/** Folding reads some letters as digits, so words alone would pass `isIdentifier`: digits must be typed, and no word. */
function looksLikeIdentifier(typed: string): boolean {
  const digits = typed.replace(/\D/g, '').length;
  const hasWord = /(^|\s)\p{L}{4,}(?=\s|$)/u.test(typed);
  return (
    digits >= IDENTIFIER_MIN_DIGITS && !hasWord && typed.length <= IDENTIFIER_TYPED_MAX_CHARS && isIdentifier(typed)
  );
}
