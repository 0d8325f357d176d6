/** The only exports that other nouns may import. */
export { isCommonPassword } from './common-passwords.ts';
export { assertCurrentPassword } from './current-password.ts';
export { strangerTurns } from './guessers.ts';
export { hashPassword } from './password.ts';
export { accountData } from './personal-data.ts';
export { readMe } from './read-me.ts';
