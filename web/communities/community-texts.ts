import { addTexts } from '#web/lib/add-texts.ts';

/** Beside the screens of one community and not in the languages' own chunks: most visits open none. */
export function addCommunityTexts(): void {
  addTexts('community', import.meta.glob<object>('#web/locales/*/community.json', { eager: true, import: 'default' }));
}
