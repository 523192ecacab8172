// What the user reads about an ended call of a page tool, in Chinese with simplified characters.
import type { SummaryTexts } from '../summary-texts.js'

const fields = (ok: number, all: number): string => (ok === all ? `${all} 个字段` : `${all} 个字段中的 ${ok} 个`)

/** The Chinese texts. */
export const texts: SummaryTexts = {
  page_read: '已读取页面',
  form_read: '已读取表单',
  page_scroll: '已滚动页面',
  page_drag: '已在页面上拖动',
  page_press: '已按下按键',
  page_navigate: '已转到其他页面',
  dom_query: (count) => (count === 0 ? '在页面上未找到任何内容' : `找到 ${count} 处`),
  page_wait: (met) => (met ? '已等待页面变化' : '等待了页面变化，但未发生'),
  form_fill: (ok, all) => `已填写 ${fields(ok, all)}`,
  form_undo: (ok, all) => `已还原 ${fields(ok, all)}`,
  page_click: (name) => (name === '' ? '已点击页面' : `已点击“${name}”`),
  hovered: (name) => `已将鼠标移到“${name}”上`,
  form_submit: (submitted) => (submitted ? '已提交表单' : '页面未接受该表单'),
}
