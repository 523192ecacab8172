// What the assistant must be able to do, checked in a browser: `npx tool-agent eval {evals}`. With MODEL_ENDPOINT,
// MODEL_NAME and MODEL_API_KEY a real model answers; without, an offline model with fixed rules, which only shows that page and
// tools work together. node_modules/tool-agent/docs/testing.md has more.
import { defineEvals } from 'tool-agent/testing'

export default defineEvals({
  webServer: { command: '{command}', url: '{url}' },
  evals: [
    {
      name: 'add a note',
      page: '/',
      prompt: 'Add a note: buy green tea',
      async check({ page, result }) {
        const notes = await page.evaluate(() => localStorage.getItem('assistant-notes'))
        return result.reason === 'stop' && notes === 'buy green tea'
      },
    },
  ],
})
