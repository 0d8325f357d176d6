import { useTranslation } from 'react-i18next';
import { queryKeys } from '#web/api/query-keys.ts';
import { ReasonDialog } from '#web/ui/reason-dialog.tsx';
import { suspendCommunity, suspendPerson } from './api.ts';
import { useDecision } from './use-decision.ts';

const KINDS = {
  person: {
    suspend: suspendPerson,
    words: { title: 'suspendTitle', text: 'suspendText', toast: 'suspendedToast' },
    stale: [queryKeys.admin.all, queryKeys.posts.all],
  },
  community: {
    suspend: suspendCommunity,
    words: { title: 'community.suspendTitle', text: 'community.suspendText', toast: 'community.suspendedToast' },
    stale: [queryKeys.admin.all, queryKeys.posts.all, queryKeys.communities.all],
  },
} as const;

type Props = { kind: keyof typeof KINDS; id: string; name: string; onClose: () => void };

/**
 * Asks the admin for the reason of the suspension. The suspended person, or the community's admins, read it word for
 * word.
 */
export function SuspendDialog({ kind, id, name, onClose }: Props) {
  const { t } = useTranslation('admin');
  const { suspend, words, stale } = KINDS[kind];
  const suspending = useDecision({
    decide: suspend,
    doneText: t(words.toast, { name }),
    stale,
    onDone: onClose,
    isInDialog: true,
  });
  return (
    <ReasonDialog
      title={t(words.title, { name })}
      text={t(words.text)}
      label={t('reason')}
      hint={t('suspendHint')}
      action={t('suspend')}
      saving={suspending}
      failed={t('failed')}
      onSubmit={(reason) => suspending.mutate({ id, reason })}
      onClose={onClose}
    />
  );
}
