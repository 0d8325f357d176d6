import type { ReactNode } from 'react';
import { Icon, type IconName } from './icon.tsx';

/**
 * Says that there is no content.
 * @param isPage whether the message is the whole screen. The message's title is then the page's heading.
 */
export function EmptyState({
  icon,
  title,
  text,
  children,
  isPage = false,
}: {
  icon: IconName;
  title: string;
  text?: string;
  children?: ReactNode;
  isPage?: boolean;
}) {
  const Heading = isPage ? 'h1' : 'p';
  return (
    <div className="mx-auto grid max-w-md justify-items-center gap-3 px-4 py-12 text-center">
      <span className="grid size-14 place-items-center rounded-full bg-accent-soft text-accent">
        <Icon name={icon} className="size-7" />
      </span>
      <Heading className="text-balance font-bold text-lg">{title}</Heading>
      {text && <p className="text-pretty text-muted">{text}</p>}
      {children}
    </div>
  );
}
