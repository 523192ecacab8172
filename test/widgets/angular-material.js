// Angular Material, compiled in the browser, without a zone.
import '@angular/compiler'
import { Component, provideZonelessChangeDetection, signal } from '@angular/core'
import { FormsModule } from '@angular/forms'
import { MatAutocompleteModule } from '@angular/material/autocomplete'
import { MatButtonToggleModule } from '@angular/material/button-toggle'
import { MatCheckboxModule } from '@angular/material/checkbox'
import { MatChipsModule } from '@angular/material/chips'
import { provideNativeDateAdapter } from '@angular/material/core'
import { MatDatepickerModule } from '@angular/material/datepicker'
import { MatFormFieldModule } from '@angular/material/form-field'
import { MatInputModule } from '@angular/material/input'
import { MatListModule } from '@angular/material/list'
import { MatRadioModule } from '@angular/material/radio'
import { MatSelectModule } from '@angular/material/select'
import { MatSlideToggleModule } from '@angular/material/slide-toggle'
import { MatSliderModule } from '@angular/material/slider'
import { MatTimepickerModule } from '@angular/material/timepicker'
import { bootstrapApplication } from '@angular/platform-browser'
import './node_modules/@angular/material/prebuilt-themes/azure-blue.css'
import { day, drinks, each, keep, month, publish, searchCities, time } from './page.js'

const inField = (label, inside) => `<mat-form-field><mat-label>${label}</mat-label>${inside}</mat-form-field>`
const options =
  '@for (drink of drinks; track drink) {<mat-option [value]="drink.toLowerCase()">{{ drink }}</mat-option>}'
const bound = (label) => `[ngModel]="values['${label}']()" (ngModelChange)="set('${label}', $event)"`

const rows = [
  {
    widget: 'text',
    label: 'Full name',
    value: 'Ada Lovelace',
    state: 'Ada Lovelace',
    first: '',
    draw: (label) => inField(label, `<input matInput ${bound(label)}>`),
  },
  {
    widget: 'text area',
    label: 'Remarks',
    value: 'No nuts',
    state: 'No nuts',
    first: '',
    draw: (label) => inField(label, `<textarea matInput ${bound(label)}></textarea>`),
  },
  {
    widget: 'number',
    label: 'Guests',
    value: 4,
    state: 4,
    draw: (label) => inField(label, `<input matInput type="number" ${bound(label)}>`),
  },
  {
    widget: 'select',
    label: 'Drink',
    value: 'Tea',
    state: 'tea',
    draw: (label) => inField(label, `<mat-select ${bound(label)}>${options}</mat-select>`),
  },
  {
    widget: 'native select',
    label: 'Table',
    value: 'Garden',
    state: 'Garden',
    draw: (label) =>
      inField(
        label,
        `<select matNativeControl ${bound(label)}><option value=""></option><option>Window</option><option>Garden</option></select>`,
      ),
  },
  {
    widget: 'multi-select',
    label: 'Drinks',
    value: ['Tea', 'Coffee'],
    state: ['tea', 'coffee'],
    first: ['water'],
    draw: (label) => inField(label, `<mat-select multiple ${bound(label)}>${options}</mat-select>`),
  },
  {
    widget: 'tags',
    label: 'Tags',
    value: ['quiet', 'window'],
    state: ['quiet', 'window'],
    first: [],
    draw: (label) =>
      inField(
        label,
        `<mat-chip-grid #tags aria-label="${label}">
           @for (tag of values['${label}'](); track tag) {<mat-chip-row>{{ tag }}<button matChipRemove [attr.aria-label]="'remove ' + tag">x</button></mat-chip-row>}
           <input placeholder="New tag…" [matChipInputFor]="tags" [matChipInputSeparatorKeyCodes]="[13, 188]" (matChipInputTokenEnd)="add('${label}', $event)">
         </mat-chip-grid>`,
      ),
  },
  {
    widget: 'chips',
    label: 'Mood',
    value: 'Calm',
    state: 'Calm',
    draw: (label) =>
      `<span>${label}</span><mat-chip-listbox aria-label="${label}" ${bound(label)}><mat-chip-option value="Calm">Calm</mat-chip-option><mat-chip-option value="Loud">Loud</mat-chip-option></mat-chip-listbox>`,
  },
  {
    widget: 'list box',
    label: 'Also served',
    value: ['Tea', 'Coffee'],
    state: ['tea', 'coffee'],
    first: [],
    draw: (label) =>
      `<span>${label}</span><mat-selection-list aria-label="${label}" ${bound(label)}>@for (drink of drinks; track drink) {<mat-list-option [value]="drink.toLowerCase()">{{ drink }}</mat-list-option>}</mat-selection-list>`,
  },
  {
    widget: 'autocomplete',
    label: 'Favourite',
    value: 'Cocoa',
    state: 'cocoa',
    first: '',
    draw: (label) =>
      inField(
        label,
        `<input matInput ${bound(label)} [matAutocomplete]="favourite"><mat-autocomplete #favourite="matAutocomplete">${options}</mat-autocomplete>`,
      ),
  },
  {
    widget: 'autocomplete with a server',
    label: 'City',
    value: 'Madrid',
    state: 'Madrid',
    first: '',
    draw: (label) =>
      inField(
        label,
        `<input matInput #city (input)="search(city.value)" ${bound(label)} [matAutocomplete]="cities"><mat-autocomplete requireSelection #cities="matAutocomplete">@for (name of found(); track name) {<mat-option [value]="name">{{ name }}</mat-option>}</mat-autocomplete>`,
      ),
  },
  {
    widget: 'date',
    label: 'Arrival',
    value: '2026-11-27',
    state: '2026-11-27',
    as: day,
    draw: (label) =>
      inField(
        label,
        `<input matInput [matDatepicker]="arrival" ${bound(label)}><mat-hint>MM/DD/YYYY</mat-hint><mat-datepicker-toggle matIconSuffix [for]="arrival"></mat-datepicker-toggle><mat-datepicker #arrival></mat-datepicker>`,
      ),
  },
  {
    widget: 'date without a hint',
    label: 'Departure',
    value: '2026-12-03',
    state: '2026-12-03',
    as: day,
    draw: (label) =>
      inField(
        label,
        `<input matInput [matDatepicker]="departure" ${bound(label)}><mat-datepicker-toggle matIconSuffix [for]="departure"></mat-datepicker-toggle><mat-datepicker #departure></mat-datepicker>`,
      ),
  },
  {
    widget: 'date range',
    label: 'Stay',
    value: ['2026-11-27', '2026-12-03'],
    state: ['2026-11-27', '2026-12-03'],
    first: [null, null],
    as: each(day),
    draw: (label) =>
      inField(
        label,
        `<mat-date-range-input [rangePicker]="stay"><input matStartDate placeholder="Start date" [value]="values['${label}']()[0]" (dateChange)="part('${label}', 0, $event.value)"><input matEndDate placeholder="End date" [value]="values['${label}']()[1]" (dateChange)="part('${label}', 1, $event.value)"></mat-date-range-input><mat-datepicker-toggle matIconSuffix [for]="stay"></mat-datepicker-toggle><mat-date-range-picker #stay></mat-date-range-picker>`,
      ),
  },
  {
    widget: 'calendar on the page',
    label: 'Birthday',
    fails: 'A calendar on the page is no field',
    value: '2026-11-27',
    state: '2026-11-27',
    as: day,
    draw: (label) =>
      `<div role="group" aria-label="${label}"><span>${label}</span><mat-calendar [selected]="values['${label}']()" (selectedChange)="set('${label}', $event)"></mat-calendar></div>`,
  },
  {
    widget: 'time',
    label: 'Breakfast',
    value: '14:30',
    state: '14:30',
    as: time,
    draw: (label) =>
      inField(
        label,
        `<input matInput [matTimepicker]="breakfast" ${bound(label)}><mat-timepicker-toggle matIconSuffix [for]="breakfast"/><mat-timepicker #breakfast/>`,
      ),
  },
  {
    widget: 'month',
    label: 'Card expires',
    fails: 'The pop-up has no days',
    value: '2027-05',
    state: '2027-05',
    as: month,
    draw: (label) =>
      inField(
        label,
        `<input matInput readonly [matDatepicker]="expires" ${bound(label)}><mat-datepicker-toggle matIconSuffix [for]="expires"></mat-datepicker-toggle><mat-datepicker #expires startView="multi-year" (monthSelected)="set('${label}', $event); expires.close()"></mat-datepicker>`,
      ),
  },
  {
    widget: 'slider',
    label: 'Volume',
    value: 40,
    state: 40,
    first: 10,
    draw: (label) =>
      `<span id="volume">${label}</span><mat-slider><input matSliderThumb aria-labelledby="volume" ${bound(label)}></mat-slider>`,
  },
  {
    widget: 'slider with two thumbs',
    label: 'Price',
    value: '30 to 70',
    state: [30, 70],
    first: [20, 40],
    draw: (label) =>
      `<span id="price">${label}</span><mat-slider><input matSliderStartThumb aria-labelledby="price" [value]="values['${label}']()[0]" (valueChange)="part('${label}', 0, $event)"><input matSliderEndThumb aria-labelledby="price" [value]="values['${label}']()[1]" (valueChange)="part('${label}', 1, $event)"></mat-slider>`,
  },
  {
    widget: 'switch',
    label: 'Newsletter',
    value: true,
    state: true,
    first: false,
    draw: (label) => `<mat-slide-toggle ${bound(label)}>${label}</mat-slide-toggle>`,
  },
  {
    widget: 'checkbox',
    label: 'Terms',
    value: true,
    state: true,
    first: false,
    draw: (label) => `<mat-checkbox ${bound(label)}>${label}</mat-checkbox>`,
  },
  {
    widget: 'radio group',
    label: 'Room',
    value: 'Double',
    state: 'Double',
    first: '',
    draw: (label) =>
      `<label id="room">${label}</label><mat-radio-group aria-labelledby="room" ${bound(label)}>@for (name of ['Single', 'Double', 'Suite']; track name) {<mat-radio-button [value]="name">{{ name }}</mat-radio-button>}</mat-radio-group>`,
  },
  {
    widget: 'toggle group',
    label: 'Styles',
    value: ['Left', 'Right'],
    state: ['Left', 'Right'],
    first: [],
    draw: (label) =>
      `<span>${label}</span><mat-button-toggle-group multiple aria-label="${label}" ${bound(label)}>@for (name of ['Left', 'Centre', 'Right']; track name) {<mat-button-toggle [value]="name">{{ name }}</mat-button-toggle>}</mat-button-toggle-group>`,
  },
  {
    widget: 'segmented control',
    label: 'Alignment',
    value: 'Centre',
    state: 'Centre',
    first: 'Left',
    draw: (label) =>
      `<span>${label}</span><mat-button-toggle-group aria-label="${label}" ${bound(label)}>@for (name of ['Left', 'Centre', 'Right']; track name) {<mat-button-toggle [value]="name">{{ name }}</mat-button-toggle>}</mat-button-toggle-group>`,
  },
]

class Order {
  drinks = drinks
  found = signal([])
  values = Object.fromEntries(rows.map((row) => [row.label, signal(row.first ?? null)]))

  set(label, value) {
    this.values[label].set(value)
    keep(
      rows.find((row) => row.label === label),
      value,
    )
  }
  part(label, at, value) {
    this.set(label, this.values[label]().with(at, value))
  }
  add(label, { value, chipInput }) {
    if (value.trim() !== '') this.set(label, [...this.values[label](), value.trim()])
    chipInput.clear()
  }
  async search(text) {
    this.found.set(await searchCities(text))
  }
}

const App = Component({
  selector: 'order-form',
  imports: [
    FormsModule,
    MatAutocompleteModule,
    MatButtonToggleModule,
    MatCheckboxModule,
    MatChipsModule,
    MatDatepickerModule,
    MatFormFieldModule,
    MatInputModule,
    MatListModule,
    MatRadioModule,
    MatSelectModule,
    MatSlideToggleModule,
    MatSliderModule,
    MatTimepickerModule,
  ],
  template: `<h1>Order</h1>${rows.map((row) => `<div class="widget">${row.draw(row.label)}</div>`).join('\n')}`,
})(Order)

document.querySelector('#app').append(document.createElement('order-form'))
await bootstrapApplication(App, { providers: [provideZonelessChangeDetection(), provideNativeDateAdapter()] })
publish(rows, () => document.querySelectorAll('.widget').length === rows.length)
