// A design tool: shapes on a canvas, layers that are dragged and renamed, and a panel for the selected shape.
import { fileURLToPath } from 'node:url'

const shape = (/** @type {number} */ id, /** @type {string} */ name, more = {}) => ({
  id,
  name,
  kind: 'box',
  x: 0,
  y: 0,
  width: 500,
  height: 400,
  fill: 'gold',
  opacity: 100,
  visible: true,
  locked: false,
  ...more,
})

const named = (/** @type {any} */ state, /** @type {string} */ name) =>
  state.shapes.find((/** @type {{ name: string }} */ one) => one.name === name)

/** @type {import('../app-run.mjs').TaskApp} */
export const app = {
  name: 'design',
  folder: fileURLToPath(new URL('.', import.meta.url)),
  data: () => ({
    shapes: [
      shape(1, 'Background', { locked: true }),
      shape(2, 'Sun', { kind: 'oval', x: 340, y: 40, width: 100, height: 100, fill: 'crimson' }),
      shape(3, 'Sea', { y: 280, height: 120, fill: 'navy' }),
      shape(4, 'Boat', { x: 120, y: 240, width: 90, height: 50, fill: 'teal' }),
    ],
  }),
  handle({ method, path, body }, data) {
    if (path !== '/api/shapes') return undefined
    if (method === 'PUT') data.shapes = body
    return { json: data.shapes }
  },
  // The layers are a list of one owner, and a change of it is kept as every other value.
  effectOf: ({ method }) => (method === 'GET' ? 'view' : 'value'),
  tasks: [
    {
      name: 'measure',
      task: 'Put the boat at x 300, and make it 120 wide.',
      goal: { layer: 'Boat' },
      mistake: { layer: 'Sun' },
      want: (state) => Object.assign(named(state, 'Boat'), { x: 300, width: 120 }),
      async policy({ read, click, fill }, { layer }) {
        await read()
        await click(layer)
        await read()
        await fill({ X: 300 })
        await read()
        await fill({ W: 120 })
      },
    },
    {
      name: 'fill-and-opacity',
      task: 'Make the sun gold, with an opacity of 60.',
      goal: { colour: 'gold' },
      mistake: { colour: 'navy' },
      want: (state) => Object.assign(named(state, 'Sun'), { fill: 'gold', opacity: 60 }),
      async policy({ read, click, fill }, { colour }) {
        await read()
        await click('Sun')
        await read()
        await click(colour)
        await read()
        await fill({ Opacity: 60 })
      },
    },
    {
      name: 'hide-layer',
      task: 'Hide the sea.',
      needs: 'controls with equal names told apart by their row',
      goal: { layer: 'Sea' },
      mistake: { layer: 'Boat' },
      want: (state) => (named(state, 'Sea').visible = false),
      async policy({ read, click }, { layer }) {
        await read()
        await click('👁', { inside: layer })
      },
    },
    {
      name: 'unlock-layer',
      task: 'Unlock the background.',
      goal: { icon: '🔒' },
      mistake: { icon: '🔓' },
      want: (state) => (named(state, 'Background').locked = false),
      async policy({ read, click }, { icon }) {
        await read()
        await click(icon)
      },
    },
    {
      name: 'reorder-layers',
      task: 'Move the sun above the boat in the layers.',
      goal: { layer: 'Sun' },
      mistake: { layer: 'Sea' },
      want: (state) => state.shapes.push(...state.shapes.splice(1, 1)),
      async policy({ read, drag }, { layer }) {
        await read()
        await drag(layer, 'Boat', 'before')
      },
    },
    {
      name: 'rename-layer',
      task: 'Rename the layer Boat to "Ship".',
      needs: "page_click({ how: 'double' })",
      goal: { layer: 'Boat' },
      mistake: { layer: 'Sea' },
      want: (state) => (named(state, 'Boat').name = 'Ship'),
      async policy({ read, click, fieldHolding, use, press }, { layer }) {
        await read()
        await click(layer, { how: 'double' })
        const field = await fieldHolding(layer)
        await use('form_fill', { fields: [{ field, value: 'Ship' }] })
        await press('Enter', field)
      },
    },
    {
      name: 'keys',
      task: 'Select the boat and move it 20 pixels to the right with the keys, on the canvas.',
      goal: { key: 'Shift+ArrowRight' },
      mistake: { key: 'Shift+ArrowLeft' },
      want: (state) => (named(state, 'Boat').x += 20),
      async policy({ read, click, press, findText }, { key }) {
        await read()
        await click('Boat')
        const canvas = await findText('Poster', { role: 'canvas' }).catch(() =>
          findText('Poster', { role: 'clickable' }),
        )
        // Who is told that a press happened twice looks before the next one.
        for (let count = 0; count < 2; count++) if (/may have happened twice/.test(await press(key, canvas))) break
      },
    },
    {
      name: 'duplicate-and-delete',
      task: 'Duplicate the boat, and delete the sun.',
      goal: { layer: 'Sun' },
      mistake: { layer: 'Sea' },
      want(state) {
        state.shapes.push({ ...named(state, 'Boat'), id: 5, name: 'Boat copy', x: 130, y: 250 })
        state.shapes.splice(1, 1)
      },
      async policy({ read, click }, { layer }) {
        await read()
        await click('Boat')
        await click('⧉')
        await read()
        await click(layer)
        await read()
        await click('Delete')
      },
    },
    {
      name: 'draw',
      task: 'Draw an ellipse from the middle of the canvas, 100 wide and 60 high.',
      needs: 'page_drag on a canvas',
      goal: { tool: '◯' },
      mistake: { tool: '▭' },
      want: (state) =>
        state.shapes.push(
          shape(5, 'Ellipse 5', { kind: 'oval', x: 250, y: 200, width: 100, height: 60, fill: 'teal' }),
        ),
      async policy({ read, click, findText, use }, { tool }) {
        await read()
        await click(tool)
        const canvas = await findText('Poster', { role: 'canvas' }).catch(() =>
          findText('Poster', { role: 'clickable' }),
        )
        await use('page_drag', { target: canvas, x: 100, y: 60 })
      },
    },
  ],
}
