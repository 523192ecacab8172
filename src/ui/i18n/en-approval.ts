// The texts of the approval cards, in English.

/** The English texts. */
export const approvalWords = {
  asks: 'The assistant asks for your permission',
  /** `at`: the place of this question among `all`. */
  position: (at: number, all: number) => `${at} of ${all}`,
  approve: 'Allow',
  deny: 'Don’t allow',
  /** The button for a page tool: what it does. */
  verbs: { click: 'Click', submit: 'Send the form', go: 'Go there', press: 'Press the key', fill: 'Fill in' },
  allowMenu: 'Ways to allow',
  once: 'Allow only this time',
  remember: 'Allow in this conversation',
  addReason: 'Add a reason',
  reason: 'Reason, for the assistant (optional)',
  edit: 'Change',
  done: 'Done',
  revert: 'Undo the changes',
  edited: 'Changed by you',
  lines: 'one per line',
  invalidJson: 'Check the quotes, commas and brackets.',
  checkFields: 'Check the marked fields.',
  details: 'Details',
  tool: 'Tool',
  /** `count`: how many arguments are not on the screen yet. */
  more: (count: number) => `${count} more below`,
  moreText: 'More below',
  readToEnd: 'read to the end first',
  unread: 'Read to the end first, then allow it.',
  covered: 'Something on the page covers this question. Make it fully visible, then decide.',
  acts: {
    claim: 'The page says',
    click: 'Clicks',
    submit: 'Sends',
    go: 'Goes to',
    to: 'Leads to',
    sentTo: 'Sent to',
    more: 'Not shown',
    tab: 'in a new tab',
    download: 'as a download',
    filled: 'filled in (kept private)',
    yes: 'yes',
    no: 'no',
    moreFields: (count: number) => (count === 1 ? '1 more field' : `${count} more fields`),
    /** The host follows, or the scheme of an address that does not lead to a web page. */
    site: 'This leads to another site:',
  },
}

/** The texts of the approval cards. */
export type ApprovalWords = typeof approvalWords
