// How long page tools wait for a page, and why that long: one entry for each thing that is waited for. A limit must be
// long enough for a slow page, and short enough to be waited for in vain by each call. Times are milliseconds; `turns`
// are those of the page. Numbers beside the limit belong to the condition of the same wait.

/** The limits of all waits. An entry with `atMost` or `turns` is what `until` takes. */
export const patience = {
  /**
   * Until a frame. `late`: on a busy machine, where what the page would render must not be overtaken by the next event.
   * `missing`: once none has come, as in a tab that is covered.
   */
  frame: { late: 1_000, missing: 75 },

  // --- Actions

  /** Until the question about a call is gone. The panel removes a decided one with its next update. */
  question: { atMost: 2_000 },
  /**
   * Until a page is still after an action. `still`: without a change after the last one. `nothing`: without any
   * change, as a page may react only after a request. `answer`: without a change while a request has no answer.
   * `atMost`: a page that keeps changing is reported as it is. `held`: the same before the user is asked about what is
   * held, because they wait for the question. `animation`: what takes longer is a clock or a decoration.
   */
  action: { still: 300, nothing: 1_000, answer: 2_000, atMost: 4_000, held: 1_000, animation: 5_000, every: 50 },
  /** Until what can be held, or was allowed, is answered: only the answer says what became of it. */
  answers: { atMost: 10_000, every: 50 },
  /** Until the page is gone after a navigation was requested: a slow server takes that long, a download for ever. */
  navigation: { atMost: 12_000 },
  /** Until a menu or pop-up has opened after its opener was clicked or hovered. It may load, and move or fade in. */
  openMenu: { atMost: 1_500 },
  /** How long a finger or a button rests for a long press. Libraries wait for up to half a second. */
  longPress: { atMost: 600 },
  /** Until what was dropped is in place. Libraries animate it. */
  drop: { atMost: 1_000 },
  /** Until contents are at rest after a turn of the wheel. `begin`: what has not moved by then does not follow it. */
  wheel: { begin: 400, atMost: 2_000 },

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
  /** Until the list of a chosen suggestion is gone. One that is still there then has ignored the click. */
  chosen: { atMost: 600 },
  /**
   * Until a page offers suggestions for a typed text. `certain`, `uncertain`: without a change of the page after
   * typing, for fields that do or may offer a list. `answerAfter`: a list that appears so late is the answer to the
   * text, not a former list. `still`: without a change after the list has appeared. `wasted`: in one call, for fields
   * that may offer a list but do not.
   */
  suggestions: { certain: 1_200, uncertain: 700, answerAfter: 250, still: 200, atMost: 4_000, wasted: 10_000 },
  /** Until a page drops a text of which nothing was chosen. Many do so a little after the field was left. */
  dropped: { atMost: 400 },
  /** Until a page has drawn a tag for a word. */
  tag: { turns: 10 },

  // --- Calendars. They are drawn, and many move or fade, in frames.

  /** Until a calendar has opened, and the same for a field that can be written, which may have none. */
  calendar: { turns: 12 },
  unexpectedCalendar: { turns: 6 },
  /** Until all days of a month are drawn. Many slide in. */
  drawnMonth: { turns: 30 },
  /** Until another month is shown after a key or a button for it. What moves nothing is not tried again. */
  turnedMonth: { turns: 2 },
  /** The same in a calendar without roles, where all that may be a button for it is tried. */
  plainMonth: { turns: 3 },
  /** Until a calendar has closed after the last of several days: alone, dismissed, and dismissed again. */
  calendarClosing: { alone: { turns: 3 }, dismissed: { turns: 7 }, again: { turns: 10 } },
  /** Until a calendar has disappeared after its field was left. */
  calendarFading: { turns: 20 },

  // --- Values

  /** Until a slider or spin button has changed after a key, or holds its new value. */
  sliderValue: { turns: 5 },
  /**
   * Until a page no longer changes the boxes that belong together. `nothing`: without any change, as it may answer a
   * press only after a request. `still`: without a change after the last one.
   */
  linkedBoxes: { still: 300, nothing: 1_000, atMost: 3_000 },
  /**
   * Until a page that has reacted to a value drops or changes it. Looks are counted, because a busy page runs its
   * timers late. `still`: looks without a reaction.
   */
  lateChange: { still: 4, turns: 16, every: 30 },
  /** At the end of a fill, until what it has saved is answered. */
  savedAnswer: { atMost: 1_000, every: 50 },
  /** After a reload, until the page has drawn the fields that are marked, and put their values back. */
  redrawn: { atMost: 5_000, every: 500 },
  /** Until the border has read the body of a request that it holds. It gives up by itself. */
  body: { atMost: Infinity, every: 10 },

  // --- Reading

  /** Until a list has loaded more at its end, or has drawn the rows of a window. */
  moreRows: { atMost: 1_500, every: 50 },
  /** The same if the page says that it is busy. */
  busyList: { atMost: 6_000 },
  /** The same after windows that stayed empty: to wait for each would take all the time of the call. */
  vainWindow: { atMost: 60 },
  /** Turns that a window gets in any case: on a busy machine the time is over before the list had a chance to draw. */
  rowWindow: { fewestTurns: 19, every: 15 },
  /** For page_wait. `still`: without a mutation until the page counts as still. */
  pageWait: { still: 500, every: 200 },

  // --- Tools of the page

  /** Until a navigation is requested after a form tool was submitted. */
  navigationRequest: { atMost: 1_000, every: 50 },

  // --- What is held, in milliseconds

  /** Until the user has decided about a request that is held. Servers and libraries give up after about 30 s. */
  hold: 25_000,
  /** For reading the body of such a request. After that it counts as one that cannot be read. */
  heldBody: 500,
  /** Until the browser has begun to read what it saves. */
  saving: 10_000,

  // --- Work with a deadline, in milliseconds

  /** For one call to read the page, which then answers with what it has read. */
  reading: 10_000,
  /** Of work between two pauses, so that a large page stays responsive. */
  piece: 30,
  /** For a reading that begins again because the page has changed. One that has taken longer goes on. */
  restart: 2_500,
  /** For one selector of a model. Then it is rejected. */
  selector: 3_000,
  /** For one call to step through the rows of lists. */
  rows: 12_000,
  /** For one call to scroll until a text is found. */
  search: 20_000,
  /** For reaching the month of a day, within the time limit of form_fill. */
  month: 20_000,
  /** For moving a slider until it shows a text. */
  sliderText: 10_000,
  /** For putting back a field, if the call that wrote it may have been stopped. */
  putBack: 5_000,
}
