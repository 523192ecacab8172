// The list of faults to cover: page life, worker, tabs, storage, endpoint and tools (F1–F80), two of the browser (C120,
// C126) and the session rules (R6.1–R6.8). Each is the tag of a test, or is listed here with a reason.

export const faultRows: readonly string[] = [
  ...Array.from({ length: 80 }, (_, index) => `F${index + 1}`),
  'C120',
  'C126',
  ...Array.from({ length: 8 }, (_, index) => `R6.${index + 1}`),
]

/** Rows that no test can show, each with the reason. */
export const withoutTest: readonly { readonly row: string; readonly why: string }[] = []

/** What a row promises beyond its tests, and why that is not shown in a browser. */
export const partly: readonly { readonly row: string; readonly why: string }[] = [
  { row: 'F7', why: 'Only Chromium: Firefox puts no page into its cache that holds a lock.' },
  { row: 'F8', why: 'Only Chromium, as F7.' },
  { row: 'F9', why: 'Only Chromium, as F7.' },
  { row: 'F10', why: 'Only Chromium, as F7.' },
  { row: 'F4', why: 'Only Chromium can be crashed on demand.' },
  { row: 'F11', why: 'No browser under test sleeps: a clock that jumps stands in for the lid.' },
  {
    row: 'F12',
    why: 'No page under test is hidden or throttled: one that never gets a frame and calls itself hidden stands in for it.',
  },
  { row: 'F14', why: 'No browser under test prerenders: a page that is told so stands in for it.' },
  { row: 'F28', why: 'Only Chromium lets a test shrink the disk.' },
  { row: 'F29', why: 'Only Chromium lets a test shrink the disk.' },
  {
    row: 'F35',
    why: 'Damaged files of a profile are repaired by Chromium itself: an error in the place of the opening stands in for them.',
  },
  {
    row: 'F42',
    why: 'Safari evicts after seven days without a visit: a database that is deleted while the page is closed stands in for it. Nothing asks for persistent storage: that is the page’s to do.',
  },
  { row: 'F43', why: 'A disk that is really full cannot be had in a test: the quota stands in for it.' },
  {
    row: 'F55',
    why: 'Mixed content needs a page served over https with a certificate that the browser trusts. It cannot come to a call: an http address that is neither local nor the page’s own is refused when it is set, and that is shown.',
  },
  {
    row: 'F62',
    why: 'Thirty frames a second is a figure of the machine that measures. Shown instead: what arrives together is told together, so a flood is as many events as reads, and the heap does not grow by what was not kept.',
  },
  {
    row: 'F63',
    why: 'A message_start that is spliced in, and content blocks that are replaced, are events of Anthropic: that part waits for its wire. Ids that repeat and indexes with gaps are shown.',
  },
  {
    row: 'F69',
    why: 'Only Chromium takes a worker offline with its page under automation; the turn in a page without a worker is shown in both engines.',
  },
]
