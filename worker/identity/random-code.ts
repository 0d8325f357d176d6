/** No letters and digits that look alike: no I, L, O, 0 or 1. */
const ALPHABET = 'ABCDEFGHJKMNPQRSTUVWXYZ23456789';

/** A random code for people to read and type, from a CSPRNG. */
export function randomCode(length: number): string {
  let code = '';
  while (code.length < length) {
    for (const byte of crypto.getRandomValues(new Uint8Array(length))) {
      // 248 is the largest multiple of 31 in a byte: higher values would favour the first letters.
      if (byte < 248 && code.length < length) code += ALPHABET[byte % ALPHABET.length];
    }
  }
  return code;
}
