// Swagger UI with the description of a small shop of pets, whose server it calls.
import { join } from 'node:path'
import { packages } from '../../../questions/server.mjs'

const pet = {
  type: 'object',
  properties: {
    name: { type: 'string', example: 'Rex' },
    kind: { type: 'string', example: 'dog' },
    sold: { type: 'boolean', example: false },
  },
}
const body = { required: true, content: { 'application/json': { schema: { $ref: '#/components/schemas/Pet' } } } }
const id = { name: 'petId', in: 'path', required: true, description: 'Number of the pet', schema: { type: 'integer' } }
const responses = { 200: { description: 'Done' } }
const operation = (/** @type {string} */ operationId, /** @type {string} */ summary, more = {}) => ({
  tags: ['pets'],
  operationId,
  summary,
  responses,
  ...more,
})
const description = {
  openapi: '3.0.3',
  info: { title: 'Pets', version: '1.0.0' },
  servers: [{ url: '/v1' }],
  components: { schemas: { Pet: pet } },
  paths: {
    '/pets': {
      get: operation('listPets', 'List the pets', {
        parameters: [
          {
            name: 'kind',
            in: 'query',
            description: 'Kind of the pets',
            schema: { type: 'string', enum: ['dog', 'cat', 'bird'] },
          },
        ],
      }),
      post: operation('addPet', 'Add a pet', { requestBody: body }),
    },
    '/pets/{petId}': {
      get: operation('findPet', 'Find a pet', { parameters: [id] }),
      put: operation('changePet', 'Change a pet', { parameters: [id], requestBody: body }),
      delete: operation('removePet', 'Remove a pet', { parameters: [id] }),
    },
  },
}
const initializer = `window.onload = () => { window.ui = SwaggerUIBundle({ url: '/openapi.json', dom_id: '#swagger-ui', presets: [SwaggerUIBundle.presets.apis, SwaggerUIStandalonePreset], layout: 'StandaloneLayout' }) }`

/**
 * Opens an operation, fills what it takes, and runs it. Returns the page after it.
 * @param {import('../../hands.mjs').Hands} hands
 * @param {string} summary
 * @param {Record<string, string>} values by the label, or by `body`
 */
async function execute({ read, wait, click, find, use, fill, fields }, summary, { body: text, ...values }) {
  await wait({ text: summary })
  await read()
  await click(summary)
  await read()
  await click('Try it out')
  if (Object.keys(values).length > 0) await fill(values)
  if (text !== undefined) {
    // The field of the body may have no label of its own: it is the one that holds the example.
    const listed = JSON.parse(await fields())
    const all = listed.fields ?? listed.flatMap?.((/** @type {any} */ form) => form.fields ?? form) ?? []
    const [field] = all.filter((/** @type {{ value?: unknown }} */ one) => String(one.value).includes('Rex'))
    await use('form_fill', {
      fields: [{ field: field?.ref ?? field?.label ?? (await find('', { role: 'textbox' })), value: text }],
    })
  }
  await click('Execute')
  await wait({ text: 'Response body' })
  return read()
}

/** @type {import('../app-run.mjs').TaskApp} */
export const app = {
  name: 'swagger-ui',
  needs: 'swagger-ui-dist',
  folder: join(packages, 'swagger-ui-dist'),
  data: () => ({
    pets: [
      { id: 1, name: 'Bello', kind: 'dog', sold: false },
      { id: 2, name: 'Minka', kind: 'cat', sold: false },
      { id: 3, name: 'Coco', kind: 'bird', sold: true },
    ],
  }),
  handle({ method, path, query, body: received }, data) {
    if (path === '/swagger-initializer.js') return { script: initializer }
    if (path === '/openapi.json') return { json: description }
    const kind = query.get('kind')
    if (path === '/v1/pets' && method === 'GET')
      return { json: data.pets.filter((/** @type {{ kind: string }} */ one) => !kind || one.kind === kind) }
    if (path === '/v1/pets') return { json: data.pets.push({ id: data.pets.length + 1, ...received }) }
    const [, number] = /^\/v1\/pets\/(\d+)$/.exec(path) ?? []
    const found = data.pets.find((/** @type {{ id: number }} */ one) => one.id === Number(number))
    if (!found) return undefined
    if (method === 'DELETE') data.pets.splice(data.pets.indexOf(found), 1)
    else if (method === 'PUT') Object.assign(found, received)
    return { json: found }
  },
  tasks: [
    {
      name: 'remove',
      task: 'Remove the pet with the number 2.',
      goal: { 'Number of the pet': '2' },
      mistake: { 'Number of the pet': '1' },
      want: (state) => state.pets.splice(1, 1),
      policy: (hands, values) => execute(hands, 'Remove a pet', values).then(() => undefined),
    },
    {
      name: 'add',
      task: 'Add the cat Luna, which is not sold.',
      goal: { body: '{ "name": "Luna", "kind": "cat", "sold": false }' },
      mistake: { body: '{ "name": "Luna", "kind": "dog", "sold": false }' },
      want: (state) => state.pets.push({ id: 4, name: 'Luna', kind: 'cat', sold: false }),
      policy: (hands, values) => execute(hands, 'Add a pet', values).then(() => undefined),
    },
    {
      name: 'change',
      task: 'The dog Bello, number 1, is sold.',
      goal: { 'Number of the pet': '1', body: '{ "sold": true }' },
      mistake: { 'Number of the pet': '2', body: '{ "sold": true }' },
      want: (state) => (state.pets[0].sold = true),
      policy: (hands, values) => execute(hands, 'Change a pet', values).then(() => undefined),
    },
    {
      name: 'which-bird',
      task: 'What is the name of the bird?',
      goal: { kind: 'bird' },
      mistake: { kind: 'cat' },
      want: (state) => (state.answer = 'Coco'),
      async policy(hands, values) {
        const page = await execute(hands, 'List the pets', values)
        // Lines that a person sees are told in quotes, so quotes inside of them have a backslash.
        return /\\?"name\\?"\s*:\s*\\?"(?!Rex)(\w+)/.exec(page)?.[1]
      },
    },
    {
      name: 'not-found',
      task: 'Is there a pet with the number 9?',
      goal: { 'Number of the pet': '9' },
      mistake: { 'Number of the pet': '3' },
      want: (state) => (state.answer = 'no'),
      async policy(hands, values) {
        const page = await execute(hands, 'Find a pet', values)
        return /\b404\b/.test(page) ? 'no' : 'yes'
      },
    },
    {
      name: 'example-of-schema',
      task: 'Which fields does a pet have? Look at the schemas.',
      goal: { schema: 'Pet' },
      mistake: { schema: 'Schemas' },
      want: (state) => (state.answer = 'name kind sold'),
      async policy({ read, wait, findText, use }, { schema }) {
        await wait({ text: 'Schemas' })
        await read()
        await use('page_click', { target: await findText(schema, { role: 'button' }).catch(() => schema) })
        const [, list = ''] = /Schemas([\s\S]*)/.exec(await read()) ?? []
        return ['name', 'kind', 'sold'].filter((field) => new RegExp(`\\b${field}\\b`).test(list)).join(' ')
      },
    },
  ],
}
