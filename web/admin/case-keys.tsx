import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { DECISION_UNDO_SECONDS } from '#contract/limits.ts';
import { Button } from '#web/ui/button.tsx';
import type { CaseStatus, QueuedCase } from './api.ts';
import type { HarshVerdict } from './harsh-dialog.tsx';
import { useVerdict } from './use-verdict.ts';

type Props = {
  entry: QueuedCase;
  /** In which of the two lists it stands. */
  list: CaseStatus;
  onAsk: (verdict: HarshVerdict) => void;
  onDecided: () => void;
};

/** What can be done with a post that waits; and with one that is decided how that is taken back. */
export function CaseKeys({ entry, list, onAsk, onDecided }: Props) {
  const { t } = useTranslation('admin');
  const verdict = useVerdict(list, { onDone: onDecided });
  const keep = (
    <Key letter="k" look="primary" isBusy={verdict.isPending} onPress={() => verdict.mutate({ entry, kind: 'keep' })}>
      {t(entry.post.is_hidden || entry.decision === 'hidden' ? 'queue.restore' : 'queue.keep')}
    </Key>
  );
  const hide = (
    <Key letter="h" look="secondary" isBusy={verdict.isPending} onPress={() => onAsk('hide')}>
      {t('queue.hide')}
    </Key>
  );
  if (entry.status === 'open') {
    return (
      <div className="flex flex-wrap gap-2">
        {keep}
        {hide}
        {!entry.author.is_suspended && (
          <Key letter="s" look="secondary" isBusy={verdict.isPending} onPress={() => onAsk('suspend')}>
            {t('queue.suspend')}
          </Key>
        )}
      </div>
    );
  }
  return (
    <div className="flex flex-wrap items-center gap-3">
      <p className="font-semibold">{t(outcomeOf(entry))}</p>
      {isUndoable(entry) ? (
        <Key
          letter="u"
          look="secondary"
          isBusy={verdict.isPending}
          onPress={() => verdict.mutate({ entry, kind: 'undo' })}
        >
          {t('queue.undo')}
        </Key>
      ) : entry.decision === 'hidden' ? (
        keep
      ) : (
        hide
      )}
    </div>
  );
}

function outcomeOf({ decision, isSuspendedWithIt }: QueuedCase) {
  if (isSuspendedWithIt) return 'queue.wasSuspended';
  return decision === 'hidden' ? 'queue.wasHidden' : 'queue.wasKept';
}

function isUndoable({ decided_at }: QueuedCase): boolean {
  return decided_at !== null && Date.now() - Date.parse(decided_at) < DECISION_UNDO_SECONDS * 1000;
}

function Key({
  letter,
  look,
  isBusy,
  onPress,
  children,
}: {
  letter: string;
  look: 'primary' | 'secondary';
  isBusy: boolean;
  onPress: () => void;
  children: ReactNode;
}) {
  return (
    <Button look={look} isBusy={isBusy} aria-keyshortcuts={letter} onClick={onPress}>
      {children}
      <span
        aria-hidden="true"
        className="rounded border border-current px-1.5 text-xs uppercase opacity-70 pointer-coarse:hidden"
      >
        {letter}
      </span>
    </Button>
  );
}
