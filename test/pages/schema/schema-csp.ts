// Each schema language once, on a page that allows no code from text. The outcome is in the document's data.
import { z } from 'zod'
import * as mini from 'zod/mini'
import { z as z3 } from 'zod/v3'
import { compileSchema } from '../../../src/page/schema/compile.js'

const violations: string[] = []
document.addEventListener('securitypolicyviolation', (event) =>
  violations.push(`${event.violatedDirective} ${event.blockedURI}`),
)

// What every page with full zod needs under such a policy: before the first schema.
z.config({ jitless: true })

const schemas = {
  json: { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] },
  full: { type: 'object', properties: { n: { type: 'integer', multipleOf: 1 } }, required: ['n'] },
  zod4: z.object({ n: z.number().int() }),
  mini: mini.object({ n: mini.int() }),
  zod3: z3.object({ n: z3.number().int() }),
}
const results: Record<string, unknown> = {}
for (const [name, schema] of Object.entries(schemas)) {
  const compiled = await compileSchema(schema)
  results[name] = [compiled.jsonSchema['required'], await compiled.validate({ n: '5' }), await compiled.validate({})]
}
// A report comes as an event of its own: after one that is provoked, none is on its way.
await new Promise<void>((resolve) => {
  document.addEventListener('securitypolicyviolation', () => resolve(), { once: true })
  document.head.append(Object.assign(document.createElement('style'), { textContent: 'p { color: red }' }))
})
document.documentElement.dataset['outcome'] = JSON.stringify({ results, violations })
