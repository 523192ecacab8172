// A mailbox in French, in Vue. What is archived is sent five seconds later, unless it is taken back.
import { setTimeout as pause } from 'node:timers/promises'
import { drop, entry, spa } from './serve.mjs'

const mail = (/** @type {number} */ id, /** @type {string} */ from, /** @type {string} */ name) => ({
  id,
  from,
  name,
  text: `À propos : ${name}.`,
})

/** Longer than the time in which it can be taken back. */
const lingering = () => pause(5_400)

export const app = spa({
  name: 'courrier',
  group: 'spa',
  language: 'fr',
  title: 'Courrier',
  page: 'mailbox.js',
  region: '.list',
  data: () => ({
    mails: [
      mail(1, 'Lucie', 'Réunion de lundi'),
      mail(2, 'Jardin & Co', 'Offres du printemps'),
      mail(3, 'Marc', 'Photos du voyage'),
    ],
    sent: [],
  }),
  handle({ path, body }, data) {
    if (path === '/api/mails') return { json: data.mails }
    const [, id, action] = /^\/api\/mails\/(\d+)\/(\w+)$/.exec(path) ?? []
    if (action === 'archive' || action === 'trash') drop(data.mails, Number(id))
    if (action === 'reply')
      data.sent.push({ id: data.sent.length + 1, name: body.text, to: entry(data.mails, Number(id)).from })
    return action ? { json: {} } : undefined
  },
  jobs: [
    {
      name: 'classer',
      task: 'Classe les offres du printemps.',
      effects: [],
      changes: [
        { what: 'remove mails "Offres du printemps"', effect: 'send', says: ['classer', 'Jardin'], isLate: true },
      ],
      async policy({ read, click }) {
        await read()
        await click('Classer', { inside: 'Offres du printemps' })
        await lingering()
      },
    },
    {
      name: 'annuler',
      task: 'Mets la réunion à la corbeille. Non, finalement, annule.',
      effects: [],
      changes: [],
      async policy({ read, click }) {
        await read()
        await click('Mettre à la corbeille', { inside: 'Réunion de lundi' })
        await click('Annuler')
        await lingering()
      },
    },
    {
      name: 'lire',
      task: 'Que dit Marc ?',
      effects: [],
      changes: [],
      async policy({ read, click }) {
        await read()
        await click('Photos du voyage')
        await read()
        await click('Fermer')
      },
    },
    {
      name: 'répondre',
      task: 'Réponds à Lucie : Je viens.',
      effects: [],
      changes: [{ what: 'add sent "Je viens"', effect: 'send', says: ['envoyer', 'Je viens'] }],
      async policy({ read, click, fill }) {
        await read()
        await click('Réunion de lundi')
        await read()
        await click('Répondre')
        await read()
        await fill({ 'Votre réponse': 'Je viens' })
        await click('Envoyer')
      },
    },
  ],
})
