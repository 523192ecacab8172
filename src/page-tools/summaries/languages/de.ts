// What the user reads about an ended call of a page tool, in German.
import type { SummaryTexts } from '../summary-texts.js'

/** `all` in the accusative; "of" needs the dative. */
const fields = (ok: number, all: number): string => {
  if (ok !== all) return `${ok} von ${all} ${all === 1 ? 'Feld' : 'Feldern'}`
  return `${all} ${all === 1 ? 'Feld' : 'Felder'}`
}

/** The German texts. */
export const texts: SummaryTexts = {
  page_read: 'Die Seite gelesen',
  form_read: 'Das Formular gelesen',
  page_scroll: 'Die Seite gerollt',
  page_drag: 'Etwas auf der Seite gezogen',
  page_press: 'Eine Taste gedrückt',
  page_navigate: 'Zu einer anderen Seite gegangen',
  dom_query: (count) =>
    count === 0 ? 'Nichts auf der Seite gefunden' : `${count} ${count === 1 ? 'Stelle' : 'Stellen'} gefunden`,
  page_wait: (met) => (met ? 'Auf die Seite gewartet' : 'Vergeblich auf die Seite gewartet'),
  form_fill: (ok, all) => `${fields(ok, all)} ausgefüllt`,
  form_undo: (ok, all) => `${fields(ok, all)} zurückgesetzt`,
  page_click: (name) => (name === '' ? 'Auf die Seite geklickt' : `Auf „${name}“ geklickt`),
  hovered: (name) => `Maus über „${name}“ bewegt`,
  form_submit: (submitted) => (submitted ? 'Das Formular gesendet' : 'Die Seite hat das Formular nicht angenommen'),
}
