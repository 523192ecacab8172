// "Show on the page": from the press to its end. It ends with Escape, and by itself when the visitor writes, here or on
// the page, or sends. On a phone the panel is a line meanwhile, because it covers the page otherwise.
import type { GlassShown, PageGlass } from '../../page/tools/page-glass.js'
import { fillsWindow } from '../layout/modal-panel.js'
import type { PanelHost } from '../panel/panel-host.js'
import { layerProperties } from '../stage/stage-controller.js'
import { placeOf, setPlace } from '../stage/panel-place.js'

/** What is shown now. */
export interface Showing {
  /** Takes it away. Calling it again does nothing. */
  end(): void
}

/** Shows what is read. `ended` is called once, also if the visitor has ended it. */
export function startShowing(
  host: PanelHost,
  glass: PageGlass,
  shown: Pick<GlassShown, 'texts' | 'onChange'> & { ended(): void },
): Showing {
  const { element } = host
  const section = element.shadowRoot?.querySelector<HTMLElement>('.panel')
  const listening = new AbortController()
  const release = glass.show({ ...shown, properties: layerProperties(element) })
  const end = (): void => {
    if (listening.signal.aborted) return
    listening.abort()
    release()
    if (section && placeOf(section) === 'glass') setPlace(section, 'own')
    shown.ended()
  }
  const onKey = (event: Event): void => {
    if (!(event instanceof KeyboardEvent) || event.key !== 'Escape' || event.isComposing) return
    event.preventDefault()
    event.stopPropagation()
    end()
  }
  const options = { capture: true, signal: listening.signal }
  // Of what happens in the panel only copies arrive here, and only there: see isolation.ts.
  for (const target of [globalThis, element.shadowRoot]) target?.addEventListener('keydown', onKey, options)
  element.shadowRoot?.addEventListener('input', end, options)
  // Scripts of the page write, too.
  addEventListener('input', ({ isTrusted }) => isTrusted && end(), options)
  if (section && element.layout !== 'inline' && fillsWindow()) setPlace(section, 'glass')
  return { end }
}
