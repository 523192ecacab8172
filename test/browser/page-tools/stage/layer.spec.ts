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
      section: document.querySelector('section')!,
      dims: true,
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

/** Which contents of the page the label covers, and where both are. */
async function coveredBy(page: Page) {
  const { box } = (await drawn(page)).find((one) => one.name === 'label')!
  return page.evaluate((label) => {
    const frame = document.querySelector('iframe')
    const { x: dx, y: dy } = frame?.getBoundingClientRect() ?? { x: 0, y: 0 }
    const contents = [...(frame?.contentDocument ?? document).querySelectorAll('p, b, input, button')]
    return contents
      .map((one) => ({ name: one.localName, box: one.getBoundingClientRect(), label }))
      .filter(
        ({ box }) =>
          box.left + dx < label.x + label.width &&
          box.right + dx > label.x &&
          box.top + dy < label.y + label.height &&
          box.bottom + dy > label.y,
      )
  }, box)
}

test('the label of a ring covers nothing of the section that a person reads before they decide', async ({ page }) => {
  // 1280 × 800 at 200 % zoom.
  await page.setViewportSize({ width: 640, height: 400 })
  const money = '<p>Total <b>€ 409.90</b></p>'
  const button = '<button id=pay>Place order</button>'
  const sections = {
    'a total above, terms below': `${money}${button}<p>You agree to our terms.</p>`,
    'a total below': `${button}${money}`,
    'fields on both sides': `<input value=409.90><br>${button}<br><input value=EUR>`,
    // A label is 24.2 px high: the lines of its font do not depend on the font.
    'fields that are as far apart as a label is high, nearly': `<style>section > :not(style) { display: block; box-sizing: border-box;
      width: 100px; height: 24px } section > input { width: 300px !important }</style><input>${button}<input>`,
    'a total beside': `<p>Above it</p>${button} <b>€ 409.90</b><p>Below it</p>`,
    'at the foot of the window': `<div style="height: 220px"></div>${money}${button}`,
    'an amount beside it, and the panel': `<p style="text-align: right"><b>€ 409.90</b> ${button}</p>
      <tool-agent style="position: fixed; inset: 0 0 0 344px; display: block; background: #eee"></tool-agent>`,
    'in a frame': `<iframe style="width: 300px; height: 160px"></iframe>`,
    'right to left': `<div dir=rtl>${money}${button}<p>You agree to our terms.</p></div>`,
  }
  for (const [name, html] of Object.entries(sections))
    await test.step(name, async () => {
      await page.evaluate(
        async ([html, inner]) => {
          document.body.innerHTML = `<section style="width: 320px; padding: 8px; line-height: 1.2">${html}</section>`
          const frame = document.querySelector('iframe')
          if (!frame) return
          frame.srcdoc = `<section>${inner}</section>`
          await new Promise((resolve) => (frame.onload = resolve))
        },
        [html, `${money}${button}<p>You agree to our terms.</p>`] as const,
      )
      await stage(page, (api) => {
        const found = document.querySelector('iframe')?.contentDocument ?? document
        const release = api.ring(found.querySelector('#pay')!, {
          level: 'final',
          label: 'The assistant wants to press this',
          section: found.querySelector('section')!,
        })
        const scope = window as unknown as { first: unknown; stageRoot: ShadowRoot }
        requestAnimationFrame(() => {
          scope.first = scope.stageRoot.querySelector('.label')!.getBoundingClientRect()
        })
        return release
      })
      expect(await coveredBy(page), name).toEqual([])
      const { box } = (await drawn(page)).find((one) => one.name === 'label')!
      // It is there from the first frame on.
      expect(await page.evaluate(() => (window as unknown as { first: unknown }).first)).toMatchObject(box)
      expect(box.x >= 0 && box.y >= 0 && box.x + box.width <= 640 && box.y + box.height <= 400).toBe(true)
      await release(page)
    })
  await test.step('what comes where the label is, although no box around it changes', async () => {
    await page.evaluate((button) => {
      document.body.innerHTML = `<section style="width: 320px; height: 120px">${button}<p hidden>Total € 409.90</p></section>`
    }, button)
    await stage(page, (api) => {
      const section = document.querySelector('section')!
      return api.ring(section.querySelector('#pay')!, { level: 'final', label: 'It wants to press this', section })
    })
    const { box } = (await drawn(page)).find((one) => one.name === 'label')!
    await page.locator('p').evaluate((total: HTMLElement, { x, y }) => {
      total.hidden = false
      total.style.cssText = `position: fixed; margin: 0; left: ${x}px; top: ${y}px`
    }, box)
    await expect.poll(() => coveredBy(page)).toEqual([])
    await release(page)
  })
})

test('a mark is seen on a page of any lightness', async ({ page }) => {
  const contrasts = await page.evaluate(async () => {
    const path = '/src/page-tools/stage/stage.ts'
    const { mark } = (await import(path)) as Stage
    mark(document.querySelector('#inside')!)
    const { stageRoot } = window as unknown as { stageRoot: ShadowRoot }
    const { backgroundColor, boxShadow } = getComputedStyle(stageRoot.querySelector('.mark')!)
    const context = document.createElement('canvas').getContext('2d')!
    const luminance = (color: string): number => {
      context.fillStyle = color
      context.fillRect(0, 0, 1, 1)
      const [r = 0, g = 0, b = 0] = [...context.getImageData(0, 0, 1, 1).data].map((value) => {
        const part = value / 255
        return part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
      })
      return 0.2126 * r + 0.7152 * g + 0.0722 * b
    }
    const tones = [backgroundColor, /^(?:\w+\(.*?\)|#\w+)/.exec(boxShadow)?.[0] ?? backgroundColor].map(luminance)
    return ['#fff', '#f3f0e6', '#bbb', '#777', '#2b2b2b', '#18191c', '#000'].map((page) => {
      const behind = luminance(page)
      const ratios = tones.map((tone) => (Math.max(tone, behind) + 0.05) / (Math.min(tone, behind) + 0.05))
      return { page, contrast: Math.max(...ratios) }
    })
  })
  expect(contrasts.filter(({ contrast }) => contrast < 3)).toEqual([])
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
  // Counted at once, and again if the backstop has just asked for a frame.
  const asked = () =>
    page.evaluate(() => {
      const scope = window as unknown as { drawnFrames: number; inPanel(): void }
      const framesFor = (event: () => void): number => {
        const before = scope.drawnFrames
        event()
        return scope.drawnFrames - before
      }
      return {
        inPanel: framesFor(() => scope.inPanel()),
        inPage:
          framesFor(() => document.body.dispatchEvent(new AnimationEvent('animationstart', { bubbles: true }))) > 0,
      }
    })
  await expect.poll(asked, { message: 'frames after an event' }).toEqual({ inPanel: 0, inPage: true })
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
        section: document.querySelector('section')!,
        dims: true,
      }),
    )
  await stage(page, (api) => api.configure({ mode: 'off', filling: '', properties: new Map() }))
  await ask()
  expect(await drawn(page)).toEqual([])
  await stage(page, (api) => api.configure({ mode: 'ring', filling: '', properties: new Map() }))
  await ask()
  expect((await drawn(page)).map(({ name }) => name)).toEqual(['ring', 'label'])
})

test('a page that moves the layer into a frame gets it back with its styles', async ({ page }) => {
  const width = () =>
    page.evaluate(() => {
      const { stageRoot } = window as unknown as { stageRoot: ShadowRoot }
      return getComputedStyle(stageRoot.querySelector('.ring')!).borderTopWidth
    })
  await stage(page, ({ ring }) => ring(document.querySelector('#pay')!, { level: 'fill' }))
  expect(await width()).toBe('2px')
  await page.evaluate(() => {
    const frame = document.createElement('iframe')
    document.body.append(frame)
    frame.contentDocument!.body.append(document.querySelector('tool-agent-stage')!)
  })
  await release(page)
  await stage(page, ({ ring }) => ring(document.querySelector('#pay')!, { level: 'fill' }))
  await expect(page.locator('html > tool-agent-stage')).toBeAttached()
  expect(await width()).toBe('2px')
})
