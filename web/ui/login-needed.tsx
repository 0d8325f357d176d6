import { useLocation } from 'react-router';
import { paths } from '#web/lib/paths.ts';
import { ButtonLink } from './button.tsx';
import { EmptyState } from './empty-state.tsx';
import type { IconName } from './icon.tsx';

type Props = { icon?: IconName; title: string; label: string; isPage?: boolean };

/** Shown to a visitor in place of what needs an account: the way to sign in, and back here. */
export function LoginNeeded({ icon = 'user', title, label, isPage = false }: Props) {
  const { pathname, search } = useLocation();
  return (
    <EmptyState icon={icon} title={title} isPage={isPage}>
      <ButtonLink to={paths.login} state={{ from: pathname + search }}>
        {label}
      </ButtonLink>
    </EmptyState>
  );
}
