// The layer above the page: what it draws follows the page, takes nothing from it, and costs nothing while it is still.
import type { Page } from 'playwright/test'
import { expect, test } from '../../../support/page/one-page.js'
import { call, open } from '../../../support/page/page-tools-call.js'
import { drawn, watchStage } from '../../../support/page/stage.js'

/** The functions that draw, as page tools call them. */
type Stage = typeof import('../../../../src/page-tools/stage/stage.js')

/** Runs a step with the stage of the page tools. What it returns is released by `release`. */
const stage = (page: Page, step: (api: Stage) => (() => void) | void): Promise<void> =>
  page.evaluate(async (code) => {
    const scope = window as unknown as { releases?: (() => void)[]; stageStep(api: Stage): (() => void) | void }
    const path = '/src/page-tools/stage/stage.ts'
    const api = (await import(path)) as Stage
    const own = document.createElement('script')
    own.textContent = `window.stageStep = ${code}`
    document.head.append(own)
    const release = scope.stageStep(api)
    if (release) (scope.releases ??= []).push(release)
  }, step.toString())
const release = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const scope = window as unknown as { releases?: (() => void)[] }
    for (const one of scope.releases?.splice(0) ?? []) one()
  })

const boxOf = async (page: Page, selector: string) => (await page.locator(selector).boundingBox())!
const around = ({ x, y, width, height }: { x: number; y: number; width: number; height: number }, by: number) => ({
  x: x - by,
  y: y - by,
  width: width + 2 * by,
  height: height + 2 * by,
})

test.beforeEach(async ({ page, site }) => {
  await watchStage(page)
  // Before the layer takes it.
  await page.addInitScript(() => {
    const scope = window as unknown as { drawnFrames: number }
    scope.drawnFrames = 0
    const frame = window.requestAnimationFrame
    window.requestAnimationFrame = (callback) => {
      scope.drawnFrames++
      return frame.call(window, callback)
    }
  })
  await open(page, `${site}/test/pages/session/blank.html`)
  await page.evaluate(() => {
    document.body.innerHTML = `
      <style>#box { height: 120px; overflow: auto; position: absolute; top: 300px; left: 40px; width: 300px }
        #moving { position: absolute; left: 500px; top: 60px; width: 120px; height: 40px }</style>
      <section style="padding: 30px; width: 300px"><h2>Order</h2><button id="pay">Pay € 20.00</button></section>
      <div id="box"><p style="height: 40px; margin: 0">Above</p><label>Inside <input id="inside"></label>
        <p style="height: 400px">Below</p></div>
      <button id="moving">Moving</button>`
  })
})

test('a ring and its label follow the element, and nothing is drawn while it is out of sight', async ({ page }) => {
  await stage(page, (api) =>
    api.ring(document.querySelector('#pay')!, {
      level: 'final',
      label: 'The assistant wants to press this',
      lit: document.querySelector('section')!,
    }),
  )
  const [dim, ring, label] = await drawn(page)
  expect([dim?.name, ring?.name, label?.name]).toEqual(['dim', 'ring', 'label'])
  expect(ring?.box).toEqual(around(await boxOf(page, '#pay'), 4))
  expect(label).toMatchObject({ level: 'final', text: 'The assistant wants to press this' })
  expect(label!.box.y).toBeGreaterThan(ring!.box.y + ring!.box.height)
  // It takes no events, and is no cover.
  await page.locator('#pay').click({ trial: true })
  const clicked = await call<{ clicked: string; changes: string }>(page, 'page_click', { target: 'Pay € 20.00' })
  expect(clicked.clicked).toBe('button "Pay € 20.00"')
  expect(JSON.stringify(await call(page, 'page_read'))).not.toContain('wants to press')
  await release(page)
  await stage(page, (api) => api.ring(document.querySelector('#inside')!, { level: 'harmless' }))
  const before = (await drawn(page)).find(({ level }) => level === 'harmless')
  expect(before?.box).toEqual(around(await boxOf(page, '#inside'), 4))
  await page.locator('#box').evaluate((box) => box.scrollTo({ top: 20, behavior: 'instant' }))
  expect((await drawn(page)).find(({ level }) => level === 'harmless')?.box.y).toBe(before!.box.y - 20)
  await page.locator('#box').evaluate((box) => box.scrollTo({ top: 400, behavior: 'instant' }))
  expect((await drawn(page)).filter(({ level }) => level === 'harmless')).toEqual([])
  await release(page)
  await stage(page, (api) => api.ring(document.querySelector('#moving')!, { level: 'consequences' }))
  await drawn(page)
  await page.locator('#moving').evaluate((one) => {
    one.style.left = '200px'
  })
  expect((await drawn(page)).find(({ level }) => level === 'consequences')?.box.x).toBe(196)
})

test('a dialog that the page opens is above the layer, and what is asked in it is above the dialog', async ({
  page,
}) => {
  await stage(page, (api) => api.ring(document.querySelector('#pay')!, { level: 'final', label: 'Pay' }))
  expect(await drawn(page)).toHaveLength(2)
  await page.evaluate(() => {
    document.body.insertAdjacentHTML('beforeend', '<dialog><button id="sure">Sure</button></dialog>')
    document.querySelector('dialog')!.showModal()
  })
  expect(await drawn(page)).toEqual([])
  await stage(page, (api) => api.ring(document.querySelector('#sure')!, { level: 'final' }))
  expect(await drawn(page)).toMatchObject([{ box: around(await boxOf(page, '#sure'), 4) }])
  await page.evaluate(() => document.querySelector('dialog')!.close())
  expect((await drawn(page)).map(({ name }) => name)).toEqual(['ring', 'label'])
})

test('marks are at the edge where the text begins, one for each field, until they are cleared', async ({ page }) => {
  await stage(page, (api) => {
    api.mark(document.querySelector('#inside')!)
    api.mark(document.querySelector('#inside')!)
  })
  const field = await boxOf(page, '#inside')
  expect(await drawn(page)).toMatchObject([{ name: 'mark', box: { x: field.x - 1, width: 3, height: field.height } }])
  await page.locator('#inside').evaluate((one: HTMLInputElement) => {
    one.dir = 'rtl'
  })
  await expect.poll(async () => (await drawn(page))[0]?.box.x).toBe(field.x + field.width - 3)
  await stage(page, (api) => {
    api.clear([document.querySelector('#inside')!])
  })
  expect(await drawn(page)).toEqual([])
})

test('the layout is read once a frame while something moves, and not at all while nothing does', async ({ page }) => {
  await page.evaluate(() => {
    const scope = window as unknown as { reads: number }
    scope.reads = 0
    const read = Element.prototype.getBoundingClientRect
    document.querySelector('#pay')!.getBoundingClientRect = function () {
      scope.reads++
      return read.call(this)
    }
  })
  const counted = () =>
    page.evaluate(() => {
      const { reads, drawnFrames } = window as unknown as { reads: number; drawnFrames: number }
      return { reads, frames: drawnFrames }
    })
  await stage(page, (api) => api.ring(document.querySelector('#pay')!, { level: 'final' }))
  expect((await counted()).frames, 'what draws is counted').toBeGreaterThan(0)
  // From here on, only the backstop looks once in a while.
  const calm = async (): Promise<number> => {
    const before = (await counted()).reads
    await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 400)))
    return (await counted()).reads - before
  }
  await expect.poll(calm, { timeout: 10_000 }).toBeLessThanOrEqual(1)
  // As for each paragraph of a streamed answer.
  await page.evaluate(() => {
    const panel = document.createElement('tool-agent')
    document.body.append(panel)
    const text = panel.attachShadow({ mode: 'open' }).appendChild(document.createElement('p'))
    const scope = window as unknown as { inPanel(): void }
    scope.inPanel = () => text.dispatchEvent(new AnimationEvent('animationstart', { bubbles: true, composed: true }))
  })
  await expect.poll(calm, { timeout: 10_000 }).toBeLessThanOrEqual(1)
  await page.evaluate(async () => {
    const { inPanel } = window as unknown as { inPanel(): void }
    for (let count = 0; count < 5; count++) {
      inPanel()
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  })
  expect(await calm(), 'after events of the panel').toBeLessThanOrEqual(1)
  await release(page)
  const { frames } = await counted()
  await page.evaluate(() => window.scrollBy(0, 10))
  await page.evaluate(() => document.body.append('more'))
  await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 100)))
  expect((await counted()).frames).toBe(frames)
})

test('nothing is drawn with "off", and no dimmed rest with "ring"', async ({ page }) => {
  const ask = () =>
    stage(page, (api) =>
      api.ring(document.querySelector('#pay')!, {
        level: 'final',
        label: 'Pay',
        lit: document.querySelector('section')!,
      }),
    )
  await stage(page, (api) => api.configure({ mode: 'off', filling: '', properties: new Map() }))
  await ask()
  expect(await drawn(page)).toEqual([])
  await stage(page, (api) => api.configure({ mode: 'ring', filling: '', properties: new Map() }))
  await ask()
  expect((await drawn(page)).map(({ name }) => name)).toEqual(['ring', 'label'])
})
