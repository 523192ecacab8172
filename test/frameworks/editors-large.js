// The editors whose code is large: CKEditor, TinyMCE, which edits in a frame, and Monaco.
const app = document.getElementById('app')
let current

const kinds = {
  async ckeditor() {
    const { ClassicEditor, Essentials, Paragraph, Bold, List } = await import('ckeditor5')
    app.innerHTML = '<div id="ck"><p>First line here</p><p>Second line</p></div>'
    const editor = await ClassicEditor.create(document.getElementById('ck'), {
      licenseKey: 'GPL',
      plugins: [Essentials, Paragraph, Bold, List],
      toolbar: ['bold', 'bulletedList'],
      label: 'Body',
    })
    return {
      text: () => {
        const box = document.createElement('div')
        box.innerHTML = editor.getData()
        return [...box.querySelectorAll('p, li')]
          .map((one) => one.innerHTML.replaceAll('<br>', '\n'))
          .join('\n')
          .replaceAll('&nbsp;', ' ')
      },
      html: () => editor.getData(),
    }
  },
  async tinymce() {
    const { default: tinymce } = await import('tinymce')
    await import('tinymce/models/dom')
    await import('tinymce/themes/silver')
    await import('tinymce/icons/default')
    await import('tinymce/plugins/lists')
    app.innerHTML = '<textarea id="tiny"><p>First line here</p><p>Second line</p></textarea>'
    const [editor] = await tinymce.init({
      selector: '#tiny',
      license_key: 'gpl',
      skin: false,
      content_css: false,
      plugins: 'lists',
      toolbar: 'bold bullist',
      menubar: false,
      promotion: false,
      branding: false,
      height: 300,
      iframe_aria_text: 'Body',
    })
    return {
      text: () => editor.getContent({ format: 'text' }).replaceAll(/\n+/g, '\n'),
      html: () => editor.getContent(),
    }
  },
  async monaco() {
    const monaco = await import('monaco-editor/editor/editor.api.js')
    self.MonacoEnvironment = { getWorker: () => new Worker(URL.createObjectURL(new Blob(['']))) }
    app.innerHTML = '<div id="mo" style="width: 500px; height: 200px"></div>'
    const editor = monaco.editor.create(app.firstChild, {
      value: 'First line here\nSecond line',
      ariaLabel: 'Body',
      minimap: { enabled: false },
    })
    return { text: () => editor.getValue(), html: () => '', set: (text) => editor.setValue(text) }
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
}
document.documentElement.dataset.ready = ''
