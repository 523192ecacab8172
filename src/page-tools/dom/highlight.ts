// A quiet sign of what was filled. An animation leaves no attribute and no style behind, needs nothing from the
// page's policy, and takes itself away.
import type { Field } from '../read/form-fields.js'

export function highlight({ element, members }: Pick<Field, 'element' | 'members'>): void {
  for (const target of new Set([element, ...members])) {
    const shown =
      target.getBoundingClientRect().width > 4
        ? target
        : ((target as Partial<HTMLInputElement>).labels?.[0] ?? target.parentElement)
    shown?.animate?.(
      [
        { outline: '2px solid rgb(70 130 220 / 0.9)', outlineOffset: '2px' },
        { outline: '2px solid rgb(70 130 220 / 0.6)', outlineOffset: '2px', offset: 0.8 },
        { outline: '2px solid rgb(70 130 220 / 0)', outlineOffset: '2px' },
      ],
      { duration: 4000, id: 'tool-agent-filled' },
    )
  }
}
