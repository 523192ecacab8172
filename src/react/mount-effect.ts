// The effect of the hooks. It runs before the browser paints, so that a tool call never meets the functions of an older
// render. A server has no layout, and React 18 warns about layout effects there.
import { useEffect, useLayoutEffect } from 'react'

/** `useLayoutEffect` in a page, `useEffect` on a server. */
export const useMountEffect: typeof useLayoutEffect = typeof document === 'object' ? useLayoutEffect : useEffect
