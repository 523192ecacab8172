// Small applications of UI libraries of React, as in `places.js`.
import { createRoot } from 'react-dom/client'
import { List, Dropdown as RsDropdown, Avatar as RsAvatar } from 'rsuite'
import {
  Button as BpButton,
  Card as BpCard,
  Menu as BpMenu,
  MenuItem as BpMenuItem,
  Popover as BpPopover,
  Switch as BpSwitch,
} from '@blueprintjs/core'
import {
  ListGroup,
  Dropdown as BsDropdown,
  Card as BsCard,
  CloseButton,
  Modal as BsModal,
  Button as BsButton,
} from 'react-bootstrap'
import { List as TdList, Popconfirm, Button as TdButton } from 'tdesign-react'
import { Avatar, Card, ChakraProvider, IconButton, Menu, Portal, defaultSystem } from '@chakra-ui/react'
import * as Fluent from '@fluentui/react-components'
import { Box, DropButton, Grommet, List as GList, Text } from 'grommet'

const names = ['Ann Miller', 'Bo Chen', 'Cid Ray']
const initials = (name) => name.replace(/[^A-Z]/g, '')

export const apps = {
  rsuite: {
    app: () => (
      <List>
        {names.map((name) => (
          <List.Item key={name}>
            <RsAvatar circle>{initials(name)}</RsAvatar>
            <span>{name}</span>
            <RsDropdown title="⋯" noCaret toggleClassName="more">
              <RsDropdown.Item className="it">Edit</RsDropdown.Item>
              <RsDropdown.Item className="it">Void</RsDropdown.Item>
            </RsDropdown>
          </List.Item>
        ))}
      </List>
    ),
    wait: '.more',
    press: ['.more:nth(1)'],
    says: { '.more': names, '.it': ['Bo Chen', 'Bo Chen'] },
  },
  blueprint: {
    app: () =>
      names.map((name) => (
        <BpCard key={name}>
          <h5>{name}</h5>
          <BpSwitch className="sw" label="Active" />
          <BpPopover
            transitionDuration={0}
            content={
              <BpMenu>
                <BpMenuItem className="it" text="Rename" />
                <BpMenuItem className="it" text="Discontinue" />
              </BpMenu>
            }
          >
            <BpButton className="more" text="⋯" />
          </BpPopover>
        </BpCard>
      )),
    wait: '.more',
    press: ['.more:nth(2)'],
    says: { '.more': names, '.sw input': names, '[role=menuitem].it': ['Cid Ray', 'Cid Ray'] },
  },
  'react-bootstrap': {
    app: () => (
      <ListGroup>
        {names.map((name) => (
          <ListGroup.Item key={name}>
            <div>{name}</div>
            <BsDropdown>
              <BsDropdown.Toggle className="more">Actions</BsDropdown.Toggle>
              <BsDropdown.Menu>
                <BsDropdown.Item className="it">Archive</BsDropdown.Item>
                <BsDropdown.Item className="it">Delete</BsDropdown.Item>
              </BsDropdown.Menu>
            </BsDropdown>
            <CloseButton className="close" />
          </ListGroup.Item>
        ))}
      </ListGroup>
    ),
    wait: '.more',
    press: ['.more:nth(0)'],
    says: { '.more': names, '.close': names, '.show .it': ['Ann Miller', 'Ann Miller'] },
  },
  'react-bootstrap modal': {
    app: () => (
      <>
        <h1>Customers</h1>
        {names.map((name) => (
          <BsCard key={name}>
            <BsCard.Body>
              <BsCard.Title>{name}</BsCard.Title>
              <BsButton className="pay">Pay</BsButton>
            </BsCard.Body>
          </BsCard>
        ))}
        <BsModal show animation={false}>
          <BsModal.Header closeButton>
            <BsModal.Title>Pay invoice 42</BsModal.Title>
          </BsModal.Header>
          <BsModal.Body>To Umbrella</BsModal.Body>
          <BsModal.Footer>
            <BsButton className="no">Cancel</BsButton>
            <BsButton className="yes">Pay</BsButton>
          </BsModal.Footer>
        </BsModal>
      </>
    ),
    wait: '.yes',
    says: { '.no': ['Pay invoice 42'], '.yes': ['Pay invoice 42'] },
  },
  tdesign: {
    app: () => (
      <TdList>
        {names.map((name) => (
          <TdList.ListItem
            key={name}
            action={
              <>
                <Popconfirm content="Are you sure?" popupProps={{ overlayClassName: 'sure' }}>
                  <TdButton className="del">Delete</TdButton>
                </Popconfirm>
              </>
            }
          >
            <TdList.ListItemMeta title={name} description="Member" />
          </TdList.ListItem>
        ))}
      </TdList>
    ),
    wait: '.del',
    press: ['.del:nth(1)'],
    says: { '.del': names, '.sure .t-popconfirm__confirm': ['Bo Chen'] },
  },
  chakra: {
    app: () => (
      <ChakraProvider value={defaultSystem}>
        {names.map((name) => (
          <Card.Root key={name}>
            <Card.Body>
              <Avatar.Root>
                <Avatar.Fallback name={name} />
              </Avatar.Root>
              <Card.Title>{name}</Card.Title>
              <IconButton className="star">☆</IconButton>
              <Menu.Root lazyMount unmountOnExit>
                <Menu.Trigger asChild>
                  <IconButton className="more">⋮</IconButton>
                </Menu.Trigger>
                <Portal>
                  <Menu.Positioner>
                    <Menu.Content>
                      <Menu.Item className="it" value="a">
                        Rename
                      </Menu.Item>
                      <Menu.Item className="it" value="b">
                        Remove
                      </Menu.Item>
                    </Menu.Content>
                  </Menu.Positioner>
                </Portal>
              </Menu.Root>
            </Card.Body>
          </Card.Root>
        ))}
      </ChakraProvider>
    ),
    wait: '.more',
    press: ['.more:nth(1)'],
    says: { '.star': names, '.it': ['Bo Chen', 'Bo Chen'] },
  },
  fluent: {
    app: () => (
      <Fluent.FluentProvider theme={Fluent.webLightTheme}>
        {names.map((name) => (
          <div key={name} style={{ display: 'flex' }}>
            <Fluent.Persona name={name} secondaryText="Away" />
            <Fluent.Button className="x" icon={<svg width="9" height="9" />} />
            <Fluent.Menu>
              <Fluent.MenuTrigger disableButtonEnhancement>
                <Fluent.Button className="more">…</Fluent.Button>
              </Fluent.MenuTrigger>
              <Fluent.MenuPopover>
                <Fluent.MenuList>
                  <Fluent.MenuItem className="it">Mute</Fluent.MenuItem>
                  <Fluent.MenuItem className="it">Block</Fluent.MenuItem>
                </Fluent.MenuList>
              </Fluent.MenuPopover>
            </Fluent.Menu>
          </div>
        ))}
      </Fluent.FluentProvider>
    ),
    wait: '.more',
    press: ['.more:nth(2)'],
    says: { '.x': names, '.it': ['Cid Ray', 'Cid Ray'] },
  },
  grommet: {
    app: () => (
      <Grommet>
        <GList
          data={names}
          action={(name) => (
            <DropButton
              key={name}
              className="more"
              label="⋯"
              dropContent={
                <Box>
                  <Box className="it" onClick={() => {}}>
                    Promote
                  </Box>
                  <Box className="it" onClick={() => {}}>
                    Expel
                  </Box>
                </Box>
              }
            />
          )}
        >
          {(name) => <Text>{name}</Text>}
        </GList>
      </Grommet>
    ),
    wait: '.more',
    press: ['.more:nth(0)'],
    says: { '.more': names, '.it': ['Ann Miller', 'Ann Miller'] },
  },
}

let mounted
window.showApp = (name) => {
  mounted?.unmount()
  const root = document.querySelector('#app')
  root.replaceChildren()
  for (const rest of [...document.body.children]) if (rest !== root && rest.localName !== 'script') rest.remove()
  mounted = createRoot(root.appendChild(document.createElement('main')))
  const App = apps[name].app
  mounted.render(<App />)
}
window.apps = Object.fromEntries(
  Object.entries(apps).map(([name, { wait, press, says }]) => [name, { wait, press, says }]),
)
document.documentElement.dataset.ready = ''
