// What the user reads about an ended call of a page tool, in French.
import type { SummaryTexts } from '../summary-texts.js'

const fields = (ok: number, all: number): string =>
  `${ok === all ? '' : `${ok} sur `}${all} ${all < 2 ? 'champ' : 'champs'}`

/** The French texts. */
export const texts: SummaryTexts = {
  page_read: 'Page lue',
  form_read: 'Formulaire lu',
  page_scroll: 'Page défilée',
  page_drag: 'Élément déplacé sur la page',
  page_press: 'Touche appuyée',
  page_navigate: 'Passage à une autre page',
  dom_query: (count) => {
    if (count === 0) return 'Rien trouvé sur la page'
    return count === 1 ? '1 endroit trouvé' : `${count} endroits trouvés`
  },
  page_wait: (met) => (met ? 'Attente de la page terminée' : 'La page a été attendue en vain'),
  form_fill: (ok, all) => `Rempli : ${fields(ok, all)}`,
  form_undo: (ok, all) => `Rétabli : ${fields(ok, all)}`,
  page_click: (name) => (name === '' ? 'Clic sur la page' : `Clic sur « ${name} »`),
  hovered: (name) => `Souris placée sur « ${name} »`,
  form_submit: (submitted) => (submitted ? 'Formulaire envoyé' : 'La page n’a pas accepté le formulaire'),
}
