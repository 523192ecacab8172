// The texts of the approval cards, in English. Loaded with the first card.

/** The English texts. */
export const approvalWords = {
  approvalQuestion: 'The assistant wants to do this. Allow it?',
  approve: 'Allow',
  deny: 'Don’t allow',
  options: 'Options',
  remember: 'Allow for the rest of this conversation',
  note: 'Note for the assistant (optional)',
  edit: 'Change the details',
  editInvalid: 'Check the quotes, commas and brackets.',
  edited: 'Changed by you',
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
    /** `site`: an origin, or the scheme of an address that does not lead to a web page. */
    site: (site: string) => `This leads to another site: ${site}`,
  },
}

/** The texts of the approval cards. */
export type ApprovalWords = typeof approvalWords
