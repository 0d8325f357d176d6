import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useId, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useSession } from '#web/api/session.ts';
import { ownCommunitiesQuery, toCommunityOptions } from '#web/communities/queries.ts';
import { Icon } from '#web/ui/icon.tsx';

type Choice = { value: string | null; onChange: (code: string | null) => void };

/** Filters the list of posts: everyone's posts, or those of one community. A visitor does not see this filter. */
export function CommunityFilter(choice: Choice) {
  const { t } = useTranslation('posts');
  const options = useOptions();
  if (!options) return null;
  return <CommunitySelect label={t('community')} isLabelHidden none={t('everyone')} options={options} {...choice} />;
}

/** Selects who can see the post: everyone, or the members of a community. */
export function CommunityField(choice: Choice) {
  const { t } = useTranslation('posts');
  const options = useOptions();
  if (!options) return null;
  return (
    <CommunitySelect
      label={t('community')}
      hint={t('communityHint')}
      none={t('everyone')}
      options={options}
      {...choice}
    />
  );
}

/** Returns the communities that the user can choose: none while they load, null for a visitor. */
function useOptions() {
  const isSignedIn = useSession() !== null;
  const { data = [] } = useQuery({ ...ownCommunitiesQuery(), enabled: isSignedIn });
  return isSignedIn ? toCommunityOptions(data) : null;
}

type CommunityOption = { code: string; name: string };

/**
 * Selects one community or none. The select is native, so that it opens the phone's own picker.
 * @param none the label of the choice of no community, such as "Everyone".
 * @param value the code of the chosen community, which stays selectable while the options load.
 */
export function CommunitySelect({
  label,
  isLabelHidden = false,
  none,
  hint,
  options,
  value,
  onChange,
}: {
  label: string;
  /** Hides the label, except for screen readers. */
  isLabelHidden?: boolean;
  none: string;
  hint?: ReactNode;
  options: CommunityOption[];
  value: string | null;
  onChange: (code: string | null) => void;
}) {
  const { t } = useTranslation('communities');
  const id = useId();
  const select = useRef<HTMLSelectElement>(null);
  const isKnown = value === null || options.some((option) => option.code === value);

  /** Moves the focus, because the pressed button is removed. */
  function clear() {
    onChange(null);
    select.current?.focus();
  }

  return (
    <div className="grid gap-1.5">
      <label htmlFor={id} className={isLabelHidden ? 'sr-only' : 'font-semibold'}>
        {label}
      </label>
      {hint && (
        <p id={`${id}-hint`} className="text-muted text-sm">
          {hint}
        </p>
      )}
      <div className="flex gap-2">
        <select
          ref={select}
          id={id}
          className="field-input min-w-0"
          aria-describedby={hint ? `${id}-hint` : undefined}
          value={value ?? ''}
          onChange={(event) => onChange(event.target.value || null)}
        >
          <option value="">{none}</option>
          {!isKnown && <option value={value}>{value}</option>}
          {options.map(({ code, name }) => (
            <option key={code} value={code} dir="auto">
              {name}
            </option>
          ))}
        </select>
        {value !== null && (
          <button type="button" className="icon-button shrink-0" aria-label={t('clearCommunity')} onClick={clear}>
            <Icon name="close" />
          </button>
        )}
      </div>
    </div>
  );
}
