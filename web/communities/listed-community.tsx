import { flushSync } from 'react-dom';
import { useTranslation } from 'react-i18next';
import type { ApprovedCommunity } from '#contract/communities.ts';
import { formatNumber } from '#web/lib/format-number.ts';
import { communityPath } from '#web/lib/paths.ts';
import { useDialogAddress } from '#web/lib/use-dialog-address.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Button, ButtonLink } from '#web/ui/button.tsx';
import { AskToJoinDialog } from './ask-to-join-dialog.tsx';

type Props = {
  community: ApprovedCommunity;
  /** The button that was pressed goes, and the focus has to go elsewhere. */
  onAsked: () => void;
};

/** What a stranger sees of a community, and what they can do: ask, wait, or go in. */
export function ListedCommunity({ community, onAsked }: Props) {
  const { t } = useTranslation('community');
  const { id, name, description, member_count, is_member, has_requested } = community;
  const dialog = useDialogAddress('ask', id);
  return (
    <li className="card grid gap-3">
      <div className="grid gap-1">
        <h2 dir="auto" className="break-words font-bold text-lg">
          {name}
        </h2>
        {description && (
          <p dir="auto" className="wrap-anywhere line-clamp-3 text-muted">
            {description}
          </p>
        )}
        <p className="text-muted text-sm">
          {t('memberCount', { count: member_count, members: formatNumber(member_count) })}
        </p>
      </div>
      {is_member && (
        <ButtonLink look="secondary" className="justify-self-start" to={communityPath(id)}>
          {t('openMembersPage')}
        </ButtonLink>
      )}
      {!is_member && has_requested && (
        <div className="grid justify-items-start gap-1">
          <Badge tone="lost" icon="clock">
            {t('hasAsked')}
          </Badge>
          <p className="text-muted text-sm">{t('hasAskedText')}</p>
        </div>
      )}
      {!is_member && !has_requested && (
        <Button className="justify-self-start" aria-label={t('askNamed', { name })} onClick={dialog.open}>
          {t('ask')}
        </Button>
      )}
      {!is_member && !has_requested && dialog.isOpen && (
        <AskToJoinDialog
          community={community}
          onClose={dialog.close}
          onAsked={() => {
            flushSync(dialog.close);
            onAsked();
          }}
        />
      )}
    </li>
  );
}
