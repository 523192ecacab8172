// The only function of react-dom that this entry calls. Its package of types is not one of this project: who uses the
// entry has the types that belong to their React.
declare module 'react-dom' {
  import type { ReactNode, ReactPortal } from 'react'

  export function createPortal(children: ReactNode, container: Element, key?: string | null): ReactPortal
}
