import { useTranslation } from 'react-i18next';
import { readCode } from '#web/lib/read-code.ts';
import { formatCountdown } from '#web/lib/use-seconds-left.ts';
import { TextField } from '#web/ui/field.tsx';
import { Icon } from '#web/ui/icon.tsx';

/** The code with the time it has left. The phone offers digits, and fills a code in by itself where it can. */
export function CodeField({
  code,
  onChange,
  secondsLeft,
}: {
  code: string;
  onChange: (code: string) => void;
  secondsLeft: number;
}) {
  const { t } = useTranslation('recovery');
  return (
    <div className="grid gap-2">
      <TextField
        label={t('code')}
        name="verification_code"
        inputMode="numeric"
        autoComplete="one-time-code"
        autoCorrect="off"
        spellCheck={false}
        enterKeyHint="done"
        className="text-center font-semibold text-2xl tabular-nums tracking-[0.35em]"
        disabled={secondsLeft === 0}
        value={code}
        onChange={(event) => onChange(readCode(event.target.value))}
      />
      <p className="flex items-center gap-1.5 text-muted">
        <Icon name="clock" className="size-5" />
        {t('timeLeft')}
        <span role="timer" className="font-semibold text-ink tabular-nums">
          {formatCountdown(secondsLeft)}
        </span>
      </p>
    </div>
  );
}
