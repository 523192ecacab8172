// What the user reads about an ended call of a page tool, in Arabic. A number follows its word, so no plural is needed.
import type { SummaryTexts } from '../summary-texts.js'

const fields = (ok: number, all: number): string => (ok === all ? `${all}` : `${ok} من ${all}`)

/** The Arabic texts. */
export const texts: SummaryTexts = {
  page_read: 'تمت قراءة الصفحة',
  form_read: 'تمت قراءة النموذج',
  page_scroll: 'تم تمرير الصفحة',
  page_drag: 'تم السحب في الصفحة',
  page_press: 'تم الضغط على مفتاح',
  page_navigate: 'تم الانتقال إلى صفحة أخرى',
  dom_query: (count) => (count === 0 ? 'لم يُعثر على شيء في الصفحة' : `عدد المواضع التي عُثر عليها: ${count}`),
  page_wait: (met) => (met ? 'تم انتظار الصفحة' : 'تم انتظار الصفحة دون جدوى'),
  form_fill: (ok, all) => `عدد الحقول التي مُلئت: ${fields(ok, all)}`,
  form_undo: (ok, all) => `عدد الحقول التي استُعيدت: ${fields(ok, all)}`,
  page_click: (name) => (name === '' ? 'تم النقر على الصفحة' : `تم النقر على «${name}»`),
  hovered: (name) => `حرّك الفأرة فوق «${name}»`,
  form_submit: (submitted) => (submitted ? 'تم إرسال النموذج' : 'لم تقبل الصفحة النموذج'),
}
