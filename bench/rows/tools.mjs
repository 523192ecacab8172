// The longest task of registering 500 tools, of a turn that searches 5,000, and of a second tab that mirrors an answer of
// 5,000 tokens.
import { composer, converse, ourPage } from '../support/ours.mjs'
import { tokens } from './burst.mjs'

/** Registers tools in one call. @param {number} count @param {number} [from] the number of the first */
export function registerMany(count, from = 0) {
  const agent = /** @type {any} */ (document.querySelector('tool-agent'))
  const begin = performance.now()
  const tools = Array.from({ length: count }, (_, at) => ({
    name: `tool_${from + at}`,
    description: `Returns the record number ${from + at} of the shop.`,
    inputSchema: {
      type: 'object',
      properties: { id: { type: 'integer', minimum: 1 }, note: { type: 'string', description: 'Why' } },
      required: ['id'],
    },
    execute: () => ({ found: true }),
  }))
  agent.registerTool(tools)
  return performance.now() - begin
}

/** @param {import('../support/lab.mjs').Lab} lab */
export async function run(lab) {
  const { site } = lab
  const registering = async (/** @type {number} */ count) => {
    const model = site.model(() => ({ pieces: ['Hello.'] }))
    const page = await lab.open(site.add(ourPage({ endpoint: model.path })))
    await composer(page).waitFor()
    await converse(page, 'Hello')
    let call = 0
    const { longest, longestWall } = await lab.tasks(page, async () => {
      call = await page.evaluate(registerMany, count)
      await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 200)))
    })
    await page.context().close()
    return { 'longest task': longest, 'longest task, clock': longestWall, 'registerTool()': call }
  }
  const searching = async () => {
    const model = site.model((_body, index) => {
      if (index === 0) return { calls: [{ name: 'find_tools', arguments: { query: 'return record 4711' } }] }
      if (index === 1) return { calls: [{ name: 'use_tool', arguments: { name: 'tool_4711', input: { id: 1 } } }] }
      return { pieces: ['Found.'] }
    })
    const page = await lab.open(site.add(ourPage({ endpoint: model.path })))
    await composer(page).waitFor()
    let call = 0
    const { longest, longestWall, sum } = await lab.tasks(page, async () => {
      // As from ten servers, or from a list that arrives in pieces.
      for (let from = 0; from < 5_000; from += 500) {
        const piece = `(${registerMany.toString()})(500, ${from})`
        call = Math.max(call, /** @type {number} */ (await page.evaluate(piece)))
      }
      await converse(page, 'Show me the record 4711')
    })
    const [first] = model.requests
    if (!JSON.stringify(model.requests.at(-1)?.body).includes('\\"found\\":true'))
      throw new Error('The tool did not run')
    await page.context().close()
    return {
      'longest task': longest,
      'longest task, clock': longestWall,
      'main CPU': sum,
      'registerTool()': call,
      'first request': first?.characters ?? NaN,
    }
  }
  const mirror = async () => {
    const { longest, longestWall, sum } = await mirrored(lab, { mirrors: 1, watch: 'mirror' })
    return { 'longest task': longest, 'longest task, clock': longestWall, 'main CPU': sum }
  }
  return lab.inTurns(
    lab.isQuick ? 2 : 5,
    {
      'registering 50 tools': () => registering(50),
      'registering 500 tools': () => registering(500),
      'searching 5,000 tools': searching,
      'mirror of 5,000 tokens': mirror,
    },
    { 'first request': 'characters' },
  )
}

/**
 * Streams 5,000 tokens into a session that other tabs mirror.
 * @param {import('../support/lab.mjs').Lab} lab
 * @param {{ mirrors: number, watch: 'driver' | 'mirror' }} options `watch`: the tab whose tasks are returned
 */
export async function mirrored(lab, { mirrors, watch }) {
  const { site } = lab
  const pieces = tokens(5_000)
  let count = 0
  const model = site.model(() => (count++ === 0 ? { pieces: ['**Hello**'] } : { pieces, perWrite: 100, pauseMs: 12 }))
  const context = await lab.newContext()
  const path = site.add(ourPage({ endpoint: model.path, attributes: 'session-id="shared"' }))
  const driver = await lab.open(path, { context })
  await composer(driver).waitFor()
  await converse(driver, 'Hello')
  const others = []
  for (let at = 0; at < mirrors; at++) {
    const page = await lab.open(path, { context })
    await page.locator('tool-agent strong').first().waitFor()
    await page.waitForFunction(() => /** @type {any} */ (document.querySelector('tool-agent')).sessionRole === 'mirror')
    others.push(page)
  }
  const watched = (watch === 'mirror' ? others[0] : undefined) ?? driver
  // A tab in the background draws fewer frames.
  await watched.bringToFront()
  const tasks = await lab.tasks(watched, async () => {
    await converse(driver, 'Tell me everything.')
    await watched.waitForFunction(() => /** @type {any} */ (document.querySelector('tool-agent')).status === 'idle')
    await watched.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 100))))
  })
  await context.close()
  return tasks
}
