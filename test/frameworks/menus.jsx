// Menus, lists and popovers of the component libraries, each with a button that opens it and an option that notes that
// it was chosen. `?in=shadow` draws them in a shadow root; what a library moves to the end of the document stays there.
import { createRoot } from 'react-dom/client'
import { useState } from 'react'
import * as Headless from '@headlessui/react'
import { Menu as MuiMenu, MenuItem, Select as MuiSelect, Button } from '@mui/material'
import * as RadixMenu from '@radix-ui/react-dropdown-menu'
import * as RadixPopover from '@radix-ui/react-popover'
import * as RadixSelect from '@radix-ui/react-select'
import * as Aria from 'react-aria-components'
import {
  FloatingFocusManager,
  FloatingPortal,
  useClick,
  useDismiss,
  useFloating,
  useInteractions,
  useRole,
} from '@floating-ui/react'
import $ from 'jquery'
import 'bootstrap/dist/js/bootstrap.esm.js'

window.jQuery = $
await import('jquery-ui/dist/jquery-ui.js')

window.chosen = []
const choose = (name) => () => window.chosen.push(name)

function Radix() {
  return (
    <>
      <RadixMenu.Root>
        <RadixMenu.Trigger>Open Radix menu</RadixMenu.Trigger>
        <RadixMenu.Portal>
          <RadixMenu.Content>
            <RadixMenu.Item onSelect={choose('Radix menu')}>Choose Radix menu</RadixMenu.Item>
          </RadixMenu.Content>
        </RadixMenu.Portal>
      </RadixMenu.Root>
      <RadixMenu.Root modal={false}>
        <RadixMenu.Trigger>Open loose Radix menu</RadixMenu.Trigger>
        <RadixMenu.Content>
          <RadixMenu.Item onSelect={choose('loose Radix menu')}>Choose loose Radix menu</RadixMenu.Item>
        </RadixMenu.Content>
      </RadixMenu.Root>
      <RadixPopover.Root>
        <RadixPopover.Trigger>Open Radix popover</RadixPopover.Trigger>
        <RadixPopover.Portal>
          <RadixPopover.Content>
            <button onClick={choose('Radix popover')}>Choose Radix popover</button>
          </RadixPopover.Content>
        </RadixPopover.Portal>
      </RadixPopover.Root>
      <RadixSelect.Root onValueChange={choose('Radix select')}>
        <RadixSelect.Trigger aria-label="Open Radix select">
          <RadixSelect.Value placeholder="Open Radix select" />
        </RadixSelect.Trigger>
        <RadixSelect.Portal>
          <RadixSelect.Content>
            <RadixSelect.Viewport>
              <RadixSelect.Item value="1">
                <RadixSelect.ItemText>Choose Radix select</RadixSelect.ItemText>
              </RadixSelect.Item>
            </RadixSelect.Viewport>
          </RadixSelect.Content>
        </RadixSelect.Portal>
      </RadixSelect.Root>
    </>
  )
}

function HeadlessUi() {
  return (
    <>
      <Headless.Menu>
        <Headless.MenuButton>Open Headless menu</Headless.MenuButton>
        <Headless.MenuItems anchor="bottom">
          <Headless.MenuItem>
            <button onClick={choose('Headless menu')}>Choose Headless menu</button>
          </Headless.MenuItem>
        </Headless.MenuItems>
      </Headless.Menu>
      <Headless.Listbox onChange={choose('Headless list')}>
        <Headless.ListboxButton>Open Headless list</Headless.ListboxButton>
        <Headless.ListboxOptions>
          <Headless.ListboxOption value="1">Choose Headless list</Headless.ListboxOption>
        </Headless.ListboxOptions>
      </Headless.Listbox>
      <Headless.Popover>
        <Headless.PopoverButton>Open Headless popover</Headless.PopoverButton>
        <Headless.PopoverPanel focus>
          <button onClick={choose('Headless popover')}>Choose Headless popover</button>
        </Headless.PopoverPanel>
      </Headless.Popover>
    </>
  )
}

function Mui() {
  const [anchor, setAnchor] = useState(null)
  return (
    <>
      <Button onClick={(event) => setAnchor(event.currentTarget)}>Open Mui menu</Button>
      <MuiMenu anchorEl={anchor} open={anchor !== null} onClose={() => setAnchor(null)}>
        <MenuItem
          onClick={() => {
            choose('Mui menu')()
            setAnchor(null)
          }}
        >
          Choose Mui menu
        </MenuItem>
      </MuiMenu>
      <MuiSelect
        displayEmpty
        value=""
        renderValue={() => 'Open Mui select'}
        onChange={choose('Mui select')}
        SelectDisplayProps={{ 'aria-label': 'Open Mui select' }}
      >
        <MenuItem value="1">Choose Mui select</MenuItem>
      </MuiSelect>
    </>
  )
}

function ReactAria() {
  return (
    <>
      <Aria.MenuTrigger>
        <Aria.Button>Open Aria menu</Aria.Button>
        <Aria.Popover>
          <Aria.Menu aria-label="Aria menu" onAction={choose('Aria menu')}>
            <Aria.MenuItem>Choose Aria menu</Aria.MenuItem>
          </Aria.Menu>
        </Aria.Popover>
      </Aria.MenuTrigger>
      <Aria.DialogTrigger>
        <Aria.Button>Open Aria popover</Aria.Button>
        <Aria.Popover isNonModal>
          <Aria.Dialog aria-label="Aria popover">
            <Aria.Button onPress={choose('Aria popover')}>Choose Aria popover</Aria.Button>
          </Aria.Dialog>
        </Aria.Popover>
      </Aria.DialogTrigger>
    </>
  )
}

function Floating({ name, outsidePressEvent }) {
  const [open, onOpenChange] = useState(false)
  const { refs, context, floatingStyles } = useFloating({ open, onOpenChange })
  const { getReferenceProps, getFloatingProps } = useInteractions([
    useClick(context),
    useRole(context),
    useDismiss(context, { outsidePressEvent }),
  ])
  return (
    <>
      <button ref={refs.setReference} {...getReferenceProps()}>
        Open {name}
      </button>
      {open && (
        <FloatingPortal>
          <FloatingFocusManager context={context} modal={false}>
            <div ref={refs.setFloating} style={floatingStyles} {...getFloatingProps()}>
              <button
                onClick={() => {
                  choose(name)()
                  onOpenChange(false)
                }}
              >
                Choose {name}
              </button>
            </div>
          </FloatingFocusManager>
        </FloatingPortal>
      )}
    </>
  )
}

const app = document.getElementById('app')
const isInShadow = new URLSearchParams(location.search).get('in') === 'shadow'
const root = isInShadow ? app.attachShadow({ mode: 'open' }) : app
const react = root.appendChild(document.createElement('div'))

createRoot(react).render(
  <>
    <Radix />
    <HeadlessUi />
    <Mui />
    <ReactAria />
    <Floating name="Floating menu" outsidePressEvent="pointerdown" />
    <Floating name="slow Floating menu" outsidePressEvent="click" />
  </>,
)

// The plugins of jQuery UI and Bootstrap do not look into shadow roots.
const plain = document.body.appendChild(document.createElement('div'))
$(plain).html(`<div class="dropdown">
    <button data-bs-toggle="dropdown">Open Bootstrap menu</button>
    <ul class="dropdown-menu" hidden><li><button class="dropdown-item">Choose Bootstrap menu</button></li></ul>
  </div>
  <label>Open jQuery list <select id="pick"><option>none</option><option>Choose jQuery list</option></select></label>`)
$('.dropdown')
  .on('shown.bs.dropdown', () => $('.dropdown-menu').prop('hidden', false))
  .on('hidden.bs.dropdown', () => $('.dropdown-menu').prop('hidden', true))
$('.dropdown-item').on('click', choose('Bootstrap menu'))
$('#pick').selectmenu({ change: choose('jQuery list') })
document.documentElement.dataset.ready = ''
