// Lists, boards and sliders that are moved by dragging, made by the libraries that people use for it. Each is drawn by
// name; `fixture.state()` is what the library or its handlers say.
import { DndContext, PointerSensor, closestCenter, useSensor, useSensors } from '@dnd-kit/core'
import { SortableContext, arrayMove, useSortable, verticalListSortingStrategy } from '@dnd-kit/sortable'
import { CSS } from '@dnd-kit/utilities'
import { DragDropContext, Draggable, Droppable } from '@hello-pangea/dnd'
import { GridStack } from 'gridstack'
import $ from 'jquery'
import noUiSlider from 'nouislider'
import { useState } from 'react'
import { DndProvider, useDrag, useDrop } from 'react-dnd'
import { HTML5Backend } from 'react-dnd-html5-backend'
import { createRoot } from 'react-dom/client'
import Sortable from 'sortablejs'

window.jQuery = $
await import('jquery-ui/dist/jquery-ui.js')

const app = document.querySelector('#app')
const style = document.createElement('style')
style.textContent = `
  body { font: 16px/1.5 sans-serif } ul, .list { width: 240px; min-height: 60px; margin: 0 0 12px; padding: 4px; background: #eee; list-style: none }
  li, .item { padding: 8px; margin: 4px 0; background: #fff; border: 1px solid #999 } .noUi-target { position: relative; width: 300px; height: 18px; margin: 40px; background: #ddd; touch-action: none }
  .noUi-base, .noUi-connects { position: relative; width: 100%; height: 100% } .noUi-origin { position: absolute; width: 100%; height: 10%; right: 0; top: 0; transform-origin: 0 0; transform-style: flat }
  .noUi-handle { position: absolute; width: 34px; height: 28px; right: -17px; top: -6px; background: #669 } .noUi-touch-area { width: 100%; height: 100% }
  .ui-slider { position: relative; width: 300px; height: 12px; margin: 30px; background: #ddd } .ui-slider-handle { position: absolute; width: 20px; height: 20px; margin-left: -10px; top: -5px; background: #669 }
  .grid-stack { position: relative; width: 600px; background: #eee } .grid-stack-item { position: absolute; width: 200px; height: 80px } .grid-stack-item-content { position: absolute; inset: 4px; background: #fff; border: 1px solid #999 }`
document.head.append(style)

const names = ['Apples', 'Bread', 'Cheese', 'Dates']
const rows = (all, tag = 'li') => all.map((name) => `<${tag} class="item">${name}</${tag}>`).join('')
const textsIn = (selector) => [...document.querySelectorAll(selector)].map((one) => one.textContent)
const listOf = (name) => textsIn(`[aria-label="${name}"] > *`)
let state = () => ({})

const twoLists = `<h2>Todo</h2><ul aria-label="Todo">${rows(names)}</ul><h2>Done</h2><ul aria-label="Done">${rows(['Eggs'])}</ul>`
const readLists = () => ({ todo: listOf('Todo'), done: listOf('Done') })

const render = (element) => createRoot(app).render(element)

function KitItem({ id }) {
  const { attributes, listeners, setNodeRef, transform, transition } = useSortable({ id })
  const moved = { transform: CSS.Transform.toString(transform), transition }
  return (
    <div ref={setNodeRef} className="item" style={moved} {...attributes} {...listeners}>
      {id}
    </div>
  )
}
function Kit({ constraint }) {
  const [items, setItems] = useState(names)
  const sensors = useSensors(useSensor(PointerSensor, { activationConstraint: constraint }))
  const end = ({ active, over }) => {
    if (over && active.id !== over.id) setItems((all) => arrayMove(all, all.indexOf(active.id), all.indexOf(over.id)))
  }
  return (
    <DndContext sensors={sensors} collisionDetection={closestCenter} onDragEnd={end}>
      <SortableContext items={items} strategy={verticalListSortingStrategy}>
        <div className="list" aria-label="Todo">
          {items.map((id) => (
            <KitItem key={id} id={id} />
          ))}
        </div>
      </SortableContext>
    </DndContext>
  )
}

function Pangea() {
  const [lists, setLists] = useState({ Todo: names, Done: ['Eggs'] })
  const end = ({ source, destination }) => {
    if (!destination) return
    setLists((now) => {
      const next = { Todo: [...now.Todo], Done: [...now.Done] }
      const [moved] = next[source.droppableId].splice(source.index, 1)
      next[destination.droppableId].splice(destination.index, 0, moved)
      return next
    })
  }
  return (
    <DragDropContext onDragEnd={end}>
      {Object.entries(lists).map(([name, items]) => (
        <Droppable droppableId={name} key={name}>
          {(list) => (
            <div ref={list.innerRef} {...list.droppableProps} className="list" role="list" aria-label={name}>
              {items.map((id, index) => (
                <Draggable draggableId={id} index={index} key={id}>
                  {(item) => (
                    <div ref={item.innerRef} {...item.draggableProps} {...item.dragHandleProps} className="item">
                      {id}
                    </div>
                  )}
                </Draggable>
              ))}
              {list.placeholder}
            </div>
          )}
        </Droppable>
      ))}
    </DragDropContext>
  )
}

function DndCard({ name }) {
  const [, ref] = useDrag(() => ({ type: 'card', item: { name } }))
  return (
    <div ref={ref} className="item">
      {name}
    </div>
  )
}
function DndColumn({ name, cards, onDrop }) {
  const [, ref] = useDrop(() => ({ accept: 'card', drop: (item) => onDrop(item.name, name) }))
  return (
    <div ref={ref} className="list" role="group" aria-label={name}>
      {cards.map((card) => (
        <DndCard key={card} name={card} />
      ))}
    </div>
  )
}
function Dnd() {
  const [places, setPlaces] = useState(() => Object.fromEntries(names.map((name) => [name, 'Todo'])))
  const drop = (card, column) => setPlaces((now) => ({ ...now, [card]: column }))
  return (
    <DndProvider backend={HTML5Backend}>
      {['Todo', 'Done'].map((name) => (
        <DndColumn key={name} name={name} cards={names.filter((card) => places[card] === name)} onDrop={drop} />
      ))}
    </DndProvider>
  )
}

function sortables(options) {
  app.innerHTML = twoLists
  for (const list of app.querySelectorAll('ul')) Sortable.create(list, { group: 'all', ...options })
  state = readLists
}

const kinds = {
  sortable: () => sortables({}),
  'sortable-animated': () => sortables({ animation: 150 }),
  'sortable-fallback': () => sortables({ forceFallback: true }),
  'sortable-delay': () => sortables({ forceFallback: true, delay: 300 }),
  'dnd-kit': () => {
    render(<Kit constraint={{ distance: 8 }} />)
    state = () => ({ todo: listOf('Todo') })
  },
  'dnd-kit-delay': () => {
    render(<Kit constraint={{ delay: 250, tolerance: 5 }} />)
    state = () => ({ todo: listOf('Todo') })
  },
  pangea: () => {
    render(<Pangea />)
    state = readLists
  },
  'react-dnd': () => {
    render(<Dnd />)
    state = readLists
  },
  'jquery-ui-sortable': () => {
    app.innerHTML = twoLists
    $('ul').sortable({ connectWith: 'ul' })
    state = readLists
  },
  'jquery-ui-draggable': () => {
    app.innerHTML =
      '<div id="card" class="item" style="width: 80px">Card</div><div id="bin" class="list" role="group" aria-label="Box"></div>'
    let dropped = 0
    $('#card').draggable()
    $('#bin').droppable({ drop: () => dropped++ })
    state = () => ({ dropped })
  },
  'jquery-ui-slider': () => {
    app.innerHTML = '<div id="slider"></div>'
    $('#slider').slider({ value: 20 })
    $('#slider .ui-slider-handle').attr({ role: 'slider', 'aria-label': 'Volume', 'aria-valuenow': 20 })
    state = () => ({ value: $('#slider').slider('value') })
  },
  nouislider: () => {
    app.innerHTML = '<div id="slider"></div>'
    const slider = document.querySelector('#slider')
    noUiSlider.create(slider, {
      start: 20,
      range: { min: 0, max: 100 },
      handleAttributes: [{ 'aria-label': 'Volume' }],
    })
    state = () => ({ value: Math.round(slider.noUiSlider.get(true)) })
  },
  gridstack: () => {
    app.innerHTML = `<div class="grid-stack">${['Chart', 'Table']
      .map(
        (name, at) =>
          `<div class="grid-stack-item" gs-x="${at * 4}" gs-y="0" gs-w="4" gs-h="1"><div class="grid-stack-item-content">${name}</div></div>`,
      )
      .join('')}</div>`
    const grid = GridStack.init({ cellHeight: 80, float: true, margin: 4 })
    state = () =>
      Object.fromEntries(
        grid.getGridItems().map((one) => [one.textContent, [one.gridstackNode.x, one.gridstackNode.y]]),
      )
  },
}

window.fixture = {
  draw(kind) {
    kinds[kind]()
  },
  state: () => state(),
}
document.documentElement.dataset.ready = ''
