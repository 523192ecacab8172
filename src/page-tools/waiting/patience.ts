// How long page tools wait for a page, and why that long. One entry for each thing that is waited for; all times are
// milliseconds. A limit must be long enough for the slowest page that still works for a person, and short enough for a
// model that waits for the answer: all limits of one call together stay below its time limit.

/** The limits of all waits. An entry with `atMost` or `turns` is what `until` takes. */
export const patience = {
  // --- Actions

  /** Until the question about a call is gone. The panel removes a decided one with its next update. */
  question: { atMost: 2_000 },
  /**
   * Until a page is still after an action. `still`: without a change after the last one, which is longer than the
   * steps of a page that renders in several. `nothing`: without any change at all: what needs a request and shows no
   * sign of it begins to show its answer by then. `answer`: without a change while something has no answer; what takes
   * longer is a stream, or polls. `atMost`: a page that keeps changing is reported as it is. `held`: the same before the
   * user is asked about what is held, as the question says what the page shows.
   */
  action: { still: 300, nothing: 1_000, answer: 2_000, atMost: 4_000, held: 1_000, every: 50 },
  /** Until what an action or a fill has sent with permission is answered. Only the answer says what became of it. */
  answers: { atMost: 10_000, every: 50 },
  /** Until the page is gone after a navigation was requested: slow servers take that long, and downloads never do it. */
  navigation: { atMost: 12_000 },
  /** Until a menu or pop-up has opened after its opener was clicked or hovered. It may load, and move or fade in. */
  openMenu: { atMost: 1_500 },
  /** How long a finger or a button rests for a long press. Libraries wait for up to half a second. */
  longPress: { atMost: 600 },
  /** Until what was dropped is in place. Libraries animate it. */
  drop: { atMost: 1_000 },
  /** Until contents begin to move after a turn of the wheel. Those that do not follow by then do not listen to it. */
  wheelBegin: { atMost: 400 },
  /** Until they are at rest: many move on after the wheel has stopped. */
  wheel: { atMost: 2_000 },

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
