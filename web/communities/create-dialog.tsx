import { useTranslation } from 'react-i18next';
import type { CreatedCommunity } from '#contract/communities.ts';
import { Dialog } from '#web/ui/dialog.tsx';
import { CreateForm } from './create-form.tsx';

/** The create modal, at most 500 px wide as every dialog is (docs/product.md T6). */
export function CreateDialog({
  onClose,
  onCreated,
}: {
  onClose: () => void;
  onCreated: (community: CreatedCommunity) => void;
}) {
  const { t } = useTranslation('communities');
  return (
    <Dialog title={t('createTitle')} onClose={onClose}>
      <p className="text-muted">{t('createText')}</p>
      <CreateForm onCreated={onCreated} />
    </Dialog>
  );
}
