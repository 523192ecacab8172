// Editors of rich text and of code, each with its own model of the document, which the page reads by its own methods.
import { createRoot } from 'react-dom/client'
import { useState } from 'react'

const app = document.getElementById('app')
let current

const kinds = {
  async plain() {
    app.innerHTML =
      '<div id="plain" role="textbox" aria-multiline="true" aria-label="Body" contenteditable="true"><p>First line here</p><p>Second line</p></div>'
    const box = app.firstChild
    return { text: () => box.innerText.replaceAll(/\n+/g, '\n'), html: () => box.innerHTML }
  },
  async prosemirror() {
    const { baseKeymap, toggleMark } = await import('@tiptap/pm/commands')
    const { history } = await import('@tiptap/pm/history')
    const { keymap } = await import('@tiptap/pm/keymap')
    const { DOMParser, DOMSerializer, Schema } = await import('@tiptap/pm/model')
    const { EditorState } = await import('@tiptap/pm/state')
    const { EditorView } = await import('@tiptap/pm/view')
    const schema = new Schema({
      nodes: {
        doc: { content: 'paragraph+' },
        paragraph: { content: 'text*', parseDOM: [{ tag: 'p' }], toDOM: () => ['p', 0] },
        text: {},
      },
      marks: { strong: { parseDOM: [{ tag: 'strong' }], toDOM: () => ['strong', 0] } },
    })
    const start = document.createElement('div')
    start.innerHTML = '<p>First line here</p><p>Second line</p>'
    const view = new EditorView(app, {
      state: EditorState.create({
        doc: DOMParser.fromSchema(schema).parse(start),
        plugins: [history(), keymap({ 'Mod-b': toggleMark(schema.marks.strong) }), keymap(baseKeymap)],
      }),
      attributes: { 'aria-label': 'Body', role: 'textbox' },
    })
    return {
      text: () => view.state.doc.textBetween(0, view.state.doc.content.size, '\n'),
      html: () => {
        const box = document.createElement('div')
        box.append(DOMSerializer.fromSchema(schema).serializeFragment(view.state.doc.content))
        return box.innerHTML
      },
    }
  },
  async tiptap() {
    const { Editor } = await import('@tiptap/core')
    const { default: StarterKit } = await import('@tiptap/starter-kit')
    app.innerHTML = '<button id="bold">Bold</button><button id="list">List</button><div id="tip"></div>'
    const editor = new Editor({
      element: document.getElementById('tip'),
      extensions: [StarterKit],
      content: '<p>First line here</p><p>Second line</p>',
      editorProps: { attributes: { 'aria-label': 'Body', role: 'textbox' } },
    })
    for (const id of ['bold', 'list'])
      document.getElementById(id).addEventListener('mousedown', (event) => event.preventDefault())
    document.getElementById('bold').onclick = () => editor.chain().focus().toggleBold().run()
    document.getElementById('list').onclick = () => editor.chain().focus().toggleBulletList().run()
    return { text: () => editor.getText({ blockSeparator: '\n' }), html: () => editor.getHTML() }
  },
  async lexical() {
    const { createEditor, $getRoot, $createParagraphNode, $createTextNode } = await import('lexical')
    const { registerRichText, HeadingNode, QuoteNode } = await import('@lexical/rich-text')
    const { ListNode, ListItemNode } = await import('@lexical/list')
    app.innerHTML = '<div id="lex" contenteditable="true" role="textbox" aria-label="Body"></div>'
    const editor = createEditor({
      namespace: 'test',
      nodes: [HeadingNode, QuoteNode, ListNode, ListItemNode],
      onError: (error) => (window.editorError = error),
    })
    editor.setRootElement(app.firstChild)
    registerRichText(editor)
    editor.update(
      () => {
        const root = $getRoot().clear()
        for (const text of ['First line here', 'Second line'])
          root.append($createParagraphNode().append($createTextNode(text)))
      },
      { discrete: true },
    )
    const read = (visit) => editor.getEditorState().read(() => visit($getRoot()))
    return {
      text: () =>
        read((root) =>
          root
            .getChildren()
            .map((child) => child.getTextContent())
            .join('\n'),
        ),
      html: () =>
        read((root) =>
          root
            .getAllTextNodes()
            .map((node) =>
              node.hasFormat('bold') ? `<strong>${node.getTextContent()}</strong>` : node.getTextContent(),
            )
            .join(''),
        ),
    }
  },
  async slate() {
    const { createEditor, Node, Editor, Text } = await import('slate')
    const { Slate, Editable, withReact } = await import('slate-react')
    const { withHistory } = await import('slate-history')
    const editor = withHistory(withReact(createEditor()))
    const first = ['First line here', 'Second line'].map((text) => ({ type: 'paragraph', children: [{ text }] }))
    const toggle = (event) => {
      if (!(event.ctrlKey || event.metaKey) || event.key !== 'b') return
      event.preventDefault()
      Editor.addMark(editor, 'bold', true)
    }
    const Leaf = ({ attributes, children, leaf }) => (
      <span {...attributes}>{leaf.bold ? <strong>{children}</strong> : children}</span>
    )
    function Box() {
      const [value] = useState(first)
      return (
        <Slate editor={editor} initialValue={value}>
          <Editable
            aria-label="Body"
            role="textbox"
            renderLeaf={(props) => <Leaf {...props} />}
            renderElement={({ attributes, children }) => <p {...attributes}>{children}</p>}
            onKeyDown={toggle}
          />
        </Slate>
      )
    }
    const root = createRoot(app)
    root.render(<Box />)
    return {
      text: () => editor.children.map((node) => Node.string(node)).join('\n'),
      html: () =>
        [...Node.nodes(editor)]
          .filter(([node]) => Text.isText(node))
          .map(([node]) => (node.bold ? `<strong>${node.text}</strong>` : node.text))
          .join(''),
    }
  },
  async quill() {
    const { default: Quill } = await import('quill')
    app.innerHTML = '<div id="quill"><p>First line here</p><p>Second line</p></div>'
    const quill = new Quill('#quill', { theme: 'snow', modules: { toolbar: ['bold', { list: 'bullet' }] } })
    quill.root.setAttribute('aria-label', 'Body')
    quill.root.setAttribute('role', 'textbox')
    return {
      text: () => quill.getText().replace(/\n$/, ''),
      html: () => quill.getSemanticHTML().replaceAll('&nbsp;', ' '),
    }
  },
  async draft() {
    // Its packages expect the names of Node.
    window.global = window
    const { ContentState, Editor, EditorState, RichUtils } = await import('draft-js')
    let current
    let change
    const set = (text) => change(EditorState.createWithContent(ContentState.createFromText(text)))
    function Box() {
      const [state, setState] = useState(() =>
        EditorState.createWithContent(ContentState.createFromText('First line here\nSecond line')),
      )
      current = state
      change = setState
      const command = (name, now) => {
        const next = RichUtils.handleKeyCommand(now, name)
        if (next) setState(next)
        return next ? 'handled' : 'not-handled'
      }
      return (
        <Editor ariaLabel="Body" role="textbox" editorState={state} onChange={setState} handleKeyCommand={command} />
      )
    }
    createRoot(app).render(<Box />)
    const blocks = () => current.getCurrentContent().getBlocksAsArray()
    return {
      text: () => current.getCurrentContent().getPlainText('\n'),
      html: () =>
        blocks()
          .map((block) => {
            let html = ''
            block.findStyleRanges(
              () => true,
              (from, to) => {
                const text = block.getText().slice(from, to)
                html += block.getInlineStyleAt(from).has('BOLD') ? `<strong>${text}</strong>` : text
              },
            )
            return html
          })
          .join(''),
      set,
      drawn: () => [...app.querySelectorAll('[data-block]')].map((block) => block.textContent).join('\n'),
    }
  },
  async codemirror() {
    const { EditorView, basicSetup } = await import('codemirror')
    app.innerHTML = '<div id="cm" style="width: 400px"></div>'
    const view = new EditorView({
      doc: 'First line here\nSecond line',
      parent: app.firstChild,
      extensions: [
        basicSetup,
        EditorView.contentAttributes.of({ 'aria-label': 'Body' }),
        EditorView.theme({ '&': { height: '200px' }, '.cm-scroller': { overflow: 'auto' } }),
      ],
    })
    return {
      text: () => view.state.doc.toString(),
      html: () => '',
      set: (doc) => view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: doc } }),
    }
  },
}

window.fixture = {
  kinds: Object.keys(kinds),
  async draw(kind) {
    current = await kinds[kind]()
  },
  text: () => current.text(),
  html: () => current.html(),
  set: (text) => current.set(text),
  drawn: () => current.drawn(),
}
document.documentElement.dataset.ready = ''
