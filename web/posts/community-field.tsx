import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { ownCommunitiesQuery, toCommunityOptions } from '#web/lib/communities-query.ts';
import { useSession } from '#web/lib/session.ts';
import { CommunitySelect } from '#web/ui/community-select.tsx';

type Choice = { value: string | null; onChange: (code: string | null) => void };

/** Whose posts to look in: everyone’s, or those of a community. A visitor is in none. */
export function CommunityFilter(choice: Choice) {
  const { t } = useTranslation('posts');
  const options = useOptions();
  if (!options) return null;
  return <CommunitySelect label={t('community')} isLabelHidden none={t('everyone')} options={options} {...choice} />;
}

/** Who shall see the post: everyone, or the members of a community. */
export function CommunityField(choice: Choice) {
  const { t } = useTranslation('posts');
  const options = useOptions();
  if (!options) return null;
  return (
    <CommunitySelect
      label={t('community')}
      hint={t('communityHint')}
      none={t('everyone')}
      options={options}
      {...choice}
    />
  );
}

/** The approved communities of the signed-in person, as far as they are here; null for a visitor. */
function useOptions() {
  const isSignedIn = useSession() !== null;
  const { data = [] } = useQuery({ ...ownCommunitiesQuery(), enabled: isSignedIn });
  return isSignedIn ? toCommunityOptions(data) : null;
}
