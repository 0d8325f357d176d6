import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { PHOTO_ALT_MAX_CHARS } from '#contract/limits.ts';
import { TextField } from '#web/ui/field.tsx';
import { Icon } from '#web/ui/icon.tsx';

export type PhotoRowProps = {
  picture: string | undefined;
  alt: string;
  /** Called with the description when the user leaves the field. */
  onAlt: (alt: string) => void;
  at: number;
  count: number;
  onMove: (by: -1 | 1) => void;
  onRemove: () => void;
};

/** A photo in a form: its description, its position and the button to remove it. */
export function PhotoRow({ picture, alt, onAlt, at, count, onMove, onRemove }: PhotoRowProps) {
  const { t } = useTranslation('photos');
  const [typed, setTyped] = useState(alt);
  const place = { place: at + 1 };
  return (
    <li className="photo-row rounded-xl border border-line p-3">
      <img src={picture} alt={alt || t('photo', place)} width={80} height={80} />
      <TextField
        label={t('alt')}
        isOptional
        autoComplete="off"
        maxLength={PHOTO_ALT_MAX_CHARS}
        value={typed}
        onChange={({ target }) => setTyped(target.value)}
        onBlur={() => typed.trim() !== alt && onAlt(typed.trim())}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return;
          // Enter must not submit the form: the description is stored on blur, so the form would be sent without it.
          event.preventDefault();
          event.currentTarget.blur();
        }}
      />
      <div className="col-span-2 flex justify-end gap-1">
        <MoveButton
          label={t('moveUp', place)}
          turn="icon-up"
          {...{ at }}
          isLast={at === 0}
          onPress={() => onMove(-1)}
        />
        <MoveButton
          label={t('moveDown', place)}
          turn=""
          {...{ at }}
          isLast={at === count - 1}
          onPress={() => onMove(1)}
        />
        <button type="button" className="icon-button text-danger" aria-label={t('remove', place)} onClick={onRemove}>
          <Icon name="trash" />
        </button>
      </div>
    </li>
  );
}

type MoveButtonProps = { label: string; turn: string; at: number; isLast: boolean; onPress: () => void };

/**
 * A button that moves the photo up or down. If the photo cannot move further, the button is marked as disabled but not
 * removed, so that the button keeps the focus.
 */
function MoveButton({ label, turn, at, isLast, onPress }: MoveButtonProps) {
  const button = useRef<HTMLButtonElement>(null);
  const lastAt = useRef(at);
  const isPressed = useRef(false);

  useEffect(() => {
    if (lastAt.current === at) return;
    lastAt.current = at;
    if (isPressed.current) button.current?.focus();
    isPressed.current = false;
  }, [at]);

  function press() {
    if (isLast) return;
    isPressed.current = true;
    onPress();
  }

  return (
    <button
      ref={button}
      type="button"
      className="icon-button"
      aria-label={label}
      aria-disabled={isLast || undefined}
      onClick={press}
    >
      <Icon name="chevron" className={`size-5 ${turn}`} />
    </button>
  );
}
