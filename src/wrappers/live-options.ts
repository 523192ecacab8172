// Options whose functions call those of the newest render. So a function that uses the state of a component never is an
// old one, and a render that only brings new functions changes nothing.

/** Function options that are used by identity: what they draw has to be drawn again. */
const byIdentity: ReadonlySet<string> = new Set(['messageActions', 'modelAdapter', 'agent'])

/**
 * The value of an option, with functions that call the newest one of the same name.
 * @param newest Returns the options of the newest render.
 */
export function liveOption(name: string, value: unknown, newest: () => object): unknown {
  if (byIdentity.has(name)) return value
  const call =
    (read: () => unknown) =>
    (...args: unknown[]): unknown => {
      const latest = read()
      return typeof latest === 'function' ? Reflect.apply(latest, undefined, args) : undefined
    }
  if (typeof value === 'function') return call(() => Reflect.get(newest(), name))
  if (name !== 'hooks' || typeof value !== 'object' || value === null) return value
  const hook = (key: string): unknown => {
    const hooks: unknown = Reflect.get(newest(), 'hooks')
    return typeof hooks === 'object' && hooks !== null ? Reflect.get(hooks, key) : undefined
  }
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [key, typeof one === 'function' ? call(() => hook(key)) : one]),
  )
}

/** Whether a changed option has to be set again. See `isSame` for what counts as changed. */
export function isUsedByIdentity(name: string): boolean {
  return byIdentity.has(name)
}
