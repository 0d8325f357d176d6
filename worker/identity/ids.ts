/** A random id: 122 bits, opaque, impossible to enumerate. */
export function newId(): string {
  return crypto.randomUUID();
}
