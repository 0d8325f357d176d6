import { addTexts } from '#web/lib/add-texts.ts';

/** Beside the screens and not in the languages' own chunks: most visits have nothing to do with a claim. */
export function addClaimsTexts(): void {
  addTexts('claims', import.meta.glob<object>('#web/locales/*/claims.json', { eager: true, import: 'default' }));
}
