// What axe-core finds on a page, with all of its rules, also inside shadow roots.
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { Page } from 'playwright/test'

/** What axe-core reports about one rule. */
interface Violation {
  readonly id: string
  readonly nodes: readonly {
    readonly target: readonly unknown[]
    readonly html: string
    readonly failureSummary: string
  }[]
}
interface Axe {
  run(context: Document, options: object): Promise<{ readonly violations: readonly Violation[] }>
}

/** Colours and contrasts are what they will be. A sign that something goes on never ends. */
export async function fadesEnded(page: Page): Promise<void> {
  await page.locator('tool-agent .root').evaluateAll((roots) =>
    Promise.all(
      roots
        .flatMap((root) => root.getAnimations({ subtree: true }))
        .filter(({ effect }) => Number.isFinite(effect?.getComputedTiming().endTime))
        .map(({ finished }) => finished.catch(() => undefined)),
    ),
  )
}

/** What it finds, one line each. The page gets the landmarks of an ordinary one, which the panel must not double. */
export async function violations(page: Page): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window)))
    await page.evaluate(await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8'))
  await fadesEnded(page)
  const found = await page.evaluate(async () => {
    const main = document.querySelector('main')
    if (main && !document.querySelector('body > header')) {
      main.insertAdjacentHTML(
        'beforebegin',
        '<header>A shop<nav aria-label="Shop"><a href="#" style="color: inherit">Tea</a></nav></header>',
      )
      main.insertAdjacentHTML('afterend', '<footer>Imprint</footer>')
    }
    const { axe } = window as unknown as { axe: Axe }
    const report = await axe.run(document, { resultTypes: ['violations'] })
    return report.violations.map(({ id, nodes }) => ({ id, nodes: nodes.map((node) => ({ ...node })) }))
  })
  return found.flatMap(({ id, nodes }) =>
    nodes.map(({ target, html, failureSummary }) =>
      [id, JSON.stringify(target), html.slice(0, 160), failureSummary.split('\n')[1]?.trim()].join(' | '),
    ),
  )
}
