import { type RefObject, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '#web/ui/button.tsx';
import { guessIsOwner } from './guess-owner.ts';
import type { PostFormValues } from './post-draft.ts';
import { Question } from './question.tsx';

/**
 * What the title says when its writer chose the other thing, until they have said which is right; the same title is
 * not asked about again.
 */
export function useTitleQuestion({ title, is_owner }: PostFormValues) {
  const [settled, setSettled] = useState<boolean | null>(null);
  const place = useRef<HTMLDivElement>(null);
  const guess = guessIsOwner(title);
  const isAsked = guess !== null && is_owner !== null && guess !== is_owner && guess !== settled;
  return {
    place,
    titleSays: isAsked ? guess : null,
    settle: () => setSettled(guess),
    focus: () => place.current?.querySelector('button')?.focus(),
  };
}

export function TitleQuestion({
  place,
  titleSays,
  onAnswer,
}: {
  place: RefObject<HTMLDivElement | null>;
  titleSays: boolean | null;
  onAnswer: (isOwner: boolean) => void;
}) {
  const { t } = useTranslation('posts');
  if (titleSays === null) return null;
  return (
    <div ref={place}>
      <Question text={titleSays ? t('titleSaysLost') : t('titleSaysFound')}>
        <Button look="secondary" icon="search" onClick={() => onAnswer(true)}>
          {t('answerLost')}
        </Button>
        <Button look="secondary" icon="tag" onClick={() => onAnswer(false)}>
          {t('answerFound')}
        </Button>
      </Question>
    </div>
  );
}
