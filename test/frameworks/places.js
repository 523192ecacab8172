// Small applications of UI libraries that write plain elements: rows, cards, menus and questions, with the places that a
// person would say of their controls. `says`: for each selector, the places of what it finds, in order.
import { TabulatorFull as Tabulator } from 'tabulator-tables'
import { Grid, html } from 'gridjs'
import DataTable from 'datatables.net'
import { Calendar } from '@fullcalendar/core'
import listPlugin from '@fullcalendar/list'
import Swal from 'sweetalert2'
import tippy from 'tippy.js'
import UIkit from 'uikit'
import '@shoelace-style/shoelace/dist/components/card/card.js'
import '@shoelace-style/shoelace/dist/components/avatar/avatar.js'
import '@shoelace-style/shoelace/dist/components/dropdown/dropdown.js'
import '@shoelace-style/shoelace/dist/components/menu/menu.js'
import '@shoelace-style/shoelace/dist/components/menu-item/menu-item.js'
import '@shoelace-style/shoelace/dist/components/button/button.js'
import '@vaadin/grid/vaadin-grid.js'
import '@vaadin/menu-bar'
import { createApp, h } from 'vue'
import { ActionSheet, Cell, CellGroup, Switch } from 'vant'

const people = [
  { id: 1, name: 'Ann Miller', team: 'Sales' },
  { id: 2, name: 'Bo Chen', team: 'Sales' },
  { id: 3, name: 'Cid Ray', team: 'Support' },
]
const names = people.map(({ name }) => name)
const make = (root, markup) => {
  root.innerHTML = markup
  return root
}
const vue = (render) => (root) => createApp({ setup: () => render }).mount(root)

export const apps = {
  tabulator: {
    mount: (root) =>
      new Tabulator(make(root, '<div></div>').firstChild, {
        data: people,
        layout: 'fitColumns',
        columns: [
          { title: 'No', field: 'id', width: 50 },
          { title: 'Name', field: 'name' },
          { title: 'Team', field: 'team' },
          { formatter: () => '<span class="edit" style="cursor:pointer">✎</span> <button class="del">🗑</button>' },
        ],
      }),
    wait: '.del',
    says: { '.edit': names, '.del': names },
  },
  gridjs: {
    mount: (root) =>
      new Grid({
        columns: [
          'Team',
          'Name',
          { name: '', formatter: () => html('<button class="pay">Pay</button> <a class="more" tabindex="0">⋯</a>') },
        ],
        data: people.map(({ team, name }) => [team, name, null]),
      }).render(make(root, '<div></div>').firstChild),
    wait: '.pay',
    says: { '.pay': names, '.more': names },
  },
  datatables: {
    mount: (root) =>
      new DataTable(make(root, '<table><thead><tr><th>No<th>Name<th></tr></thead></table>').firstChild, {
        data: people,
        columns: [
          { data: 'id' },
          { data: 'name' },
          {
            data: null,
            render: () =>
              '<button class="del">Delete</button><button class="x"><svg width="9" height="9"></svg></button>',
          },
        ],
      }),
    wait: '.del',
    says: { '.del': names, '.x': names },
  },
  fullcalendar: {
    mount: (root) =>
      new Calendar(make(root, '<div></div>').firstChild, {
        plugins: [listPlugin],
        initialView: 'listMonth',
        initialDate: '2026-03-01',
        events: [
          { title: 'Board meeting', start: '2026-03-03' },
          { title: 'Dentist', start: '2026-03-03T10:00:00' },
          { title: 'Holiday', start: '2026-03-09' },
        ],
        eventContent: ({ event }) => ({
          html: `<span>${event.title}</span> <span class="del" style="cursor:pointer">✕</span>`,
        }),
      }).render(),
    wait: '.del',
    says: { '.del': ['Board meeting', 'Dentist', 'Holiday'] },
  },
  sweetalert2: {
    mount(root) {
      make(
        root,
        names
          .map(
            (name) =>
              `<div style="display:flex"><div>${name}</div><span class="del" style="cursor:pointer">🗑</span></div>`,
          )
          .join(''),
      )
      for (const one of root.querySelectorAll('.del'))
        one.addEventListener(
          'click',
          () =>
            void Swal.fire({
              text: 'Are you sure?',
              showCancelButton: true,
              animation: false,
              showClass: { popup: '' },
            }),
        )
    },
    wait: '.del',
    press: ['.del:nth(1)'],
    says: { '.swal2-confirm': ['Bo Chen'], '.swal2-cancel': ['Bo Chen'] },
  },
  tippy: {
    mount(root) {
      make(
        root,
        names
          .map((name) => `<div style="display:flex"><div>${name}</div><button class="more">⋯</button></div>`)
          .join(''),
      )
      tippy(root.querySelectorAll('.more'), {
        content:
          '<div class="it" style="cursor:pointer">Rename</div><div class="it" style="cursor:pointer">Discontinue</div>',
        allowHTML: true,
        interactive: true,
        trigger: 'click',
        duration: 0,
        appendTo: () => document.body,
      })
    },
    wait: '.more',
    press: ['.more:nth(2)'],
    says: { '.it': ['Cid Ray', 'Cid Ray'], '.more': names },
  },
  uikit: {
    mount: (root) =>
      make(
        root,
        `<div class="uk-grid" uk-grid>${names.map((name) => `<div><div class="uk-card uk-card-body"><div class="uk-card-badge">new</div><h3 class="uk-card-title">${name}</h3><p>Works here</p><button class="menu">☰</button><div uk-dropdown="mode: click; animation: false; duration: 0"><div class="it" style="cursor:pointer">Remove</div></div></div></div>`).join('')}</div>`,
      ) && UIkit.update(root),
    wait: '.uk-dropdown',
    press: ['.menu:nth(0)'],
    says: { '.menu': names, '.it:nth(0)': ['Ann Miller'] },
  },
  shoelace: {
    mount: (root) =>
      make(
        root,
        names
          .map(
            (name) =>
              `<sl-card><div slot="header"><sl-avatar initials="${name.slice(0, 2)}"></sl-avatar> ${name}</div><sl-dropdown><sl-button slot="trigger" class="more">⋯</sl-button><sl-menu><sl-menu-item>Edit</sl-menu-item><sl-menu-item>Void</sl-menu-item></sl-menu></sl-dropdown></sl-card>`,
          )
          .join(''),
      ),
    wait: 'sl-dropdown',
    press: ['.more:nth(1) >> button'],
    says: { '.more >> button': names, 'sl-dropdown[open] sl-menu-item': ['Bo Chen', 'Bo Chen'] },
  },
  'vaadin grid': {
    mount(root) {
      make(
        root,
        '<vaadin-grid all-rows-visible><vaadin-grid-column path="id"></vaadin-grid-column><vaadin-grid-column path="name"></vaadin-grid-column><vaadin-grid-column class="acts"></vaadin-grid-column></vaadin-grid>',
      )
      root.querySelector('.acts').renderer = (cell) => {
        cell.innerHTML = '<button class="edit">✎</button><button class="del">🗑</button>'
      }
      root.firstChild.items = people
    },
    wait: 'vaadin-grid-cell-content:has-text("Cid Ray"):visible',
    says: { '.edit': names, '.del': names },
  },
  'vaadin menu bar': {
    mount(root) {
      make(
        root,
        names
          .map((name) => `<div style="display:flex"><div>${name}</div><vaadin-menu-bar></vaadin-menu-bar></div>`)
          .join(''),
      )
      for (const bar of root.querySelectorAll('vaadin-menu-bar'))
        bar.items = [{ text: '⋯', children: [{ text: 'Share' }, { text: 'Archive' }] }]
    },
    wait: 'vaadin-menu-bar-button',
    press: ['vaadin-menu-bar-button[tabindex="0"]:nth(1)'],
    says: { 'vaadin-menu-bar-item': ['Bo Chen', 'Bo Chen'] },
  },
  vant: {
    mount: vue(() =>
      h(CellGroup, { title: 'Notifications' }, () =>
        ['Mentions', 'Replies', 'News'].map((title) =>
          h(
            Cell,
            { title, center: true, label: 'By mail' },
            { 'right-icon': () => h(Switch, { modelValue: title === 'News' }) },
          ),
        ),
      ),
    ),
    wait: '.van-switch',
    says: { '.van-switch': ['Mentions', 'Replies', 'News'] },
  },
  'vant sheet': {
    mount: vue(() =>
      h('div', [
        h('h2', 'Orders'),
        h(ActionSheet, {
          show: true,
          title: 'Order 1002',
          teleport: 'body',
          duration: 0,
          actions: [{ name: 'Refund' }, { name: 'Ship' }],
        }),
      ]),
    ),
    wait: '.van-action-sheet__item',
    says: { '.van-action-sheet__item': ['Order 1002', 'Order 1002'] },
  },
}

window.showApp = (name) => {
  const root = document.querySelector('#app')
  root.replaceChildren()
  // What the dialog of another application has hidden.
  for (const one of [root, document.body]) for (const hides of ['aria-hidden', 'inert']) one.removeAttribute(hides)
  for (const rest of [...document.body.children]) if (rest !== root && rest.localName !== 'script') rest.remove()
  apps[name].mount(root.appendChild(document.createElement('main')))
}
window.apps = Object.fromEntries(
  Object.entries(apps).map(([name, { wait, press, says }]) => [name, { wait, press, says }]),
)
document.documentElement.dataset.ready = ''
