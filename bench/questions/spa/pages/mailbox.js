// A mailbox: what is archived can be taken back for five seconds, and only then the server hears of it.
import { createApp } from 'vue'
import { ran } from './talk.js'

const send = (path, body) =>
  fetch(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }).catch(
    () => undefined,
  )

createApp({
  data: () => ({ mails: [], opened: undefined, toast: undefined, draft: undefined }),
  async mounted() {
    this.mails = await (await fetch('/api/mails')).json()
  },
  methods: {
    later(text, mail, action) {
      this.mails = this.mails.filter((one) => one.id !== mail.id)
      const timer = setTimeout(() => {
        this.toast = undefined
        ran(`${action} ${mail.name}`)
        void send(`/api/mails/${mail.id}/${action}`, {})
      }, 5_000)
      this.toast = {
        text,
        undo: () => {
          clearTimeout(timer)
          this.toast = undefined
          this.mails = [...this.mails, mail].sort((one, other) => one.id - other.id)
        },
      }
    },
    answer() {
      ran(`answer ${this.draft}`)
      void send(`/api/mails/${this.opened.id}/reply`, { text: this.draft })
      this.draft = undefined
      this.toast = { text: 'Réponse envoyée' }
      setTimeout(() => (this.toast = undefined), 2_000)
    },
  },
  template: `<main><h1>Boîte de réception</h1>
    <div class="list"><div class="row" v-for="(mail, at) in mails" :key="at">
      <span class="item" @click="opened = mail"><b>{{ mail.from }}</b> {{ mail.name }}</span>
      <div class="icon" title="Classer" @click="later('Conversation classée', mail, 'archive')"><svg viewBox="0 0 24 24"><path d="M3 4h18v5H3zM5 9v11h14V9"/></svg></div>
      <div class="icon" title="Mettre à la corbeille" @click="later('Conversation mise à la corbeille', mail, 'trash')"><svg viewBox="0 0 24 24"><path d="M5 7h14M8 7v13h8V7"/></svg></div>
    </div></div>
    <div class="sheet" v-if="opened"><div class="btn" @click="opened = undefined">Fermer</div><h2>{{ opened.name }}</h2><p>{{ opened.text }}</p>
      <div class="btn" v-if="draft === undefined" @click="draft = ''">Répondre</div>
      <div v-else><textarea v-model="draft" placeholder="Votre réponse"></textarea><div class="btn main" @click="answer">Envoyer</div></div></div>
    <Teleport to="body"><div class="toast" v-if="toast"><span>{{ toast.text }}</span><span class="item" v-if="toast.undo" @click="toast.undo()">Annuler</span></div></Teleport></main>`,
}).mount('#app')
