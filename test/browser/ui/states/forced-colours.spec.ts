// With forced colours, what is no link is not drawn as one, and every box has an edge.
import { expect, test } from '../../../support/page/site.js'
import { showState } from './show-state.js'
import { states } from './states.js'

for (const name of ['tool: every end', 'question: details', 'tasks', 'answer: code'])
  test(`forced colours: ${name}`, async ({ page, site, browserName }) => {
    test.skip(browserName !== 'chromium', 'Others take media features only as preferences')
    await page.emulateMedia({ forcedColors: 'active' })
    const state = states.find((one) => one.name === name)!
    const { element } = await showState(page, site, state, { language: 'en', scheme: 'light', width: 1280 })
    const found = await element.evaluate((host) => {
      const root = host.shadowRoot!
      const probe = document.createElement('p')
      probe.style.color = 'CanvasText'
      root.append(probe)
      const text = getComputedStyle(probe).color
      probe.remove()
      const colored = [...root.querySelectorAll('summary, summary *, h3 .icon')]
        .filter((one) => getComputedStyle(one).color !== text)
        .map((one) => `${one.localName}.${one.getAttribute('class')}: ${getComputedStyle(one).color}`)
      const boxes = [
        ...root.querySelectorAll('.call, .approval, .arguments, .code, .user, progress, .mark:not(:has(img))'),
      ]
      const bare = boxes
        .filter((one) => one.getClientRects().length > 0 && getComputedStyle(one).borderBlockStartWidth === '0px')
        .map((one) => `${one.localName}.${one.className}`)
      return { colored, bare, boxes: boxes.length }
    })
    expect(found).toEqual({ colored: [], bare: [], boxes: expect.any(Number) })
    expect(found.boxes).toBeGreaterThan(1)
  })
