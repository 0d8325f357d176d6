import { useTranslation } from 'react-i18next';
import { paths } from '#web/lib/paths.ts';
import { useGoBack } from '#web/lib/use-go-back.ts';
import { Button } from '#web/ui/button.tsx';

/** Back to where one came from, be it a search or the log; to the administration for who came by a link. */
export function BackToAdmin() {
  const { t } = useTranslation('admin');
  const back = useGoBack(paths.admin);
  return (
    <Button look="quiet" icon="back" className="justify-self-start px-2!" onClick={back}>
      {t('back')}
    </Button>
  );
}
