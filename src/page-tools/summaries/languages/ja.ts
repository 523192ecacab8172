// What the user reads about an ended call of a page tool, in Japanese.
import type { SummaryTexts } from '../summary-texts.js'

const fields = (ok: number, all: number): string => (ok === all ? `${all} 個の項目` : `${all} 個の項目のうち ${ok} 個`)

/** The Japanese texts. */
export const texts: SummaryTexts = {
  page_read: 'ページを読みました',
  form_read: 'フォームを読みました',
  page_scroll: 'ページをスクロールしました',
  page_drag: 'ページ上でドラッグしました',
  page_press: 'キーを押しました',
  page_navigate: '別のページに移動しました',
  dom_query: (count) => (count === 0 ? 'ページには見つかりませんでした' : `${count} 件見つかりました`),
  page_wait: (met) => (met ? 'ページの変化を待ちました' : 'ページの変化を待ちましたが、起こりませんでした'),
  form_fill: (ok, all) => `${fields(ok, all)}に入力しました`,
  form_undo: (ok, all) => `${fields(ok, all)}を元に戻しました`,
  page_click: (name) => (name === '' ? 'ページをクリックしました' : `「${name}」をクリックしました`),
  hovered: (name) => `「${name}」にマウスを合わせました`,
  form_submit: (submitted) => (submitted ? 'フォームを送信しました' : 'ページはフォームを受け付けませんでした'),
}
