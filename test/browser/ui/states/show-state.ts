// Opens a page and brings its panel into a state of the catalogue.
import type { Page } from 'playwright/test'
import { PanelPage } from '../../../support/page/panel.js'
import type { PanelState } from './states.js'

/** How a state is shown. */
export interface Look {
  /** The language of the page. Arabic is written from right to left. */
  readonly language: 'en' | 'ar'
  /** The colour scheme of the visitor. */
  readonly scheme: 'light' | 'dark'
  /** The width of the window, in CSS pixels. */
  readonly width: 1280 | 390
}

/** Every look, in the order in which a page that is open already takes them on. */
export const looks: readonly Look[] = (['en', 'ar'] as const).flatMap((language) =>
  ([1280, 390] as const).flatMap((width) =>
    (['light', 'dark'] as const).map((scheme) => ({ language, scheme, width })),
  ),
)

/** The name of a look, such as `ar dark 390`. */
export const lookName = ({ language, scheme, width }: Look): string => `${language} ${scheme} ${width}`

/** Loads the page anew and brings the panel into the state. */
export async function showState(page: Page, site: string, state: PanelState, look: Look): Promise<PanelPage> {
  const panel = new PanelPage(page)
  await page.emulateMedia({ colorScheme: look.scheme })
  await page.setViewportSize(state.window ?? { width: look.width, height: 800 })
  // The next page of a tab restores the place and the text of the panel.
  await page.goto(`${site}/test/pages/panel/panel.css`)
  await page.evaluate(() => {
    sessionStorage.clear()
  })
  await page.goto(`${site}/test/pages/panel/${state.page ?? 'panel'}.html`)
  await page.locator('html[data-ready]').waitFor({ state: 'attached' })
  await page.evaluate((language) => {
    document.documentElement.lang = language
    document.documentElement.dir = language === 'ar' ? 'rtl' : 'ltr'
  }, look.language)
  if (state.page === undefined) {
    await page.evaluate(
      async ([layout, isOpen]) => {
        window.element.layout = layout
        window.element.open = isOpen
        void window.element.agent
      },
      [state.layout ?? 'floating', state.isClosed === undefined] as const,
    )
    await panel.element.locator(state.isClosed ? '.launcher' : 'section.panel').waitFor()
    if (look.language !== 'en' && !state.isClosed)
      await panel.element.locator(`.root[lang=${look.language}]`).waitFor({ state: 'attached' })
  }
  await state.drive(panel)
  await settle(panel.page)
  return panel
}

/** Gives a page that shows a state another look with the same language. */
export async function changeLook(panel: PanelPage, state: PanelState, look: Look): Promise<void> {
  const { page } = panel
  await page.emulateMedia({ colorScheme: look.scheme })
  await page.setViewportSize(state.window ?? { width: look.width, height: 800 })
  await settle(panel.page)
}

/**
 * Ends all movement: animations that end are finished, and the others stop in the middle, where a text that pulses is
 * palest.
 */
export async function settle(page: Page): Promise<void> {
  await page.evaluate(async () => {
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
    const roots = [document, ...[...document.querySelectorAll('*')].flatMap(({ shadowRoot }) => shadowRoot ?? [])]
    for (const animation of roots.flatMap((root) => root.getAnimations())) {
      const { endTime, duration } = animation.effect?.getComputedTiming() ?? {}
      // The others depend on scrolling.
      if (!(animation.timeline instanceof DocumentTimeline)) continue
      if (endTime !== Infinity) animation.finish()
      else {
        animation.pause()
        animation.currentTime = Number(duration) / 2
      }
    }
  })
}
