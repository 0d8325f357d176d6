import { LANGUAGES, type Language } from '#contract/language.ts';

/**
 * Returns the files that `import.meta.glob` found in `locales`, by language.
 * @throws Error if a language has no file.
 */
export function byLanguage<File>(files: Record<string, File>): Record<Language, File> {
  const entries = LANGUAGES.map((language) => {
    const file = Object.entries(files).find(([path]) => path.includes(`/locales/${language}/`));
    if (!file) throw new Error(`The language ${language} lacks a file that others have`);
    return [language, file[1]];
  });
  return Object.fromEntries(entries);
}
