import { useTranslation } from 'react-i18next';
import { paths } from '#web/lib/paths.ts';
import { Banner } from './banner.tsx';
import { Button, ButtonLink } from './button.tsx';

/**
 * Where a form stands whose post is there already, of an earlier text. Sent once more it makes no second one.
 * @param onPostToo what is sent next is a post of its own.
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
