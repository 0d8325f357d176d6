import { addTexts } from '#web/lib/add-texts.ts';

/** Beside what shows them and not in the languages' own chunks: most visits pass nothing on. */
export function addSharingTexts(): void {
  addTexts('sharing', import.meta.glob<object>('#web/locales/*/sharing.json', { eager: true, import: 'default' }));
}
