// assistant-ui: its starter, whose source its command line copies into a project from a registry that is not npm. The
// parts are those of the npm packages; structure, measures and colours are those that its documentation shows. Not here:
// attachments, branches and editing, which no state shows.
import './assistant-ui.css'
import '@assistant-ui/react-markdown/styles/dot.css'
import {
  ActionBarPrimitive,
  AssistantModalPrimitive,
  AssistantRuntimeProvider,
  AuiConfig,
  AuiIf,
  AuiProvider,
  ComposerPrimitive,
  ErrorPrimitive,
  MessagePrimitive,
  SuggestionPrimitive,
  Suggestions,
  ThreadPrimitive,
  groupPartByType,
  useAui,
  useAuiState,
  useLocalRuntime,
} from '@assistant-ui/react'
import { MarkdownTextPrimitive, useIsMarkdownCodeBlock } from '@assistant-ui/react-markdown'
import {
  ArrowDownIcon,
  ArrowUpIcon,
  BotIcon,
  ChevronDownIcon,
  CopyIcon,
  LoaderIcon,
  MoreHorizontalIcon,
  PencilIcon,
  PlusIcon,
  RefreshCwIcon,
  SquareIcon,
} from 'lucide-react'
import { useState } from 'react'
import { createRoot } from 'react-dom/client'
import remarkGfm from 'remark-gfm'

const { endpoint, texts, call, isPhone } = globalThis.looks

/** The model of its documented LocalRuntime: what the scripted server sends, as parts of a message. */
const model = {
  async *run({ messages, abortSignal }) {
    let result
    do {
      const response = await fetch(`${endpoint}/plain`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ say: textOf(messages.at(-1)), hasResult: result !== undefined }),
        signal: abortSignal,
      })
      // What its AI SDK runtime shows for every fault of a server.
      if (!response.ok) throw new Error('An error occurred.')
      let text = ''
      let asked
      for await (const event of eventsOf(response.body)) {
        if (event.call)
          asked = { type: 'tool-call', toolCallId: 'call_1', toolName: 'find_orders', ...callParts(event.call) }
        else text += event.text
        yield {
          content: [...(result ? [result] : []), ...(asked ? [asked] : []), ...(text ? [{ type: 'text', text }] : [])],
        }
      }
      if (!asked) return
      result = { ...asked, result: await call(asked.args) }
      yield { content: [result] }
    } while (true)
  },
}

const textOf = ({ content }) => content.map((part) => part.text ?? '').join('')
const callParts = (args) => ({ args, argsText: JSON.stringify(args, null, 2) })

async function* eventsOf(body) {
  let rest = ''
  for await (const piece of body.pipeThrough(new TextDecoderStream())) {
    const events = (rest + piece).split('\n\n')
    rest = events.pop()
    for (const event of events) yield JSON.parse(event.slice('data: '.length))
  }
}

const IconButton = ({ label, className = '', ...props }) => (
  <button type="button" aria-label={label} className={`icon-button ${className}`} {...props} />
)

function CodeHeader({ language }) {
  return (
    <div className="code-header">
      <span>{language}</span>
      <IconButton label="Copy">
        <CopyIcon />
      </IconButton>
    </div>
  )
}

function Code(props) {
  return <code {...props} className={useIsMarkdownCodeBlock() ? props.className : 'inline-code'} />
}

const Markdown = () => (
  <MarkdownTextPrimitive remarkPlugins={[remarkGfm]} className="aui-md" components={{ CodeHeader, code: Code }} />
)

function ToolGroup({ part, children }) {
  const [isOpen, setOpen] = useState(false)
  const isRunning = part.status.type === 'running'
  return (
    <div>
      <button type="button" className="tool-group" onClick={() => setOpen(!isOpen)}>
        {isRunning && <LoaderIcon className="spin" />}
        <span>
          {part.indices.length} tool {part.indices.length === 1 ? 'call' : 'calls'}
        </span>
        <ChevronDownIcon className={isOpen ? '' : 'closed'} />
      </button>
      {isOpen && children}
    </div>
  )
}

function AssistantMessage() {
  return (
    <MessagePrimitive.Root className="assistant-message" data-role="assistant">
      <div className="assistant-content">
        <MessagePrimitive.GroupedParts groupBy={groupPartByType({ 'tool-call': ['group-tool'] })}>
          {({ part, children }) => {
            if (part.type === 'group-tool') return <ToolGroup part={part}>{children}</ToolGroup>
            if (part.type === 'text') return <Markdown />
            if (part.type === 'tool-call') return <p className="tool">Used tool: {part.toolName}</p>
            return part.type === 'indicator' ? <span className="indicator">{'●'}</span> : null
          }}
        </MessagePrimitive.GroupedParts>
        <MessagePrimitive.Error>
          <ErrorPrimitive.Root className="message-error">
            <ErrorPrimitive.Message />
          </ErrorPrimitive.Root>
        </MessagePrimitive.Error>
      </div>
      <div className="assistant-footer">
        <ActionBarPrimitive.Root hideWhenRunning autohide="not-last" className="action-bar">
          <ActionBarPrimitive.Copy asChild>
            <IconButton label="Copy">
              <CopyIcon />
            </IconButton>
          </ActionBarPrimitive.Copy>
          <ActionBarPrimitive.Reload asChild>
            <IconButton label="Refresh">
              <RefreshCwIcon />
            </IconButton>
          </ActionBarPrimitive.Reload>
          <IconButton label="More">
            <MoreHorizontalIcon />
          </IconButton>
        </ActionBarPrimitive.Root>
      </div>
    </MessagePrimitive.Root>
  )
}

function UserMessage() {
  return (
    <MessagePrimitive.Root className="user-message" data-role="user">
      <div className="user-wrapper">
        <div className="user-content">
          <MessagePrimitive.Parts />
        </div>
        <div className="user-actions">
          <ActionBarPrimitive.Root hideWhenRunning autohide="not-last">
            <ActionBarPrimitive.Edit asChild>
              <IconButton label="Edit">
                <PencilIcon />
              </IconButton>
            </ActionBarPrimitive.Edit>
          </ActionBarPrimitive.Root>
        </div>
      </div>
    </MessagePrimitive.Root>
  )
}

function Composer() {
  return (
    <ComposerPrimitive.Root className="composer">
      <div className="composer-shell">
        <ComposerPrimitive.Input
          placeholder="Send a message..."
          className="composer-input"
          rows={1}
          autoFocus
          aria-label="Message input"
        />
        <div className="composer-actions">
          <IconButton label="Add attachment" className="round">
            <PlusIcon />
          </IconButton>
          <AuiIf condition={(s) => !s.thread.isRunning}>
            <ComposerPrimitive.Send asChild>
              <IconButton label="Send message" className="round primary">
                <ArrowUpIcon />
              </IconButton>
            </ComposerPrimitive.Send>
          </AuiIf>
          <AuiIf condition={(s) => s.thread.isRunning}>
            <ComposerPrimitive.Cancel asChild>
              <IconButton label="Stop generating" className="round primary">
                <SquareIcon className="stop" />
              </IconButton>
            </ComposerPrimitive.Cancel>
          </AuiIf>
        </div>
      </div>
    </ComposerPrimitive.Root>
  )
}

function Thread() {
  const isEmpty = useAuiState((s) => s.thread.messages.length === 0)
  const isUntouched = useAuiState((s) => s.thread.messages.length === 0 && s.composer.isEmpty)
  return (
    <ThreadPrimitive.Root className="thread">
      <ThreadPrimitive.Viewport turnAnchor="top" className="viewport">
        <div className={isEmpty ? 'column empty' : 'column'}>
          {isEmpty && <h1 className="welcome">{texts.greeting}</h1>}
          <div className="messages">
            <ThreadPrimitive.Messages>
              {({ message }) => (message.role === 'user' ? <UserMessage /> : <AssistantMessage />)}
            </ThreadPrimitive.Messages>
          </div>
          <ThreadPrimitive.ViewportFooter className={isEmpty ? 'footer' : 'footer docked'}>
            <ThreadPrimitive.ScrollToBottom asChild>
              <IconButton label="Scroll to bottom" className="to-bottom">
                <ArrowDownIcon />
              </IconButton>
            </ThreadPrimitive.ScrollToBottom>
            <Composer />
            {isUntouched && (
              <div className="suggestions">
                <ThreadPrimitive.Suggestions>
                  {() => (
                    <SuggestionPrimitive.Trigger send className="suggestion">
                      <SuggestionPrimitive.Title />
                    </SuggestionPrimitive.Trigger>
                  )}
                </ThreadPrimitive.Suggestions>
              </div>
            )}
          </ThreadPrimitive.ViewportFooter>
        </div>
      </ThreadPrimitive.Viewport>
    </ThreadPrimitive.Root>
  )
}

const ThreadWithSuggestions = () => (
  <AuiProvider
    extends={useAui()}
    config={AuiConfig({
      suggestions: Suggestions(texts.suggestions.map((text) => ({ title: text, label: '', prompt: text }))),
    })}
  >
    <Thread />
  </AuiProvider>
)

/** Its documented chat popup. */
const Popup = () => (
  <AssistantModalPrimitive.Root defaultOpen>
    <AssistantModalPrimitive.Anchor className="aui modal-anchor">
      <AssistantModalPrimitive.Trigger asChild>
        <IconButton label="Close Assistant" className="modal-button primary">
          <ChevronDownIcon className="open-icon" />
          <BotIcon className="closed-icon" />
        </IconButton>
      </AssistantModalPrimitive.Trigger>
    </AssistantModalPrimitive.Anchor>
    <AssistantModalPrimitive.Content sideOffset={16} className="aui modal" data-looks-panel="">
      <ThreadWithSuggestions />
    </AssistantModalPrimitive.Content>
  </AssistantModalPrimitive.Root>
)

/** On a phone, the whole page is the thread, as in its first example. */
const Page = () => (
  <div className="aui page" data-looks-panel="">
    <ThreadWithSuggestions />
  </div>
)

function Assistant() {
  return (
    <AssistantRuntimeProvider runtime={useLocalRuntime(model)}>
      {isPhone ? <Page /> : <Popup />}
    </AssistantRuntimeProvider>
  )
}

const place = document.createElement('div')
document.body.append(place)
createRoot(place).render(<Assistant />)
