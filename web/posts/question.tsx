import { type ReactNode, useEffect, useRef } from 'react';
import { Banner } from '#web/ui/banner.tsx';

/** A question that the form asks, and no error: a sentence, what it is about, and its answers as buttons. */
export function Question({
  text,
  about,
  takesFocus = false,
  children,
}: {
  text: string;
  about?: ReactNode;
  /** For one that holds up what was just pressed. */
  takesFocus?: boolean;
  children: ReactNode;
}) {
  const group = useRef<HTMLFieldSetElement>(null);
  useEffect(() => {
    if (takesFocus) group.current?.querySelector<HTMLElement>('a, button')?.focus();
  }, [takesFocus]);

  return (
    <Banner tone="notice">
      <fieldset ref={group} className="grid gap-2">
        <legend className="mb-2 font-semibold">{text}</legend>
        {about}
        <div className="flex flex-wrap gap-3">{children}</div>
      </fieldset>
    </Banner>
  );
}
