// Notes what a page sees of a hand: each event with all of its fields. Runs in the page, before its scripts.

/** Puts the log into `window.eventLog`. Equal events in a row are one, because their number is timing. */
export function noteEvents(): void {
  const log: string[] = []
  Object.assign(window, { eventLog: log })
  const kinds =
    'pointerover pointerenter pointermove pointerout pointerleave pointerdown pointerup pointercancel ' +
    'mouseover mouseenter mousemove mouseout mouseleave mousedown mouseup gotpointercapture ' +
    'lostpointercapture click dblclick contextmenu auxclick wheel mousewheel keydown keypress keyup ' +
    'beforeinput textInput input change select selectionchange focus blur focusin focusout ' +
    'compositionstart compositionupdate compositionend copy paste cut drag dragstart dragenter dragover ' +
    'dragleave drop dragend submit reset cancel close touchstart touchmove touchend touchcancel'
  /** What changes from run to run, or follows from other fields. */
  const unstable =
    /^(timeStamp|isTrusted|eventPhase|cancelBubble|returnValue|defaultPrevented|persistentDeviceId|(page|layer|offset|movement)[XY]|x|y|wheelDelta[XY]?|[A-Z_]+)$/
  const nameOf = (target: EventTarget | null): string => {
    if (!(target instanceof Element)) return 'page'
    const role = target.getAttribute('role')
    return `${target.localName}${role === null ? '' : `[${role}]`}`
  }
  const said = (value: unknown): string | undefined => {
    if (value instanceof Node) return nameOf(value)
    if (typeof value === 'number') return value === 0 ? undefined : String(Math.round(value * 100) / 100)
    return value === false || value === '' || typeof value === 'object' || typeof value === 'function'
      ? undefined
      : String(value)
  }
  const seen = new WeakSet<Event>()
  const note = (event: Event): void => {
    // The browser tells of a caret and of its own mouse later, at no fixed time.
    if (seen.has(event) || (event.isTrusted && /move$|^select/.test(event.type))) return
    seen.add(event)
    const fields: string[] = []
    for (const name in event) {
      if (unstable.test(name) || name === 'type' || name === 'target' || /^(srcElement|currentTarget)$/.test(name))
        continue
      const value = said((event as unknown as Record<string, unknown>)[name])
      if (value !== undefined) fields.push(`${name}=${value}`)
    }
    // A real event of the browser has fields that follow from what the test browser is.
    const more = event.isTrusted ? ['trusted'] : [event.constructor.name, ...fields.toSorted()]
    const entry = [event.type, nameOf(event.composedPath()[0] ?? event.target), ...more].join(' ')
    if (log.at(-1) !== entry) log.push(entry)
  }
  for (const kind of kinds.split(' ')) window.addEventListener(kind, note, { capture: true })
}
