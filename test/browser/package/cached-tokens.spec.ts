// A job with an endpoint that counts what it can read from its cache, as OpenAI documents it: the inspector shows the
// cached tokens of each step, live and in the replay of the recorded conversation.
import type { Page } from 'playwright/test'
import { commonPrefix, providerText } from '../../../bench/support/provider-order.mjs'
import type { Agent } from '../../../src/page/agent.js'
import { startEndpoint, type Handler, type Reply } from '../../support/lab/endpoint.js'
import { serveStatic } from '../../support/page/static-server.js'
import { sendTyped } from '../../support/page/visitor.js'
import { expect, test } from '../../support/project/dist.js'

const page = (body: string, script: string) => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Booking</title></head>
<body style="margin: 1rem; font: 1rem system-ui">${body}
<tool-agent-inspector tab="calls"></tool-agent-inspector>
<script type="module">import '/tool-agent/tool-agent.js'
import '/tool-agent/inspector.js'
${script}</script></body></html>`

const days = Array.from({ length: 14 }, (_, day) => `<option>2026-12-${String(day + 10)}</option>`).join('')
const live = page(
  `<form aria-label="Booking"><label>Name <input name="name"></label> <label>Day <select name="day">${days}</select></label>
<label>Guests <input name="guests" type="number"></label> <label>Notes <textarea name="notes"></textarea></label></form>
<tool-agent endpoint="/v1" model="m" page-tools="read fill" open style="height: 30rem"></tool-agent>`,
  `const element = document.querySelector('tool-agent')
document.querySelector('tool-agent-inspector').agent = element.agent`,
)
const replayed = page(
  '',
  `import { createAgent } from '/tool-agent/agent.js'
import { replayTrace } from '/tool-agent/testing.js'
const played = replayTrace(await (await fetch('/trace.json')).json())
const agent = createAgent({ ...played.options, modelAdapter: played.modelAdapter, scope: 'replay' })
window.agent = agent
document.querySelector('tool-agent-inspector').agent = agent
await agent.sessions.create()
await played.run(agent)`,
)

const fill = (field: string, value: string) => ({
  calls: [{ name: 'form_fill', arguments: { fields: [{ field, value }] } }],
})
const items = ['Read the form', 'Fill it', 'Check it'].map((text) => ({ text, status: 'pending' as const }))
const job: readonly Reply[] = [
  { calls: [{ name: 'page_read', arguments: {} }] },
  { calls: [{ name: 'todo_write', arguments: { items } }] },
  fill('Name', 'Ada Lovelace'),
  fill('Day', '2026-12-12'),
  fill('Guests', '4'),
  { calls: [{ name: 'page_read', arguments: {} }] },
  { text: 'The form has the name, the day and 4 guests.' },
]

/** Tokens of a text: four characters each, as the estimates of the SDK. */
const tokens = (characters: number) => Math.ceil(characters / 4)

/** Counts like the cache of OpenAI: the longest known beginning, from 1,024 tokens on, in steps of 128. */
function counting(counted: { prompt: number; cached: number }[]): (reply: Reply) => Handler {
  let before = ''
  return (reply) => (body) => {
    const text = providerText('chat', body)
    const known = Math.floor(commonPrefix(before, text) / 4 / 128) * 128
    const usage = { prompt: tokens(text.length), cached: known >= 1_024 ? known : 0 }
    before = text
    counted.push(usage)
    return {
      ...reply,
      usage: {
        prompt_tokens: usage.prompt,
        completion_tokens: 20,
        total_tokens: usage.prompt + 20,
        prompt_tokens_details: { cached_tokens: usage.cached },
      },
    }
  }
}

/** The numbers in the headings of the model calls, oldest first. */
async function shownCounts(page: Page) {
  const headings = await page.locator('tool-agent-inspector section.call h2 .summary').allTextContents()
  return headings.toReversed().map((text) => {
    const [, prompt, cached] = /, (\d+) tokens in \((\d+) cached\), 20 out/.exec(text) ?? []
    return { prompt: Number(prompt), cached: Number(cached) }
  })
}

test('the inspector shows the cached tokens of each step, also of a recorded conversation', async ({ page, dist }, {
  outputDir,
}) => {
  const counted: { prompt: number; cached: number }[] = []
  const endpoint = await startEndpoint(job.map(counting(counted)))
  let trace = ''
  const server = await serveStatic({
    folders: { '/tool-agent/': dist },
    files: { '/index.html': live, '/replay.html': replayed },
    relay: { '/v1': endpoint.url },
    middleware(request, response, next) {
      if (request.url === '/trace.json') response.setHeader('content-type', 'application/json').end(trace)
      else next()
    },
  })
  try {
    await page.goto(server.url)
    await sendTyped(page, 'A table for 4 on 12 December for Ada Lovelace')
    await expect(page.locator('tool-agent')).toContainText('The form has the name')
    await expect.poll(() => shownCounts(page)).toEqual(counted)
    expect(counted).toHaveLength(job.length)
    // After the first request, what was sent before is nearly all that is not new.
    for (const [index, { cached }] of counted.entries())
      if (index > 0) expect(cached, `step ${index + 1}`).toBeGreaterThan(counted[index - 1]!.prompt - 2 * 128)
    const sum = (name: 'prompt' | 'cached') => counted.reduce((total, one) => total + one[name], 0)
    const usage = await page.evaluate(() => (document.querySelector('tool-agent') as unknown as Agent).usage)
    expect(usage).toEqual({
      inputTokens: sum('prompt'),
      cachedInputTokens: sum('cached'),
      outputTokens: 140,
      totalTokens: sum('prompt') + 140,
    })
    console.log('Tokens of each step, and those read from the cache:')
    console.table(counted)
    console.log(`${Math.round((100 * sum('cached')) / sum('prompt'))} % of all tokens were cached.`)
    await page.locator('tool-agent-inspector').screenshot({ path: `${outputDir}/inspector.png` })
    await page.getByRole('tab', { name: 'Session' }).click()
    await expect(page.locator('tool-agent-inspector')).toContainText(
      `idle, ${sum('prompt')} tokens in (${sum('cached')} cached), 140 out`,
    )

    trace = await page.evaluate(async () =>
      JSON.stringify(await (document.querySelector('tool-agent') as unknown as Agent).exportTrace()),
    )
    await page.goto(new URL('/replay.html', server.url).href)
    await expect.poll(() => shownCounts(page)).toEqual(counted)
    expect(await page.evaluate(() => (window as unknown as { agent: Agent }).agent.usage)).toEqual(usage)
    expect(endpoint.left).toBe(0)
  } finally {
    await server.close()
    await endpoint.close()
  }
})
