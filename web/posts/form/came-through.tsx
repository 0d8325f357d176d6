import { useTranslation } from 'react-i18next';
import { paths } from '#web/lib/paths.ts';
import { Banner } from '#web/ui/banner.tsx';
import { Button, ButtonLink } from '#web/ui/button.tsx';

/**
 * Says that an earlier submit of this form has already created a post. The response to that submit was lost, and the
 * user has changed the text since.
 * @param onPostToo lets the next submit create another post.
 */
export function CameThrough({ isLocked, onPostToo }: { isLocked: boolean; onPostToo: () => void }) {
  const { t } = useTranslation(['common', 'posts']);
  return (
    <Banner tone="error">
      <p className="font-semibold">{t('cameThrough')}</p>
      <div className="mt-2 flex flex-wrap gap-3">
        <ButtonLink look="secondary" to={paths.myPosts}>
          {t('myPosts')}
        </ButtonLink>
        <Button type="submit" look="secondary" isLocked={isLocked} onClick={onPostToo}>
          {t('posts:postThisToo')}
        </Button>
      </div>
    </Banner>
  );
}
