// The layer above the page, for tests: its shadow root is closed, so it is kept where tests find it.
import type { Page } from 'playwright/test'

/** Opens the shadow root of the layer to the tests of this page. Before the page is loaded. */
export async function watchStage(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const attach = Element.prototype.attachShadow
    Element.prototype.attachShadow = function (init: ShadowRootInit) {
      const root = attach.call(this, init)
      if (this.localName === 'tool-agent-stage') (window as unknown as { stageRoot: ShadowRoot }).stageRoot = root
      return root
    }
  })
}

/** One node of the layer that is visible now. */
export interface Drawn {
  readonly name: string
  readonly level?: string
  readonly text?: string
  readonly box: { readonly x: number; readonly y: number; readonly width: number; readonly height: number }
}

/** What the layer shows, after two frames. */
export const drawn = (page: Page): Promise<readonly Drawn[]> =>
  page.evaluate(async () => {
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
    const { stageRoot } = window as unknown as { stageRoot?: ShadowRoot }
    return [
      ...(stageRoot?.querySelectorAll<HTMLElement>('.dim, .ring, .label, .mark, .read, .never, .closed, .tag') ?? []),
    ]
      .filter((node) => !node.hidden)
      .map((node) => {
        const { x, y, width, height } = node.getBoundingClientRect()
        const { level } = node.dataset
        const text = node.textContent
        return {
          name: node.className,
          ...(level === undefined ? {} : { level }),
          ...(text === '' ? {} : { text }),
          box: { x, y, width, height },
        }
      })
  })
