// SVG-edit, a drawing program of custom elements with shadow roots. The state is its drawing.
import { join } from 'node:path'
import { packages } from '../../../questions/server.mjs'

/** @typedef {import('../../hands.mjs').Hands} Hands */

/** Answers the question of the first start, and opens an entry of the main menu. @param {Hands} hands @param {string} entry */
async function open({ read, click }, entry) {
  await read()
  await click('OK')
  await read()
  await click('SVG-Edit')
  await read()
  await click(entry)
}

/** The fields of width and height. @param {Hands} hands */
async function sizes({ read, find }) {
  await read()
  return [await find('Width', { role: 'textbox' }), await find('Height', { role: 'textbox' })]
}

/** @type {import('../app-run.mjs').TaskApp} */
export const app = {
  name: 'svgedit',
  needs: 'svgedit',
  folder: join(packages, 'svgedit/dist/editor'),
  data: () => ({}),
  state: ({ page }) =>
    page.evaluate(() => {
      const layers = [...document.querySelectorAll('#svgcontent > g.layer')]
      return {
        layers: layers.map((layer) => layer.querySelector(':scope > title')?.textContent),
        shapes: layers.flatMap((layer) =>
          [...layer.querySelectorAll(':scope > :not(title)')].map((one) => {
            const { width, height } = /** @type {SVGGraphicsElement} */ (one).getBBox()
            return { kind: one.localName, width: Math.round(width), height: Math.round(height) }
          }),
        ),
        width: Number(document.querySelector('#svgcontent')?.getAttribute('width')),
        height: Number(document.querySelector('#svgcontent')?.getAttribute('height')),
      }
    }),
  tasks: [
    {
      name: 'document-size',
      task: 'Make the drawing 400 wide and 300 high. Cookies and storage do not matter.',
      goal: { width: '400' },
      mistake: { width: '500' },
      want: (state) => Object.assign(state, { width: 400, height: 300 }),
      async policy(hands, { width }) {
        await open(hands, 'Document Properties')
        const [field, other] = await sizes(hands)
        await hands.use('form_fill', {
          fields: [
            { field, value: width },
            { field: other, value: '300' },
          ],
        })
        await hands.click('OK')
      },
    },
    {
      name: 'predefined-size',
      task: 'Use the predefined size of 800 by 600.',
      goal: { size: '800x600' },
      mistake: { size: '1024x768' },
      want: (state) => Object.assign(state, { width: 800, height: 600 }),
      async policy(hands, { size }) {
        await open(hands, 'Document Properties')
        await hands.read()
        await hands.use('form_fill', { fields: [{ field: await hands.find('resolution'), value: size }] })
        await hands.click('OK')
      },
    },
    {
      name: 'draw-rectangle',
      task: 'Draw a rectangle of 120 by 80.',
      // As its title says: "Square/Rect Tool".
      goal: { tool: 'Rect' },
      mistake: { tool: 'Ellipse' },
      want: (state) => state.shapes.push({ kind: 'rect', width: 120, height: 80 }),
      async policy({ read, click, find, use }, { tool }) {
        await read()
        await click('OK')
        await read()
        await click(tool)
        await read()
        const canvas = await find('canvas').catch(() => find('workarea'))
        await use('page_drag', { target: canvas, x: 120, y: 80 })
      },
    },
    {
      name: 'new-layer',
      task: 'Add a layer.',
      goal: { button: 'New Layer' },
      mistake: { button: 'Rename Layer' },
      want: (state) => state.layers.push('Layer 2'),
      async policy({ read, click }, { button }) {
        await read()
        await click('OK')
        await read()
        await click('Panel')
        await read()
        await click(button)
        await read()
        await click('OK').catch(() => undefined)
      },
    },
  ],
}
