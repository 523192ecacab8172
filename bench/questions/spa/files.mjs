// Files in Spanish, in Vue: rows with menus at the end of the body, folders that open with two clicks.
import { spa, stateApi } from './serve.mjs'

const file = (/** @type {number} */ id, /** @type {string} */ name, folder = '', isFolder = false) => ({
  id,
  name,
  folder,
  isFolder,
})

export const app = spa({
  name: 'archivos',
  group: 'spa',
  language: 'es',
  title: 'Mis archivos',
  page: 'files.js',
  region: '.list',
  data: () => ({
    files: [
      file(1, 'Facturas', '', true),
      file(2, 'Plan 2026.pdf'),
      file(3, 'Notas viejas.txt'),
      file(4, 'Enero.pdf', 'Facturas'),
    ],
    shares: [],
  }),
  handle: stateApi,
  jobs: [
    {
      name: 'renombrar',
      task: 'Las notas viejas se llaman ahora Archivo.txt.',
      effects: [],
      changes: [{ what: 'set files "Notas viejas.txt" name = "Archivo.txt"', effect: 'send', says: ['Archivo.txt'] }],
      async policy({ read, click, fill, press }) {
        await read()
        await click('⋮', { near: 'Notas viejas.txt' })
        await read()
        await click('Cambiar nombre')
        await read()
        await fill({ 'Nombre nuevo': 'Archivo.txt' })
        await press('Enter', 'Nombre nuevo')
      },
    },
    {
      name: 'papelera',
      task: 'Tira las notas viejas a la papelera.',
      effects: [],
      changes: [{ what: 'remove files "Notas viejas.txt"', effect: 'destroy', says: ['papelera', 'Notas viejas.txt'] }],
      async policy({ read, click }) {
        await read()
        await click('⋮', { near: 'Notas viejas.txt' })
        await read()
        await click('Mover a la papelera')
      },
    },
    {
      name: 'carpeta',
      task: '¿Qué hay en la carpeta Facturas?',
      effects: [],
      changes: [],
      region: '',
      async policy({ read, click }) {
        await read()
        await click('📁 Facturas', { how: 'double' })
        await read()
        await click('Inicio')
      },
    },
    {
      name: 'compartir',
      task: 'Comparte el plan con ana@x.example.',
      effects: [],
      changes: [{ what: 'add shares "ana@x.example"', effect: 'send', says: ['invitar', 'ana@x.example'] }],
      async policy({ read, click, fill, controlOf }) {
        await read()
        await click('⋮', { near: 'Plan 2026.pdf' })
        await read()
        await click('Compartir…')
        await fill({ [await controlOf('textbox')]: 'ana@x.example' })
        await click('Invitar')
      },
    },
  ],
})
