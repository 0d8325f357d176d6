/** One sentence on how the claim stands, which names its part of the screen. */
export function StandingNote({ text }: { text: string }) {
  return (
    <p id="standing" className="rounded-xl bg-accent-soft px-4 py-3 font-semibold text-accent">
      {text}
    </p>
  );
}
