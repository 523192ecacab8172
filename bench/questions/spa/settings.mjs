// Settings in Arabic, from right to left, in Alpine. The whole state goes to one address, a little later.
import { spa, stateApi } from './serve.mjs'

const setting = (/** @type {string} */ id, /** @type {string | boolean} */ value) => ({ id, name: id, value })

export const app = spa({
  name: 'إعدادات',
  group: 'spa',
  language: 'ar',
  title: 'الإعدادات',
  page: 'settings.js',
  region: '.values',
  data: () => ({
    settings: [setting('name', 'سارة'), setting('mail', true), setting('sound', true), setting('weekly', false)],
    devices: [
      { id: 1, name: 'هذا الحاسوب', isHere: true },
      { id: 2, name: 'هاتف قديم', isHere: false },
    ],
  }),
  handle: stateApi,
  jobs: [
    {
      name: 'switch',
      task: 'لا أريد رسائل البريد.',
      effects: [],
      changes: [{ what: 'set settings "mail" value = false', effect: 'value', says: ['رسائل البريد'] }],
      region: '',
      async policy({ read, click, controlAfter }) {
        await read()
        await click('الإشعارات')
        await click(await controlAfter('رسائل البريد', 0))
      },
    },
    {
      name: 'name',
      task: 'اسمي الظاهر الآن: سارة حسن.',
      effects: [],
      changes: [{ what: 'set settings "name" value = "سارة حسن"', effect: 'value', says: ['سارة حسن'] }],
      async policy({ read, fill }) {
        await read()
        await fill({ 'الاسم الظاهر': 'سارة حسن' })
      },
    },
    {
      name: 'sessions',
      task: 'سجل الخروج من كل الأجهزة الأخرى.',
      effects: [],
      changes: [{ what: 'remove devices "هاتف قديم"', effect: 'destroy', says: ['إنهاء الجلسات الأخرى'] }],
      region: '',
      async policy({ read, click }) {
        await read()
        await click('الأجهزة')
        await read()
        await click('إنهاء الجلسات الأخرى')
        await read()
        await click('متابعة')
      },
    },
    {
      name: 'look',
      task: 'هل الملخص الأسبوعي مفعل، وما الأجهزة المسجلة؟',
      effects: [],
      changes: [],
      region: '',
      async policy({ read, click }) {
        await read()
        await click('الإشعارات')
        await read()
        await click('الأجهزة')
        await read()
      },
    },
  ],
})
