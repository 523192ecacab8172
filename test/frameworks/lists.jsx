// Long lists and grids of which only some rows are in the document, made by the libraries that people use for them, and
// lists that load more at their end. Each is drawn by name with a number of rows.
import { useVirtualizer, useWindowVirtualizer } from '@tanstack/react-virtual'
import { AllCommunityModule, ModuleRegistry, createGrid, themeQuartz } from 'ag-grid-community'
import Clusterize from 'clusterize.js'
import { useRef, useState } from 'react'
import { createRoot } from 'react-dom/client'
import { List } from 'react-window'
import { TableVirtuoso, Virtuoso } from 'react-virtuoso'

ModuleRegistry.registerModules([AllCommunityModule])

const app = document.querySelector('#app')
const style = document.createElement('style')
style.textContent = `
  body { font: 16px/20px sans-serif; margin: 8px } .box { height: 400px; width: 500px; overflow: auto; border: 1px solid }
  .row { height: 30px; box-sizing: border-box } .loose { padding: 4px } table { border-collapse: collapse }`
document.head.append(style)

const first = ['Ann', 'Ben', 'Cleo', 'Dan', 'Eva', 'Finn', 'Gus', 'Hana', 'Ivo', 'Jill']
/** Row 7 and row 8 of each hundred are equal, as rows of real lists sometimes are. */
const nameOf = (index) => (index % 100 === 8 ? nameOf(index - 1) : `${first[index % 10]} No${index}`)
const cityOf = (index) => ['Oslo', 'Rome', 'Lima'][index % 3]
const names = (count) => Array.from({ length: count }, (_, index) => nameOf(index))
const heightOf = (index) => 24 + ((index * 7) % 5) * 9
const pressed = []
const press = (name) => pressed.push(name)

const Row = ({ index }) => (
  <>
    {nameOf(index)} <button onClick={() => press(nameOf(index))}>Edit</button>
  </>
)

function TanStack({ count, dynamic }) {
  const box = useRef(null)
  const rows = useVirtualizer({ count, getScrollElement: () => box.current, estimateSize: () => 30 })
  return (
    <div className="box" ref={box} id="box">
      <div style={{ height: rows.getTotalSize(), position: 'relative' }}>
        {rows.getVirtualItems().map(({ key, index, start }) => (
          <div
            key={key}
            className={dynamic ? 'loose' : 'row'}
            data-index={dynamic ? index : undefined}
            ref={dynamic ? rows.measureElement : undefined}
            style={{
              position: 'absolute',
              width: '100%',
              transform: `translateY(${start}px)`,
              minHeight: dynamic ? heightOf(index) : undefined,
            }}
          >
            <Row index={index} />
          </div>
        ))}
      </div>
    </div>
  )
}

function TanStackWindow({ count }) {
  const rows = useWindowVirtualizer({ count, estimateSize: () => 30, scrollMargin: 40 })
  return (
    <div style={{ height: rows.getTotalSize(), position: 'relative' }}>
      {rows.getVirtualItems().map(({ key, index, start }) => (
        <div
          key={key}
          className="row"
          style={{ position: 'absolute', width: '100%', transform: `translateY(${start - 40}px)` }}
        >
          <Row index={index} />
        </div>
      ))}
    </div>
  )
}

const WindowRow = ({ index, style, ariaAttributes }) => (
  <div style={style} {...ariaAttributes}>
    <Row index={index} />
  </div>
)

function Growing({ count, most, pause }) {
  const [shown, setShown] = useState(count)
  const busy = useRef(false)
  const more = async ({ currentTarget: box }) => {
    if (busy.current || shown >= most || box.scrollTop + box.clientHeight < box.scrollHeight - 5) return
    busy.current = true
    await fetch(`/more?from=${shown}`)
    busy.current = false
    setShown((now) => Math.min(most, now + 20))
  }
  return (
    <ul className="box" id="box" aria-label="Feed" onScroll={more}>
      {names(shown).map((name, index) => (
        <li key={index} className="row">
          {name}
        </li>
      ))}
    </ul>
  )
}

const render = (element) => createRoot(app).render(element)

/** A list of one's own: spacers above and below, or one moved block. */
function own(count, kind) {
  app.innerHTML = `<div class="box" id="box" tabindex="0"><div id="inner"></div></div>`
  const box = app.querySelector('#box')
  const inner = app.querySelector('#inner')
  const draw = () => {
    const from = Math.max(0, Math.floor(box.scrollTop / 30) - 3)
    const to = Math.min(count, from + 20)
    const rows = names(count)
      .slice(from, to)
      .map((name) => `<div class="row">${name} <button>Edit</button></div>`)
      .join('')
    if (kind === 'spacers')
      inner.innerHTML = `<div style="height:${from * 30}px"></div>${rows}<div style="height:${(count - to) * 30}px"></div>`
    else
      inner.innerHTML = `<div style="height:${count * 30}px"><div style="transform:translateY(${from * 30}px)">${rows}</div></div>`
  }
  box.addEventListener('scroll', draw)
  draw()
}

const kinds = {
  tanstack: (count) => render(<TanStack count={count} />),
  'tanstack-dynamic': (count) => render(<TanStack count={count} dynamic />),
  'tanstack-window': (count) => render(<TanStackWindow count={count} />),
  'react-window': (count) =>
    render(
      <List
        id="box"
        style={{ height: 400, width: 500 }}
        rowComponent={WindowRow}
        rowCount={count}
        rowHeight={30}
        rowProps={{}}
      />,
    ),
  virtuoso: (count) =>
    render(
      <Virtuoso
        id="box"
        style={{ height: 400, width: 500 }}
        totalCount={count}
        itemContent={(index) => (
          <div style={{ minHeight: heightOf(index) }}>
            <Row index={index} />
          </div>
        )}
      />,
    ),
  'virtuoso-table': (count) =>
    render(
      <TableVirtuoso
        id="box"
        style={{ height: 400, width: 500 }}
        totalCount={count}
        fixedHeaderContent={() => (
          <tr>
            <th>Name</th>
            <th>City</th>
          </tr>
        )}
        itemContent={(index) => (
          <>
            <td>{nameOf(index)}</td>
            <td>{cityOf(index)}</td>
          </>
        )}
      />,
    ),
  'ag-grid': (count) => {
    app.innerHTML = '<div id="grid" style="height: 400px; width: 500px"></div>'
    createGrid(app.firstElementChild, {
      theme: themeQuartz.withParams({ fontFamily: 'sans-serif' }),
      columnDefs: [{ field: 'id', pinned: 'left', width: 90 }, { field: 'name' }, { field: 'city' }],
      rowData: names(count).map((name, id) => ({ id, name, city: cityOf(id) })),
    })
  },
  clusterize: (count) => {
    app.innerHTML =
      '<div class="box" id="box"><table><tbody id="rows" class="clusterize-content"></tbody></table></div>'
    new Clusterize({
      rows: names(count).map((name, id) => `<tr class="row"><td>${name}</td><td>${cityOf(id)}</td></tr>`),
      scrollElem: app.querySelector('#box'),
      contentElem: app.querySelector('#rows'),
    })
  },
  spacers: (count) => own(count, 'spacers'),
  moved: (count) => own(count, 'moved'),
  growing: (count) => render(<Growing count={20} most={count} />),
  postponed: (count) => {
    app.innerHTML = `<div class="box" id="box">${names(count)
      .map((name) => `<div class="row" style="content-visibility:auto;contain-intrinsic-size:auto 30px">${name}</div>`)
      .join('')}</div>`
  },
}

window.fixture = {
  draw(kind, count) {
    kinds[kind](count)
  },
  names,
  pressed,
}
document.documentElement.dataset.ready = ''
