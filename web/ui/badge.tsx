import type { ReactNode } from 'react';
import { Icon, type IconName } from './icon.tsx';

const TONES = {
  found: 'bg-found-soft text-found',
  lost: 'bg-lost-soft text-lost',
  accent: 'bg-accent-soft text-accent',
  plain: 'bg-sunken text-muted',
};

export function Badge({ tone, icon, children }: { tone: keyof typeof TONES; icon?: IconName; children: ReactNode }) {
  return (
    <span className={`inline-flex items-center gap-1 rounded-full px-2.5 py-0.5 font-semibold text-sm ${TONES[tone]}`}>
      {icon && <Icon name={icon} className="size-4" />}
      {children}
    </span>
  );
}
