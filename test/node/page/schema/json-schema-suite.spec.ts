// Runs JSON-Schema-Test-Suite, which the authors of the standard maintain. A schema is either validated as the suite
// expects, or rejected, but no keyword is ignored. The few exceptions are listed here; the list must not grow.
import { readFileSync } from 'node:fs'
import { expect, test } from 'playwright/test'
import { isObject, type JsonObject, type JsonValue } from '../../../../src/core/data/json.js'
import { canonicalJson } from '../../../../src/core/data/plain-json.js'
import { jsonCheck } from '../../../../src/page/schema/json-schema-validator.js'
import { compileSchema } from '../../../../src/page/schema/compile.js'
import { checkStructure } from '../../../../src/page/schema/structure.js'
import { corpusFiles, missingCorpus } from '../../../support/lab/corpora.js'

interface Group {
  readonly description: string
  readonly schema: JsonObject | boolean
  readonly tests: readonly { readonly description: string; readonly data: JsonValue; readonly valid: boolean }[]
}

const tools = readFileSync(new URL('../../../../docs/tools.md', import.meta.url), 'utf8').replace(/\s+/g, ' ')
const drafts = [
  ['draft7', 'http://json-schema.org/draft-07/schema#'],
  ['draft2020-12', 'https://json-schema.org/draft/2020-12/schema'],
] as const

/** Answers that differ from the suite. */
const exceptions = [
  /^format\.json: .* is only an annotation by default$/, // We validate formats.
  /^vocabulary\.json: .*custom metaschema/, // A tool has no use for a dialect without validation.
  /\$ref prevents a sibling \$id from changing the base uri/,
  /order of evaluation: \$id and \$anchor and \$ref/,
  /^optional\//, // Formats of international names and keywords of other drafts; most of them pass.
]

for (const [draft, dialect] of drafts) {
  const files = corpusFiles('json-schema', '.json').filter(({ name }) => name.startsWith(`tests/${draft}/`))
  const groups = files.flatMap((file) =>
    (JSON.parse(file.read()) as Group[]).map((group) => ({
      name: `${file.name.slice(`tests/${draft}/`.length)}: ${group.description}`,
      tests: group.tests,
      schema: isObject(group.schema) ? { $schema: dialect, ...(group.schema as JsonObject) } : group.schema,
    })),
  )

  test(`${draft}: accepted schemas validate as the suite expects`, async () => {
    test.skip(groups.length === 0, missingCorpus('json-schema', 1))
    const differing: string[] = []
    const refused = new Set<string>()
    const run = { required: 0, optional: 0 }
    const right = { required: 0, optional: 0 }
    for (const { name, schema, tests } of groups) {
      const part = name.startsWith('optional/') ? 'optional' : 'required'
      const check = jsonCheck(schema, 'schema')
      for (const { description, data, valid } of tests) {
        run[part]++
        try {
          if (isObject(schema)) checkStructure(schema as JsonObject, 'schema')
          const answer = check(data).length === 0
          if (answer === valid) right[part]++
          else differing.push(`${name}: ${description}`)
        } catch (error) {
          expect(error).toMatchObject({ code: 'invalid-tool' })
          refused.add(`${name}\n${JSON.stringify(schema)}`)
        }
      }
    }
    const share = (part: 'required' | 'optional') =>
      `${right[part]} of ${run[part]} ${part} tests (${((100 * right[part]) / run[part]).toFixed(1)} %)`
    const shares = `${share('required')} and ${share('optional')} pass`
    console.log(`${draft}: ${shares}, ${differing.length} differ, ${refused.size} schemas rejected`)
    expect(differing.filter((label) => !exceptions.some((exception) => exception.test(label)))).toEqual([])
    // Rejected are references to other documents, to places without a schema, and dynamic ones.
    expect(
      [...refused].filter(
        (label) =>
          !/\$dynamicRef|\$dynamicAnchor|"\$ref":"(http|[\w/-]+\.json)|unknownKeyword|cross-draft/i.test(label),
      ),
    ).toEqual([])
    expect(right.required / run.required).toBeGreaterThan(0.92)
    expect(tools, 'docs/tools.md states the share').toContain(`${right.required} of ${run.required}`)
  })

  test(`${draft}: a tool keeps valid arguments unchanged, and rejects or coerces others`, async () => {
    test.skip(groups.length === 0, missingCorpus('json-schema', 1))
    const wrong: string[] = []
    let run = 0
    for (const { name, schema, tests } of groups) {
      if (!isObject(schema) || exceptions.some((exception) => exception.test(name))) continue
      let compiled
      try {
        compiled = await compileSchema(schema)
      } catch {
        continue // The root is not an object, or the test above expects a rejection.
      }
      for (const { description, data, valid } of tests) {
        if (!isObject(data) || /"(__proto__|constructor|prototype)":/.test(JSON.stringify(data))) continue
        const result = await compiled.validate(data as JsonObject).catch(() => undefined)
        if (result === undefined || exceptions.some((exception) => exception.test(`${name}: ${description}`))) continue
        run++
        const unchanged = 'json' in result && canonicalJson(result.json) === canonicalJson(data)
        if (unchanged !== valid) wrong.push(`${name}: ${description}`)
      }
    }
    expect(wrong).toEqual([])
    expect(run).toBeGreaterThan(150)
  })
}
