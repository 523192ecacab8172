// What the user reads about an ended call of a page tool, in Spanish.
import type { SummaryTexts } from '../summary-texts.js'

const fields = (ok: number, all: number): string =>
  `${ok === all ? '' : `${ok} de `}${all} ${all === 1 ? 'campo' : 'campos'}`

/** The Spanish texts. */
export const texts: SummaryTexts = {
  page_read: 'Página leída',
  form_read: 'Formulario leído',
  page_scroll: 'Página desplazada',
  page_drag: 'Elemento arrastrado en la página',
  page_press: 'Tecla pulsada',
  page_navigate: 'Se pasó a otra página',
  dom_query: (count) => {
    if (count === 0) return 'No se encontró nada en la página'
    return count === 1 ? 'Se encontró 1 lugar' : `Se encontraron ${count} lugares`
  },
  page_wait: (met) => (met ? 'Se esperó a la página' : 'Se esperó a la página en vano'),
  form_fill: (ok, all) => `Rellenado: ${fields(ok, all)}`,
  form_undo: (ok, all) => `Restablecido: ${fields(ok, all)}`,
  page_click: (name) => (name === '' ? 'Clic en la página' : `Clic en «${name}»`),
  hovered: (name) => `Puso el ratón sobre «${name}»`,
  form_submit: (submitted) => (submitted ? 'Formulario enviado' : 'La página no aceptó el formulario'),
}
