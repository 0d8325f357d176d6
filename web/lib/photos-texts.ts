import { addTexts } from './add-texts.ts';

/** Beside what shows them and not in the languages' own chunks: most visits neither send a photo nor open one. */
export function addPhotosTexts(): void {
  addTexts('photos', import.meta.glob<object>('#web/locales/*/photos.json', { eager: true, import: 'default' }));
}
