// A press of a button where it is now. `click` scrolls a button to the middle in Firefox although it is visible, and a
// question that moves must be read again before a press counts.
import type { Locator } from 'playwright/test'

export async function pressInPlace(button: Locator): Promise<void> {
  const box = await button.boundingBox()
  if (box === null) throw new Error(`${String(button)} is not drawn`)
  await button.page().mouse.click(box.x + box.width / 2, box.y + box.height / 2)
}
