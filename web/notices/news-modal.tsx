import { useTranslation } from 'react-i18next';
import { Button, ButtonLink } from '#web/ui/button.tsx';
import { Confetti } from '#web/ui/confetti.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { MoreWaiting } from './more-waiting.tsx';
import { type News, nextPlace, titleOf } from './news.ts';
import { NewsText } from './news-text.tsx';

/** How something of the reader's was decided, or what waits for them to decide. */
export function NewsModal({ message, waiting, onClose }: { message: News; waiting: number; onClose: () => void }) {
  const { t } = useTranslation(['notices', 'common']);
  const next = nextPlace(message, t);
  return (
    <Dialog title={titleOf(message, t)} onClose={onClose} backdrop={message.type === 'handed_over' && <Confetti />}>
      <NewsText message={message} />
      {next ? (
        <ButtonLink to={next.to} onClick={onClose}>
          {next.label}
        </ButtonLink>
      ) : (
        <Button onClick={onClose}>{t('common:close')}</Button>
      )}
      <MoreWaiting count={waiting} onNext={onClose} />
    </Dialog>
  );
}
