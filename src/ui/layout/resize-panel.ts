// Resizes a floating panel or a sidebar by its handle: with the pointer, the arrow keys (Shift: larger steps), and back
// with a double click or Home.

/** CSS pixels that an arrow key adds or removes; four times as many with Shift. */
const step = 16
/** The smallest size, in CSS pixels. styles/panel.ts limits the largest one. */
const smallest = { '--_wide': 280, '--_tall': 320 }

type Side = keyof typeof smallest

/** Handles an event of `handle`. Ignores events that do not resize. */
export function resizePanel(event: Event, handle: HTMLElement): void {
  const panel = handle.closest<HTMLElement>('.panel')
  if (panel === null) return
  const { left, width, height } = panel.getBoundingClientRect()
  // The handle is at the corner that moves: on the right for a panel at the left edge of the window.
  const { left: handleLeft } = handle.getBoundingClientRect()
  const outwards = handleLeft < left + width / 2 ? -1 : 1
  const set = (side: Side, value: number): void => {
    panel.style.setProperty(side, `${Math.round(Math.max(value, smallest[side]))}px`)
  }
  const reset = (): void => {
    for (const side of Object.keys(smallest)) panel.style.removeProperty(side)
  }
  if (event.type === 'dblclick') reset()
  if (event instanceof KeyboardEvent) {
    const change = event.shiftKey ? 4 * step : step
    if (event.key === 'Home') reset()
    if (event.key === 'ArrowUp') set('--_tall', height + change)
    if (event.key === 'ArrowDown') set('--_tall', height - change)
    if (event.key === 'ArrowLeft') set('--_wide', width - outwards * change)
    if (event.key === 'ArrowRight') set('--_wide', width + outwards * change)
  }
  if (event.type !== 'pointerdown' || !(event instanceof PointerEvent)) return
  const { pointerId, clientX, clientY } = event
  const end = new AbortController()
  const { signal } = end
  handle.setPointerCapture(pointerId)
  handle.addEventListener(
    'pointermove',
    (move) => {
      // The button may have been released before this code was loaded.
      if (move.buttons === 0) return end.abort()
      set('--_wide', width + outwards * (move.clientX - clientX))
      set('--_tall', height + clientY - move.clientY)
    },
    { signal },
  )
  for (const type of ['pointerup', 'pointercancel'])
    handle.addEventListener(
      type,
      () => {
        end.abort()
      },
      { signal },
    )
}
