// The texts of the approval card, in all languages. Loaded with its code, because most visits need none of them.
import type { Words } from './en.js'

const en = {
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
    moreFields: (count: number) => (count === 1 ? '1 more field' : `${count.toLocaleString('en')} more fields`),
    /** `site`: an origin, or the scheme of an address that does not lead to a web page. */
    site: (site: string) => `This leads to another site: ${site}`,
  },
}

/** The texts of the approval card in one language. */
export type ApprovalWords = typeof en

const de: ApprovalWords = {
  approvalQuestion: 'Der Assistent möchte dies tun. Erlauben?',
  approve: 'Erlauben',
  deny: 'Nicht erlauben',
  options: 'Optionen',
  remember: 'Für den Rest dieser Unterhaltung erlauben',
  note: 'Hinweis an den Assistenten (optional)',
  edit: 'Angaben ändern',
  editInvalid: 'Prüfen Sie Anführungszeichen, Kommas und Klammern.',
  edited: 'Von Ihnen geändert',
  covered: 'Etwas auf der Seite verdeckt diese Frage. Machen Sie sie ganz sichtbar und entscheiden Sie dann.',
  acts: {
    claim: 'Die Seite sagt',
    click: 'Klickt auf',
    submit: 'Sendet',
    go: 'Geht zu',
    to: 'Führt zu',
    sentTo: 'Gesendet an',
    more: 'Nicht gezeigt',
    tab: 'in neuem Tab',
    download: 'als Download',
    filled: 'ausgefüllt (bleibt privat)',
    yes: 'ja',
    no: 'nein',
    moreFields: (count) => (count === 1 ? '1 weiteres Feld' : `${count.toLocaleString('de')} weitere Felder`),
    site: (site) => `Das führt zu einer anderen Website: ${site}`,
  },
}

/** The texts of the approval card in the language of the other texts. */
export const approvalWords = ({ language }: Pick<Words, 'language'>): ApprovalWords => (language === 'de' ? de : en)
