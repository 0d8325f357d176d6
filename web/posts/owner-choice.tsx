import { useTranslation } from 'react-i18next';
import { Icon, type IconName } from '#web/ui/icon.tsx';
import type { PostFormValues } from './post-draft.ts';

const LOOKS = {
  lost: 'has-checked:border-lost has-checked:bg-lost-soft has-checked:text-lost',
  found: 'has-checked:border-found has-checked:bg-found-soft has-checked:text-found',
};

/**
 * The first thing that a post says, as large as it matters: an owner's is matched with finders' alone.
 * @param isGuessed whether the form read it from the title.
 */
export function OwnerChoice({
  isOwner,
  isGuessed,
  onChoose,
}: {
  isOwner: PostFormValues['is_owner'];
  isGuessed: boolean;
  onChoose: (isOwner: boolean) => void;
}) {
  const { t } = useTranslation('posts');

  function explain(): string {
    if (isOwner === null) return t('kindUnset');
    if (isGuessed) return t('kindGuessed');
    return isOwner ? t('kindLostText') : t('kindFoundText');
  }

  return (
    <fieldset className="grid gap-2">
      <legend className="mb-2 font-semibold">{t('kindQuestion')}</legend>
      <div className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,8rem),1fr))] gap-3">
        <Choice
          look="lost"
          icon="search"
          value="owner"
          label={t('iLost')}
          checked={isOwner === true}
          onChange={() => onChoose(true)}
        />
        <Choice
          look="found"
          icon="tag"
          value="finder"
          label={t('iFound')}
          checked={isOwner === false}
          onChange={() => onChoose(false)}
        />
      </div>
      <p role="status" className="text-muted text-sm">
        {explain()}
      </p>
    </fieldset>
  );
}

type ChoiceProps = {
  look: keyof typeof LOOKS;
  icon: IconName;
  value: string;
  label: string;
  checked: boolean;
  onChange: () => void;
};

function Choice({ look, icon, label, ...radio }: ChoiceProps) {
  return (
    <label
      className={`grid min-h-24 cursor-pointer content-center gap-2 rounded-xl border-2 border-field-line p-3 font-semibold ${LOOKS[look]}`}
    >
      <span className="flex items-center justify-between gap-2">
        <input {...radio} type="radio" name="posted_by" className="size-5 accent-current" />
        <Icon name={icon} className="size-7" />
      </span>
      {label}
    </label>
  );
}
