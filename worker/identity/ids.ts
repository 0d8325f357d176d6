/** A random id: 122 bits, opaque, not to be enumerated. */
export function newId(): string {
  return crypto.randomUUID();
}
