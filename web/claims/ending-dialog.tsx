import { useRef } from 'react';
import { flushSync } from 'react-dom';
import { useTranslation } from 'react-i18next';
import type { Claim } from '#contract/claims.ts';
import { useDialogAddress } from '#web/lib/use-dialog-address.ts';
import { Banner } from '#web/ui/banner.tsx';
import { Button } from '#web/ui/button.tsx';
import { ConfirmButtons } from '#web/ui/confirm-buttons.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { problemOf } from './problem-of.ts';
import { useStep } from './use-step.ts';

type Props = {
  name: 'withdraw' | 'decline';
  claim: Claim;
  words: { button: string; title: string; text: string; confirm: string };
  onStep: () => void;
};

/** The button to a step that ends a claim for good, and what is said before it is taken. */
export function EndingDialog({ name, claim, words, onStep }: Props) {
  const { t } = useTranslation('claims');
  const dialog = useDialogAddress(name, claim.id);
  const button = useRef<HTMLButtonElement>(null);
  const step = useStep(claim, () => {
    flushSync(dialog.close);
    onStep();
  });

  function close() {
    flushSync(dialog.close);
    button.current?.focus();
  }

  return (
    <>
      <Button ref={button} look="quiet" className="justify-self-start px-2!" onClick={dialog.open}>
        {words.button}
      </Button>
      {dialog.isOpen && (
        <Dialog title={words.title} onClose={close}>
          <p>{words.text}</p>
          {step.error && <Banner tone="error">{problemOf(step.error, t)}</Banner>}
          <ConfirmButtons
            label={words.confirm}
            isBusy={step.isPending || step.isSuccess}
            onCancel={close}
            onConfirm={() => step.mutate({ name })}
          />
        </Dialog>
      )}
    </>
  );
}
