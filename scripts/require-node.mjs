// Plain JavaScript, loaded with --import before any .ts file: an older Node would fail on the types with a stack.
const OLDEST = [22, 18];

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < OLDEST[0] || (major === OLDEST[0] && minor < OLDEST[1])) {
  console.error(
    `Patikana needs Node ${OLDEST.join('.')} or later and this is ${process.versions.node}: install Node 24, or run "npm ci" where its package exists.`,
  );
  process.exit(1);
}
