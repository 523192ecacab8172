// The way of docs/start.md from an empty folder, as it is there: the packed package, the page for plain HTML, and
// `npx tool-agent dev` with its offline model.
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from '../../support/project/dist.js'
import { packInto } from '../../support/project/package.js'
import { startBlock } from '../../support/project/start-pages.js'

test('plain HTML: the assistant calls the function of the page', async ({ dist, page }) => {
  const folder = mkdtempSync(join(tmpdir(), 'tool-agent-start-'))
  packInto(dist, join(folder, 'node_modules/tool-agent'))
  writeFileSync(join(folder, 'index.html'), startBlock('Plain HTML', 'html'))
  const { MODEL_ENDPOINT: _url, MODEL_NAME: _name, MODEL_API_KEY: _key, ...env } = process.env
  const command = ['node_modules/tool-agent/dist/cli.mjs', 'dev', '--port', '0']
  const server = spawn(process.execPath, command, { cwd: folder, env, stdio: ['ignore', 'pipe', 'inherit'] })
  try {
    const url = await new Promise<string>((resolve, reject) => {
      let output = ''
      server.stdout.on('data', (chunk: Buffer) => {
        output += chunk.toString()
        const [, found] = /^Page\s+(\S+)$/m.exec(output) ?? []
        if (found !== undefined) resolve(found)
      })
      server.on('exit', (code) => reject(new Error(`The command ended with ${code}`)))
    })
    const problems: string[] = []
    page.on('console', (message) => problems.push(message.text()))
    page.on('pageerror', (error) => problems.push(String(error)))
    await page.goto(url)
    await page.getByRole('textbox').fill('Add two teapots to the cart')
    await page.keyboard.press('Enter')
    await expect(page.locator('#cart')).toHaveText('2 × teapot')
    await expect(page.locator('tool-agent')).toContainText('2 × teapot')
    // The model gives no quantity, so the default of the schema applies.
    await page.getByRole('textbox').fill('Add a teapot to the cart')
    await page.keyboard.press('Enter')
    await expect(page.locator('#cart')).toHaveText('1 × teapot')
    expect(problems).toEqual([])
  } finally {
    server.kill()
    rmSync(folder, { recursive: true, force: true })
  }
})
