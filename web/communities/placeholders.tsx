import { useTranslation } from 'react-i18next';
import { paths } from '#web/lib/paths.ts';
import { ButtonLink } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';

export function PostsPlaceholder({ communityCode }: { communityCode: string }) {
  const { t } = useTranslation('community');
  return (
    <EmptyState icon="tag" title={t('postsSoon')} text={t('postsSoonText')}>
      <ButtonLink look="secondary" to={`${paths.viewPosts}?community_code=${communityCode}`}>
        {t('openPosts')}
      </ButtonLink>
    </EmptyState>
  );
}

export function SettingsPlaceholder() {
  const { t } = useTranslation('community');
  return <EmptyState icon="edit" title={t('settingsSoon')} text={t('settingsSoonText')} />;
}
