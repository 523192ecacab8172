// The only function of react-dom that this entry calls. The types of react-dom are not a dependency of this
// project: an author who uses the entry has those of their own React.
declare module 'react-dom' {
  import type { ReactNode, ReactPortal } from 'react'

  export function createPortal(children: ReactNode, container: Element, key?: string | null): ReactPortal
}
