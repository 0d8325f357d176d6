import { useTranslation } from 'react-i18next';
import { Button } from './button.tsx';

/**
 * The end of a dialog that asks first: out of it, or on.
 * @param onConfirm left out where the second button sends the dialog's form.
 */
export function ConfirmButtons({
  label,
  look = 'danger',
  isBusy,
  onCancel,
  onConfirm,
}: {
  label: string;
  look?: 'primary' | 'danger';
  isBusy: boolean;
  onCancel: () => void;
  onConfirm?: () => void;
}) {
  const { t } = useTranslation('common');
  return (
    <div className="grid grid-cols-2 gap-2">
      <Button look="secondary" onClick={onCancel}>
        {t('cancel')}
      </Button>
      <Button look={look} isBusy={isBusy} {...(onConfirm ? { onClick: onConfirm } : { type: 'submit' })}>
        {label}
      </Button>
    </div>
  );
}
