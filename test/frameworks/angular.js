// The order form in Angular: reactive forms for what is native, signals for the widgets, compiled in the browser, no
// zone.
import '@angular/compiler'
import { Component, CUSTOM_ELEMENTS_SCHEMA, provideZonelessChangeDetection, signal } from '@angular/core'
import { FormArray, FormControl, FormGroup, ReactiveFormsModule } from '@angular/forms'
import { bootstrapApplication } from '@angular/platform-browser'
import * as m from './model.js'

class OrderForm {
  m = m
  form = new FormGroup({
    ...Object.fromEntries(
      Object.entries(m.initial())
        .filter(([key]) => key !== 'diet')
        .map(([key, value]) => [key, new FormControl(value)]),
    ),
    diet: new FormArray(m.diets.map(() => new FormControl(false))),
  })
  state = signal('')
  versions = signal([0])
  renamed = signal(false)
  typed = signal('')
  isOpen = signal(false)
  sizesOpen = signal(false)
  shown = signal('')

  constructor() {
    const told = () => {
      const value = this.form.getRawValue()
      this.state.set(
        JSON.stringify({ ...value, diet: m.diets.flatMap(([name], index) => (value.diet[index] ? [name] : [])) }),
      )
    }
    this.form.valueChanges.subscribe(told)
    told()
  }

  get s() {
    return this.form.getRawValue()
  }
  set(key, value) {
    this.form.get(key).setValue(value)
  }
  account({ target }) {
    this.set('account', m.grouped(target.value))
  }
  lower({ target }) {
    if (!m.isLower(target.value)) this.set('lower', target.value.replace(/[^a-z]/g, ''))
  }

  type({ target }) {
    this.typed.set(target.value)
    this.isOpen.set(true)
    if (target.value === '') this.set('country', '')
  }

  pickCountry(name) {
    this.set('country', name)
    this.typed.set(name)
    this.isOpen.set(false)
  }

  key(event) {
    if (event.key === 'Escape') this.shown.set('')
    else this.shown.set(m.calendarKey(event, this.shown()))
  }

  pick(day) {
    if (day.isOther) return
    this.set('departure', day.iso)
    this.shown.set('')
  }
}

const App = Component({
  selector: 'order-form',
  imports: [ReactiveFormsModule],
  schemas: [CUSTOM_ELEMENTS_SCHEMA],
  template: `<main><h1>Order</h1>@for (version of versions(); track version) {<form aria-label="Order" [formGroup]="form">
    <p data-c="name"><label>{{ renamed() ? 'Pet' : 'Name' }} <input [attr.name]="renamed() ? 'pet' : 'name'" formControlName="name"></label></p>
    <p data-c="email"><label>Email <input type="email" formControlName="email"></label></p>
    <p data-c="phone"><label>Phone <input type="tel" formControlName="phone"></label></p>
    <p data-c="website"><label>Website <input type="url" formControlName="website"></label></p>
    <p data-c="search"><label>Search <input type="search" formControlName="search"></label></p>
    <p data-c="date"><label>Date <input type="date" formControlName="date"></label></p>
    <p data-c="time"><label>Time <input type="time" formControlName="time"></label></p>
    <p data-c="month"><label>Month <input type="month" formControlName="month"></label></p>
    <p data-c="week"><label>Week <input type="week" formControlName="week"></label></p>
    <p data-c="starts"><label>Starts <input type="datetime-local" formControlName="starts"></label></p>
    <p data-c="colour"><label>Colour <input type="color" formControlName="colour"></label></p>
    <p data-c="password"><label>Password <input type="password" formControlName="password"></label></p>
    <p data-c="notes"><label>Notes <textarea name="notes" formControlName="notes"></textarea></label></p>
    <p data-c="guests"><label>Guests <input type="number" min="1" max="12" formControlName="guests"></label></p>
    <p data-c="spice"><label>Spice <input type="range" min="0" max="10" step="2" formControlName="spice"></label></p>
    <p data-c="news"><label><input type="checkbox" formControlName="news"> Send me news</label></p>
    <fieldset data-c="seat"><legend>Seating</legend>@for (seat of m.seats; track seat[0]) {<label><input type="radio" [value]="seat[0]" formControlName="seat"> {{ seat[1] }}</label>}</fieldset>
    <fieldset data-c="diet" formArrayName="diet"><legend>Diet</legend>@for (diet of m.diets; track diet[0]) {<label><input type="checkbox" [formControlName]="$index"> {{ diet[1] }}</label>}</fieldset>
    <p data-c="occasion"><label>Occasion <select formControlName="occasion">@for (occasion of m.occasions; track occasion[0]) {<option [value]="occasion[0]">{{ occasion[1] }}</option>}</select></label></p>
    <p data-c="wines"><label>Wines <select multiple formControlName="wines">@for (name of m.wines; track name) {<option [value]="name">{{ name }}</option>}</select></label></p>
    <p data-c="city"><label>City <input list="cities" formControlName="city"></label><datalist id="cities">@for (name of m.cities; track name) {<option [value]="name"></option>}</datalist></p>
    <p data-c="account"><label>Account <input formControlName="account" (input)="account($event)"></label></p>
    <p data-c="lower"><label>Lower case <input formControlName="lower" (input)="lower($event)"></label></p>
    <p data-c="memo"><span id="memo">Memo</span> <span #memo role="textbox" contenteditable="true" aria-labelledby="memo" style="display: inline-block; min-width: 5em" [textContent]="'old'" (input)="set('memo', memo.textContent)"></span></p>
    <p data-c="country"><label for="country">Country</label>
      <input id="country" role="combobox" aria-autocomplete="list" aria-controls="countries" [attr.aria-expanded]="isOpen()" autocomplete="off" [value]="typed()" (input)="type($event)" (blur)="isOpen.set(false)">
      @if (isOpen()) {<span role="listbox" id="countries" aria-label="Countries">@for (name of m.matching(typed()); track name) {<span role="option" [attr.aria-selected]="s.country === name" (click)="pickCountry(name)">{{ name }} </span>}</span>}</p>
    <div data-c="size"><span id="size">Size</span>
      <div role="combobox" tabindex="0" aria-labelledby="size" aria-haspopup="listbox" [attr.aria-controls]="sizesOpen() ? 'sizes' : null" [attr.aria-expanded]="sizesOpen()" (click)="sizesOpen.set(!sizesOpen())">{{ s.size }}</div>
      @if (sizesOpen()) {<div role="listbox" id="sizes" aria-labelledby="size">@for (name of m.sizes; track name) {<div role="option" [attr.aria-selected]="s.size === name" (click)="set('size', name); sizesOpen.set(false)">{{ name }}</div>}</div>}</div>
    <ul data-c="crust" role="listbox" aria-label="Crust" tabindex="0">@for (name of m.crusts; track name) {<li role="option" [attr.aria-selected]="s.crust === name" (click)="set('crust', name)">{{ name }}</li>}</ul>
    <ul data-c="toppings" role="listbox" aria-label="Toppings" aria-multiselectable="true" tabindex="0">@for (name of m.toppings; track name) {<li role="option" [attr.aria-selected]="s.toppings.includes(name)" (click)="set('toppings', m.flipped(s.toppings, name))">{{ name }}</li>}</ul>
    <p data-c="alerts"><span id="alerts">Alerts</span> <button type="button" role="switch" [attr.aria-checked]="s.alerts" aria-labelledby="alerts" (click)="set('alerts', !s.alerts)">{{ s.alerts ? 'on' : 'off' }}</button></p>
    <p data-c="volume"><span id="volume">Volume</span> <span role="slider" tabindex="0" aria-labelledby="volume" aria-valuemin="0" aria-valuemax="10" [attr.aria-valuenow]="s.volume" (keydown)="set('volume', m.stepped($event.key, s.volume, 0, 10))">⬤</span></p>
    <p data-c="nights"><span id="nights">Nights</span> <span role="spinbutton" tabindex="0" aria-labelledby="nights" aria-valuemin="1" aria-valuemax="30" [attr.aria-valuenow]="s.nights" [attr.aria-valuetext]="s.nights + ' nights'" (keydown.arrowUp)="set('nights', s.nights + 1)" (keydown.arrowDown)="set('nights', s.nights - 1)">{{ s.nights }}</span></p>
    <div data-c="room" role="radiogroup" aria-label="Room">@for (name of m.rooms; track name) {<span role="radio" tabindex="0" [attr.aria-checked]="s.room === name" (click)="set('room', name)">{{ name }}</span>}</div>
    <p data-c="arrival"><label>Arrival <input #arrival placeholder="mm/dd/yyyy" (change)="set('arrival', m.fromAmerican(arrival.value))"></label></p>
    <div data-c="departure"><label>Departure <input role="combobox" readonly aria-haspopup="dialog" [attr.aria-expanded]="shown() !== ''" [value]="m.toAmerican(s.departure)" (click)="shown.set(s.departure)"></label>
      @if (shown()) {<div role="dialog" aria-modal="true" aria-label="Choose a date" (keydown)="key($event)">
        <h2 id="departure-month" aria-live="polite">{{ m.headingOf(shown()) }}</h2>
        <table role="grid" aria-labelledby="departure-month"><tbody>@for (week of m.weeksOf(shown()); track week[0].iso) {<tr>@for (day of week; track day.iso) {<td role="gridcell" [attr.data-date]="day.iso" [attr.tabindex]="day.iso === shown() ? 0 : -1" [attr.aria-disabled]="day.isOther" [attr.aria-selected]="day.iso === s.departure" (click)="pick(day)">{{ day.text }}</td>}</tr>}</tbody></table>
      </div>}</div>
    <p data-c="rating"><span id="rating">Rating</span> <star-rating #rating aria-labelledby="rating" name="rating" [value]="s.rating" (change)="set('rating', rating.value)"></star-rating></p>
  </form>}<pre id="state" data-tool-agent-ignore>{{ state() }}</pre></main>`,
})(OrderForm)

document.querySelector('#app').append(document.createElement('order-form'))
const app = await bootstrapApplication(App, { providers: [provideZonelessChangeDetection()] })
const order = app.components[0].instance
const redraw = () => {
  order.versions.update(([version]) => [version + 1])
  app.tick()
}
m.publish(document, {
  redraw,
  rename: () => {
    order.renamed.set(true)
    redraw()
  },
})
