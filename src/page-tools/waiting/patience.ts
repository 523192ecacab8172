// How long page tools wait for a page, and why that long. One entry for each thing that is waited for; all times are
// milliseconds. A limit must be long enough for the slowest page that still works for a person, and short enough for a
// model that waits for the answer: all limits of one call together stay below its time limit.

/** The limits of all waits. An entry with `atMost` or `turns` is what `until` takes. */
export const patience = {
  // --- Lists and options of a field

  /** Until a list that is open shows options. It may load them. */
  openList: { atMost: 1_500 },
  /** Until a list shows options that typing or a click should open. */
  expectedList: { atMost: 1_000 },
  /** The same for a field without any sign of a list: most have none, and each field of a form would wait for it. */
  unexpectedList: { atMost: 150 },
  /** Until a list has filtered its options by the typed text. */
  filter: { atMost: 800 },
  /** Until a list says that it is closed. It does so at once, or it ignored what should close it. */
  closing: { atMost: 150 },
  /** Until a list has disappeared. Many fade out, and cover the page meanwhile. */
  fading: { atMost: 1_000 },
}
