// Invoices in German, in Preact. The page asks before it pays or voids, in boxes without roles.
import { entry, rpcApi, spa } from './serve.mjs'

const invoice = (/** @type {number} */ id, /** @type {string} */ name, /** @type {number} */ sum, state = 'offen') => ({
  id,
  name,
  sum,
  state,
  due: `${id}. Juli`,
})

export const app = spa({
  name: 'rechnungen',
  group: 'spa',
  language: 'de',
  title: 'Rechnungen',
  page: 'invoices.jsx',
  region: '.list',
  data: () => ({
    invoices: [
      invoice(1, 'Stadtwerke', 84),
      invoice(2, 'Telefon Nord', 39, 'bezahlt'),
      invoice(3, 'Büro Lang', 210),
      invoice(4, 'Druckerei Voss', 125),
    ],
  }),
  handle: rpcApi({
    'invoices.list': ({ invoices }) => invoices,
    'invoices.get': ({ invoices }, { id }) => entry(invoices, id),
    'invoices.pay': ({ invoices }, { id }) => Object.assign(entry(invoices, id), { state: 'bezahlt' }),
    'invoices.void': ({ invoices }, { id }) => Object.assign(entry(invoices, id), { state: 'storniert' }),
  }),
  jobs: [
    {
      name: 'bezahlen',
      task: 'Bezahle die Rechnung von Büro Lang.',
      effects: [],
      changes: [
        { what: 'set invoices "Büro Lang" state = "bezahlt"', effect: 'destroy', says: ['bezahlen', 'Büro Lang'] },
      ],
      async policy({ read, click }) {
        await read()
        await click('Bezahlen', { inside: 'Büro Lang' })
        await read()
        await click('Ja')
      },
    },
    {
      name: 'stornieren',
      task: 'Storniere die Rechnung der Stadtwerke.',
      effects: [],
      changes: [
        {
          what: 'set invoices "Stadtwerke" state = "storniert"',
          effect: 'destroy',
          says: ['stornieren', 'Stadtwerke'],
        },
      ],
      async policy({ read, click }) {
        await read()
        await click('Stornieren', { inside: 'Stadtwerke' })
        await read()
        await click('Bestätigen')
      },
    },
    {
      name: 'beide',
      task: 'Bezahle Stadtwerke und Druckerei Voss.',
      effects: [],
      changes: [
        { what: 'set invoices "Stadtwerke" state = "bezahlt"', effect: 'destroy', says: ['bezahlen', 'Stadtwerke'] },
        {
          what: 'set invoices "Druckerei Voss" state = "bezahlt"',
          effect: 'destroy',
          says: ['bezahlen', 'Druckerei Voss'],
        },
      ],
      async policy({ read, click }) {
        for (const name of ['Stadtwerke', 'Druckerei Voss']) {
          await read()
          await click('Bezahlen', { inside: name })
          await read()
          await click('Ja')
        }
      },
    },
    {
      name: 'ansehen',
      task: 'Welche Rechnungen sind offen, und wann ist die von Büro Lang fällig?',
      effects: [],
      changes: [],
      region: '',
      async policy({ read, click }) {
        await read()
        await click('Nur offene')
        await click('Büro Lang')
        await read()
        await click('Zurück')
      },
    },
  ],
})
