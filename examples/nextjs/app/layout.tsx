import type { ReactNode } from 'react'
import { Assistant } from './assistant'

export const metadata = { title: 'Tea shop', icons: { icon: 'data:,' } }

// The assistant is in the layout, so that it stays when the route changes.
export default function Layout({ children }: { children: ReactNode }) {
  return (
    <html lang="en">
      <body>
        {children}
        <Assistant />
      </body>
    </html>
  )
}
