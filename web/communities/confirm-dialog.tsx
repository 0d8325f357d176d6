import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Banner } from '#web/ui/banner.tsx';
import { ConfirmButtons } from '#web/ui/confirm-buttons.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { problemOf } from './problem-of.ts';

type Props = {
  title: string;
  /** What the button does, in one or two words. */
  action: string;
  look?: 'primary' | 'danger';
  step: { error: Error | null; isPending: boolean; isSuccess: boolean };
  onConfirm: () => void;
  onClose: () => void;
  children: ReactNode;
};

/** Says what a step brings about before it is taken. */
export function ConfirmDialog({ title, action, look = 'danger', step, onConfirm, onClose, children }: Props) {
  const { t } = useTranslation('community');
  return (
    <Dialog title={title} onClose={onClose}>
      {children}
      {step.error && <Banner tone="error">{problemOf(step.error, t)}</Banner>}
      <ConfirmButtons
        label={action}
        look={look}
        isBusy={step.isPending || step.isSuccess}
        onCancel={onClose}
        onConfirm={onConfirm}
      />
    </Dialog>
  );
}
