// The order form in Lit: inside a shadow root, where `change` does not cross and ids are the root's own.
import { html, LitElement, nothing } from 'lit'
import { keyed } from 'lit/directives/keyed.js'
import { live } from 'lit/directives/live.js'
import * as m from './model.js'

const texts = [
  ['email', 'Email', 'email'],
  ['phone', 'Phone', 'tel'],
  ['website', 'Website', 'url'],
  ['search', 'Search', 'search'],
  ['date', 'Date', 'date'],
  ['time', 'Time', 'time'],
  ['month', 'Month', 'month'],
  ['week', 'Week', 'week'],
  ['starts', 'Starts', 'datetime-local'],
  ['colour', 'Colour', 'color'],
  ['password', 'Password', 'password'],
  ['city', 'City', 'text'],
]

class OrderForm extends LitElement {
  static properties = {
    s: { state: true },
    version: { state: true },
    renamed: { state: true },
    typed: { state: true },
    open: { state: true },
    shown: { state: true },
    arrival: { state: true },
  }

  constructor() {
    super()
    Object.assign(this, { s: m.initial(), version: 0, renamed: false, typed: '', open: '', shown: '', arrival: '' })
  }

  firstUpdated() {
    m.publish(this.renderRoot, {
      redraw: () => {
        this.version++
      },
      rename: () => {
        this.renamed = true
        this.version++
      },
    })
  }

  set(key, value) {
    this.s = { ...this.s, [key]: value }
  }
  text(key) {
    return (event) => {
      this.set(key, event.target.value)
    }
  }

  render() {
    const { s } = this
    return html`<main><h1>Order</h1>${keyed(
      this.version,
      html`<form aria-label="Order" @submit=${(event) => event.preventDefault()}>
      <p data-c="name"><label>${this.renamed ? 'Pet' : 'Name'} <input name=${this.renamed ? 'pet' : 'name'} .value=${live(s.name)} @input=${this.text('name')}></label></p>
      ${texts.map(([key, label, type]) => html`<p data-c=${key}><label>${label} <input type=${type} list=${key === 'city' ? 'cities' : nothing} .value=${live(s[key])} @input=${this.text(key)}></label></p>`)}
      <datalist id="cities">${m.cities.map((name) => html`<option value=${name}></option>`)}</datalist>
      <p data-c="notes"><label>Notes <textarea name="notes" .value=${live(s.notes)} @input=${this.text('notes')}></textarea></label></p>
      <p data-c="guests"><label>Guests <input type="number" min="1" max="12" .valueAsNumber=${s.guests} @input=${(event) => this.set('guests', event.target.valueAsNumber)}></label></p>
      <p data-c="spice"><label>Spice <input type="range" min="0" max="10" step="2" .valueAsNumber=${s.spice} @input=${(event) => this.set('spice', event.target.valueAsNumber)}></label></p>
      <p data-c="news"><label><input type="checkbox" .checked=${live(s.news)} @change=${(event) => this.set('news', event.target.checked)}> Send me news</label></p>
      <fieldset data-c="seat"><legend>Seating</legend>${m.seats.map(([value, label]) => html`<label><input type="radio" name="seat" value=${value} .checked=${live(s.seat === value)} @change=${this.text('seat')}> ${label}</label>`)}</fieldset>
      <fieldset data-c="diet"><legend>Diet</legend>${m.diets.map(([value, label]) => html`<label><input type="checkbox" value=${value} .checked=${live(s.diet.includes(value))} @change=${() => this.set('diet', m.flipped(s.diet, value))}> ${label}</label>`)}</fieldset>
      <p data-c="occasion"><label>Occasion <select @change=${this.text('occasion')}>${m.occasions.map(([value, label]) => html`<option value=${value} .selected=${live(s.occasion === value)}>${label}</option>`)}</select></label></p>
      <p data-c="wines"><label>Wines <select multiple @change=${(event) =>
        this.set(
          'wines',
          [...event.target.selectedOptions].map((option) => option.value),
        )}>${m.wines.map((name) => html`<option .selected=${live(s.wines.includes(name))}>${name}</option>`)}</select></label></p>
      <p data-c="account"><label>Account <input .value=${live(s.account)} @input=${(event) => this.set('account', m.grouped(event.target.value))}></label></p>
      <p data-c="lower"><label>Lower case <input .value=${live(s.lower)} @input=${(event) => {
        if (m.isLower(event.target.value)) this.set('lower', event.target.value)
        else this.requestUpdate()
      }}></label></p>
      <p data-c="memo"><span id="memo">Memo</span> <span role="textbox" contenteditable="true" aria-labelledby="memo" style="display: inline-block; min-width: 5em" .textContent=${live(s.memo)} @input=${(event) => this.set('memo', event.target.textContent)}></span></p>
      <p data-c="country"><label for="country">Country</label>
        <input id="country" role="combobox" aria-autocomplete="list" aria-controls="countries" aria-expanded=${this.open === 'country'} autocomplete="off" .value=${live(this.typed)} @input=${this.type} @focusout=${() => {
          this.open = ''
        }}>
        <span role="listbox" id="countries" aria-label="Countries" ?hidden=${this.open !== 'country'}>${m
          .matching(this.typed)
          .map(
            (name) =>
              html`<span role="option" aria-selected=${s.country === name} @click=${() => {
                this.set('country', name)
                this.typed = name
                this.open = ''
              }}>${name} </span>`,
          )}</span></p>
      <div data-c="size"><span id="size">Size</span>
        <button type="button" role="combobox" aria-labelledby="size" aria-haspopup="listbox" aria-controls="sizes" aria-expanded=${this.open === 'size'} @click=${() => {
          this.open = this.open === 'size' ? '' : 'size'
        }}>${s.size}</button>
        <ul role="listbox" id="sizes" aria-labelledby="size" ?hidden=${this.open !== 'size'}>${m.sizes.map(
          (name) =>
            html`<li role="option" aria-selected=${s.size === name} @click=${() => {
              this.set('size', name)
              this.open = ''
            }}>${name}</li>`,
        )}</ul></div>
      <ul data-c="crust" role="listbox" aria-label="Crust" tabindex="0">${m.crusts.map((name) => html`<li role="option" aria-selected=${s.crust === name} @click=${() => this.set('crust', name)}>${name}</li>`)}</ul>
      <ul data-c="toppings" role="listbox" aria-label="Toppings" aria-multiselectable="true" tabindex="0">${m.toppings.map((name) => html`<li role="option" aria-selected=${s.toppings.includes(name)} @click=${() => this.set('toppings', m.flipped(s.toppings, name))}>${name}</li>`)}</ul>
      <p data-c="alerts"><span id="alerts">Alerts</span> <button type="button" role="switch" aria-checked=${s.alerts} aria-labelledby="alerts" @click=${() => this.set('alerts', !s.alerts)}>${s.alerts ? 'on' : 'off'}</button></p>
      <p data-c="volume"><span id="volume">Volume</span> <span role="slider" tabindex="0" aria-labelledby="volume" aria-valuemin="0" aria-valuemax="10" aria-valuenow=${s.volume} @keydown=${({ key }) => this.set('volume', m.stepped(key, s.volume, 0, 10))}>⬤</span></p>
      <p data-c="nights"><span id="nights">Nights</span> <span role="spinbutton" tabindex="0" aria-labelledby="nights" aria-valuemin="1" aria-valuemax="30" aria-valuenow=${s.nights} aria-valuetext=${`${s.nights} nights`} @keydown=${({
        key,
      }) => {
        if (/Up|Down/.test(key)) this.set('nights', m.stepped(key, s.nights, 1, 30))
      }}>${s.nights}</span></p>
      <div data-c="room" role="radiogroup" aria-label="Room">${m.rooms.map((name) => html`<span role="radio" tabindex="0" aria-checked=${s.room === name} @click=${() => this.set('room', name)}>${name}</span>`)}</div>
      <p data-c="arrival"><label>Arrival <input .value=${live(this.arrival)} aria-describedby="arrival-format" @change=${(
        event,
      ) => {
        this.arrival = event.target.value
        this.set('arrival', m.fromAmerican(this.arrival))
      }}></label> <span id="arrival-format">(date format: mm/dd/yyyy)</span></p>
      ${this.departure(s)}
      <p data-c="rating"><span id="rating">Rating</span> <star-rating aria-labelledby="rating" name="rating" .value=${s.rating} @change=${this.text('rating')}></star-rating></p>
    </form>`,
    )}<pre id="state" data-tool-agent-ignore>${JSON.stringify(s)}</pre></main>`
  }

  type = (event) => {
    this.typed = event.target.value
    this.open = 'country'
    if (this.typed === '') this.set('country', '')
  }

  departure(s) {
    const { shown } = this
    const show = (iso) => {
      this.shown = iso
    }
    return html`<div data-c="departure"><label>Departure <input role="combobox" readonly aria-haspopup="dialog" aria-controls="departures" aria-expanded=${shown !== ''} .value=${m.toAmerican(s.departure)} @click=${() => show(s.departure)}></label>
      ${
        shown === ''
          ? nothing
          : html`<div role="dialog" id="departures" aria-modal="true" aria-label="Choose a date" @keydown=${(event) => show(event.key === 'Escape' ? '' : m.calendarKey(event, shown))}>
        <h2 id="departure-month" aria-live="polite">${m.headingOf(shown)}</h2>
        <table role="grid" aria-labelledby="departure-month"><tbody>${m.weeksOf(shown).map(
          (week) =>
            html`<tr>${week.map(
              ({ iso, text, isOther }) => html`<td role="gridcell" aria-selected=${iso === s.departure}>
          <button type="button" tabindex=${iso === shown ? 0 : -1} ?disabled=${isOther} aria-label=${m.spoken(iso)} @click=${() => {
            this.set('departure', iso)
            show('')
          }}>${text}</button></td>`,
            )}</tr>`,
        )}</tbody></table></div>`
      }</div>`
  }
}

customElements.define('order-form', OrderForm)
document.querySelector('#app').append(document.createElement('order-form'))
