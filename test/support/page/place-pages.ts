// Pages of boxes, as applications write them, with the place that a person would say of their controls. `says` on a
// control has these places, separated by `|`; an empty one means that none is needed, and one with `-` would be wrong.

export interface PlacePage {
  readonly name: string
  readonly html: string
  readonly css?: string
  /** Runs in the page after its markup is set. */
  readonly setup?: () => void
  /** What is clicked by the tool, one after the other, before the places are read. */
  readonly press?: readonly string[]
}

const each = <Item>(items: readonly Item[], markup: (item: Item, index: number) => string): string =>
  items.map(markup).join('')

/** Styles of all pages: boxes that take clicks, rows, icons, avatars, floating parts. */
export const placeCss = `
  .x { cursor: pointer } .row { display: flex; gap: 16px; padding: 6px } .ic { display: inline-block; width: 16px; height: 16px }
  .av { width: 32px; height: 32px; border-radius: 50%; background: #ccd; display: inline-flex; align-items: center; justify-content: center }
  .sq { border-radius: 6px } .card { border: 1px solid #ccc; margin: 8px; padding: 8px } .grid { display: flex; flex-wrap: wrap }
  .sw { width: 40px; height: 20px; border-radius: 10px; background: #ccc; cursor: pointer } .sw.on { background: green }
  .knob { width: 18px; height: 18px; border-radius: 9px; background: #fff }
  .pop { position: absolute; top: 40px; left: 300px; background: #fff; border: 1px solid #999; padding: 6px; z-index: 5 }
  .shade { position: fixed; inset: 0; background: #0006; z-index: 4 } .modal { position: fixed; top: 80px; left: 200px; width: 320px; background: #fff; padding: 16px; z-index: 6 }
  svg { width: 16px; height: 16px } button { min-width: 20px; min-height: 20px }`

const pencil = '<svg viewBox="0 0 9 9"><path d="M0 9l6-6 3 3z"/></svg>'
const bin = '<svg viewBox="0 0 9 9"><path d="M1 2h7v7H1z"/></svg>'

/** Opens a box without markup at the end of the page, filled with what the pressed element carries. */
const opensPortal = (): void => {
  for (const opener of document.querySelectorAll<HTMLElement>('[data-menu]'))
    opener.addEventListener('click', () => {
      const box = document.createElement('div')
      box.className = opener.dataset['kind'] ?? 'pop'
      box.innerHTML = document.querySelector<HTMLTemplateElement>(`#${opener.dataset['menu']}`)!.innerHTML
      document.body.append(box)
    })
}

/** The pages in the order in which they were written. Rules were made on those with an even place alone. */
export const placePages: readonly PlacePage[] = [
  {
    name: 'switches with a knob in rows of a card',
    html: `<main><h1>Preferences</h1>${each(
      [
        ['Transfers', 'Instant transfer', 'Auto-accept'],
        ['Mails', 'Security alerts', 'Promotional mails'],
      ],
      ([title, ...rows]) =>
        `<div><h3>${title}</h3></div><div class="card">${each(rows, (row, at) => `<div class="row"><span>${row}</span><div class="sw ${at === 0 ? 'on' : ''}" says="${row}"><div class="knob"></div></div></div>`)}</div>`,
    )}</main>`,
  },
  {
    name: 'switches with an explanation, German',
    html: `<div class="pane"><div class="head">Desktop-App</div>${each(
      ['Rechtschreibung prüfen', 'Symbol mit Anzahl', 'Beim Start öffnen'],
      (row) =>
        `<div class="row"><div><div>${row}</div><div>Erklärt, was das ist</div></div><div class="sw" says="${row}"></div></div>`,
    )}</div>`,
  },
  {
    name: 'contacts with initials',
    html: each(
      [
        ['AM', 'Ann Miller'],
        ['BC', 'Bo Chen'],
        ['JO', 'Jo Okafor'],
      ],
      ([initials, who]) =>
        `<div class="row"><div class="av">${initials}</div><div><div>${who}</div><div>555 0101</div></div><button says="${who}">☆</button><button says="${who}">🗑</button></div>`,
    ),
  },
  {
    name: 'mails of one sender',
    html: each(
      ['Budget for spring', 'Lunch on Friday?', 'Slides are ready'],
      (subject) =>
        `<div class="row x"><div class="av">DK</div><div>David Kim</div><div>${subject}</div><div>Here is what we said</div><span class="x b" says="${subject}">☆</span><button says="${subject}" aria-label="Delete"></button></div>`,
    ),
    css: '.b { cursor: pointer }',
  },
  {
    name: 'a table whose first cell is a link-like button',
    html: `<h2>Patients</h2><table><thead><tr><th>Name<th>Sex<th>Born<th></tr></thead><tbody>${each(
      [
        ['Nakamura, Emily', 'Female', '1980'],
        ['Ortiz, Luis', 'Male', '1971'],
      ],
      ([who, sex, born]) =>
        `<tr><td><span class="x" says="-${sex}">${who}</span><td>${sex}<td>${born}<td><button says="${who}">${pencil}</button><button says="${who}">${bin}</button></tr>`,
    )}</tbody></table>`,
  },
  {
    name: 'invoices with a box to choose them',
    html: `<table><tr><th><th>Number<th>Customer<th>Amount<th></tr>${each(
      [
        ['INV-0042', 'Acme'],
        ['INV-0043', 'Umbrella'],
        ['INV-0044', 'Acme'],
      ],
      ([number, customer]) =>
        `<tr><td><div class="x" style="width:16px;height:16px" says="${number}"></div><td>${number}<td>${customer}<td>$ 120<td><button says="${number}">Pay</button><button says="${number}">⋯</button></tr>`,
    )}</table>`,
  },
  {
    name: 'a menu at the end of the page, opened by our press',
    html: `${each(['Ann', 'Bob', 'Cid'], (who) => `<div class="row"><div>${who}</div><button data-menu="m" id="of-${who}" says="${who}">⋯</button></div>`)}<template id="m"><div class="x" says="Bob">Edit</div><div class="x" says="Bob">Discontinue</div></template>`,
    setup: opensPortal,
    press: ['#of-Bob'],
  },
  {
    name: 'a menu that its button names',
    html: `${each(['Lisinopril', 'Metformin'], (drug, at) => `<div class="row"><div>${drug} 20 mg</div><button aria-haspopup="menu" aria-expanded="${at === 1}" ${at === 1 ? 'aria-controls="menu"' : ''} says="${drug} 20 mg">Actions</button></div>`)}<div class="pop" role="menu" id="menu"><div role="menuitem" says="Metformin 20 mg">Discontinue</div><div role="menuitem" says="Metformin 20 mg">Set as permanent</div></div>`,
  },
  {
    name: 'a native popover of a row',
    html: `${each(['Living room', 'Kitchen'], (room, at) => `<div class="row"><b>${room}</b><button popovertarget="p${at}" id="o${at}" says="${room}">⚙</button></div>`)}${each(['Living room', 'Kitchen'], (room, at) => `<div popover id="p${at}"><button says="${room}">Rename</button><button says="${room}">Remove</button></div>`)}`,
    setup: () => document.querySelector<HTMLElement>('#p1')!.showPopover(),
  },
  {
    name: 'a question without markup, opened from a row',
    html: `<h1>Team</h1>${each(['Ann Lee', 'Bob Stone'], (who) => `<div class="row"><span>${who}</span><span class="x" data-menu="m" data-kind="modal" id="of-${who.slice(0, 3)}" says="${who}">🗑</span></div>`)}<template id="m"><p>Are you sure?</p><button says="Bob Stone">Cancel</button><button says="Bob Stone">Delete</button></template>`,
    setup: opensPortal,
    press: ['#of-Bob'],
  },
  {
    name: 'open lists of choices made of boxes',
    html: `${each(
      [
        ['First day of the week', 'Sunday', 'Monday', 'Saturday'],
        ['Last day of work', 'Friday', 'Saturday', 'Sunday'],
      ],
      ([label, ...days]) =>
        `<div class="card"><div>${label}</div><div class="list">${each(days, (day) => `<div class="x" says="${label}${/^(Monday|Friday)$/.test(day) ? '|' : ''}">${day}</div>`)}</div></div>`,
    )}`,
  },
  {
    name: 'units beside sizes',
    html: `${each(['Width', 'Height', 'Gap'], (what) => `<div class="row"><div>${what}</div><div class="seg">${each(['px', '%', 'em'], (unit) => `<span class="x" says="${what}">${unit}</span>`)}</div></div>`)}`,
  },
  {
    name: 'columns of a board',
    html: `<div class="row">${each(
      [
        ['To do', 'Write the report', 'Call Ann'],
        ['Doing', 'Fix the roof'],
      ],
      ([column, ...cards]) =>
        `<div class="card"><div class="row"><div>${column}</div><div>${cards.length}</div><button says="${column}">+</button></div>${each(cards, (card) => `<div class="card"><div>${card}</div><button says="${card}">⋯</button></div>`)}<div class="x" says="${column}">Add a card</div></div>`,
    )}</div>`,
  },
  {
    name: 'cards of a shop',
    html: `<div class="grid">${each(
      [
        ['Blue lamp', '€ 19'],
        ['Red chair', '€ 49'],
        ['Oak desk', '€ 249'],
      ],
      ([what, price]) =>
        `<div class="card"><span class="badge">-20%</span><div class="name">${what}</div><div>${price}</div><button says="${what}">♡</button><button says="${what}">Add to cart</button></div>`,
    )}</div>`,
  },
  {
    name: 'styles with a sample',
    html: `<h3>Text styles</h3>${each(['Heading 1', 'Body', 'Caption'], (style) => `<div class="row"><div class="av sq">Ag</div><div>${style}</div><button says="${style}" title="Delete style">${bin}</button></div>`)}`,
  },
  {
    name: 'events with a date sheet',
    html: each(
      [
        ['NOV', '14', 'Career fair'],
        ['NOV', '21', 'Resume workshop'],
        ['DEC', '2', 'Alumni talk'],
      ],
      ([month, day, title]) =>
        `<div class="card"><div class="row"><div><div>${month}</div><div>${day}</div></div><div><div>${title}</div><div>Main hall</div></div><button says="${title}">RSVP</button></div></div>`,
    ),
  },
  {
    name: 'posts with counts',
    html: each(
      [
        ['MB', 'Maya Brown', '256', '12'],
        ['TS', 'Tom Sand', '198', '7'],
      ],
      ([initials, who, likes, comments]) =>
        `<div class="card"><div class="row"><div class="av">${initials}</div><div>${who}</div></div><p>${who} shares a very long text about what was done this week.</p><div class="row"><span class="x" says="${who}"><span>♥</span> ${likes}</span><span class="x" says="${who}">💬 ${comments}</span></div></div>`,
    ),
  },
  {
    name: 'a section with rows and a gear of its own',
    html: each(
      [
        ['Team', 'Ann', 'Bob'],
        ['Guests', 'Eve', 'Zoe'],
      ],
      ([title, ...rows]) =>
        `<div class="card"><div class="row"><div class="t">${title}</div><span class="x" says="${title}">⚙</span></div>${each(rows, (row) => `<div class="row"><div>${row}</div><span class="x" says="${row}">Remove</span></div>`)}</div>`,
    ),
  },
  {
    name: 'switches, Arabic, right to left',
    html: `<div dir="rtl"><h2>الإعدادات</h2><div class="card">${each(['الإشعارات', 'الوضع الداكن', 'تحديث تلقائي'], (row) => `<div class="row"><div>${row}</div><div class="sw" says="${row}"><div class="knob"></div></div></div>`)}</div></div>`,
  },
  {
    name: 'a table of icons, Japanese',
    html: `<table><tr><th>担当<th>部署<th>操作</tr>${each(
      [
        ['佐藤', '営業'],
        ['鈴木', '開発'],
      ],
      ([who, team]) =>
        `<tr><td><span class="av">${who!.slice(0, 1)}</span><td>${who}<td>${team}<td><span class="x" says="${who}">${pencil}</span><span class="x" says="${who}">${bin}</span></tr>`,
    )}</table>`,
  },
  {
    name: 'messages of a chat',
    html: each(
      [
        ['AM', 'Ann', 'Shall we meet at nine?'],
        ['BO', 'Bo', 'Ten is better for me'],
        ['AM', 'Ann', 'Fine with me'],
      ],
      ([initials, who, text]) =>
        `<div class="row"><div class="av">${initials}</div><div><div>${who} <small>9:41</small></div><div>${text}</div></div><div class="row"><span class="x" says="${text}${who === 'Bo' ? '|Bo|Bo 9:41' : ''}">👍</span><span class="x" says="${text}${who === 'Bo' ? '|Bo|Bo 9:41' : ''}">↩</span></div></div>`,
    ),
  },
  {
    name: 'a tree of folders made of boxes',
    html: `<div class="tree">${each(
      [
        ['src', 'app.ts', 'main.ts'],
        ['docs', 'intro.md'],
      ],
      ([folder, ...files]) =>
        `<div><div class="row"><span class="x" says="${folder}|📁 ${folder}">▸</span><span>📁</span><span>${folder}</span><span class="x" says="${folder}|📁 ${folder}">⋯</span></div><div style="padding-left:20px">${each(files, (file) => `<div class="row"><span>📄</span><span>${file}</span><span class="x" says="${file}|📄 ${file}">⋯</span></div>`)}</div></div>`,
    )}</div>`,
  },
  {
    name: 'comments in comments',
    html: `<div class="c"><div class="row"><span class="av">AM</span><b>Ann Miller</b></div><p>First of all, thanks.</p><span class="x" says="Ann Miller">Reply</span>
      <div style="padding-left:30px"><div class="c"><div class="row"><span class="av">BS</span><b>Bob Stone</b></div><p>You are welcome.</p><span class="x" says="Bob Stone">Reply</span></div>
      <div class="c"><div class="row"><span class="av">CR</span><b>Cid Ray</b></div><p>Same here.</p><span class="x" says="Cid Ray">Reply</span></div></div></div>`,
  },
  {
    name: 'a list beside a pane about one of them',
    html: `<div class="row"><div class="card">${each(['Ann Lee', 'Bob Stone'], (who) => `<div class="row"><div>${who}</div><button says="${who}">✎</button></div>`)}</div>
      <div class="card pane"><div class="row"><h2>Cid Ray</h2><button says="Cid Ray">✎</button><button says="Cid Ray">🗑</button></div><p>Phone 555</p><button says="Cid Ray">Save</button></div></div>`,
  },
  {
    name: 'a dialog and the page, each with Save',
    html: `<div><h2>Notes</h2><p>Some text</p><button says="Notes">Save</button></div>
      <div class="shade"></div><div class="modal"><div class="row"><div style="font-size:20px">Edit profile</div><span class="x" says="Edit profile">×</span></div><div>Name: Ann</div><div class="row"><button says="Edit profile">Cancel</button><button says="Edit profile">Save</button></div></div>`,
  },
  {
    name: 'answers that helped',
    html: each(
      ['How do I pay?', 'Where is my order?'],
      (question) =>
        `<div class="card"><div class="x" says="-Yes|-No">${question}</div><p>It is all written in the letter that came with it.</p><div class="row"><span>Helpful?</span><button says="${question}">Yes</button><button says="${question}">No</button></div></div>`,
    ),
  },
  {
    name: 'a list of terms',
    html: `<dl>${each(
      [
        ['Phone', '555 0101'],
        ['Address', '12 Main St'],
        ['Mail', 'ann@example.org'],
      ],
      ([term, value]) => `<dt>${term}</dt><dd>${value} <button says="${term}|${value}">Edit</button></dd>`,
    )}</dl>`,
  },
  {
    name: 'a table of row headers with choices in cells',
    html: `<table><tr><th>Role<th>Read<th>Write</tr>${each(['Owner', 'Guest'], (role) => `<tr><th scope="row">${role}<td><span class="x" says="${role}">None</span><td><span class="x" says="${role}">Some</span><td><span class="x" says="${role}">✎</span></tr>`)}</table>`,
  },
  {
    name: 'rows of a grid of boxes with roles',
    html: `<div role="grid" aria-label="Orders">${each(
      [
        ['1002', 'Grace Hopper', 'open'],
        ['1003', 'Alan Kay', 'open'],
      ],
      ([number, who, state]) =>
        `<div role="row" class="row"><div role="gridcell"><span class="x" style="width:14px;height:14px;display:inline-block" says="${who}"></span></div><div role="gridcell">${number}</div><div role="gridcell">${who}</div><div role="gridcell">${state}</div><div role="gridcell"><span class="x" says="${who}">⋮</span></div></div>`,
    )}</div>`,
  },
  {
    name: 'rows that are only contents of a grid',
    html: `<div style="display:grid;grid-template-columns:repeat(3,120px)">${each(['Alpha', 'Beta', 'Gamma'], (what) => `<div style="display:contents"><div>${what}</div><div>12 kB</div><div><span class="x" says="${what}">⬇</span></div></div>`)}</div>`,
  },
  {
    name: 'plans with a price first',
    html: `<div class="grid">${each(
      [
        ['$ 9', 'Basic'],
        ['$ 29', 'Plus'],
        ['$ 99', 'Business'],
      ],
      ([price, plan]) =>
        `<div class="card"><div style="font-size:30px">${price}</div><div>${plan}</div><div>per month</div><button says="${plan}">Choose</button></div>`,
    )}</div>`,
  },
  {
    name: 'parts of a summary, French',
    html: each(
      [
        ['Adresse', '12 rue Haute'],
        ['Livraison', 'Demain'],
        ['Paiement', 'Carte'],
      ],
      ([part, text]) =>
        `<section><div class="row"><h3>${part}</h3><a href="#" says="${part}">Modifier</a></div><p>${text}</p></section>`,
    ),
  },
  {
    name: 'songs with numbers',
    html: each(
      [
        ['1', 'Blue in Green', '5:37'],
        ['2', 'So What', '9:22'],
        ['3', 'All Blues', '11:33'],
      ],
      ([number, song, time]) =>
        `<div class="row"><span>${number}</span><div><div>${song}</div><div>Miles Davis</div></div><span>${time}</span><span class="x" says="${song}">♥</span><span class="x" says="${song}">⋯</span></div>`,
    ),
  },
  {
    name: 'a cart with steps',
    html: each(
      ['Green tea', 'Black coffee'],
      (what) =>
        `<div class="row"><a href="#${what}">${what}</a><div class="row"><span class="x" says="${what}">−</span><span>2</span><span class="x" says="${what}">+</span></div><span class="x" says="${what}">×</span></div>`,
    ),
  },
  {
    name: 'companies with a letter as logo',
    html: each(
      [
        ['S', 'Stripe'],
        ['S', 'Spotify'],
        ['S', 'Salesforce'],
      ],
      ([letter, company]) =>
        `<div class="row"><div class="av sq">${letter}</div><div><div>${company}</div><div>Follows 3 people</div></div><div class="x" says="${company}">Following</div></div>`,
    ),
  },
  {
    name: 'news with their age',
    html: each(
      [
        ['2h ago', 'Your order was sent'],
        ['2h ago', 'Ann wrote to you'],
        ['1d ago', 'New login from Oslo'],
      ],
      ([age, text]) =>
        `<div class="row"><span>${age}</span><span>${text}</span><span class="x" says="${text}">✕</span></div>`,
    ),
  },
  {
    name: 'open files with a cross',
    html: `<div class="row">${each(['main.ts', 'app.css', 'read.me'], (file) => `<div class="x" says="-×"><span>${file}</span> <span class="x b" says="${file}">×</span></div>`)}</div>`,
    css: '.b { cursor: pointer }',
  },
  {
    name: 'chips of two groups',
    html: each(
      [
        ['Skills', 'Go', 'SQL'],
        ['Tools', 'SQL', 'Git'],
      ],
      ([title, ...chips]) =>
        `<div><div>${title}</div><div class="row">${each(chips, (chip) => `<span class="card">${chip} <span class="x" says="${chip === 'SQL' ? `${title}|SQL, ${title}` : chip}">✕</span></span>`)}</div></div>`,
    ),
  },
  {
    name: 'bars of two editors',
    html: each(
      ['Summary', 'Details'],
      (title) =>
        `<div><div>${title}</div><div class="row">${each(['B', 'I', 'U'], (one) => `<span class="x" says="${title}">${one}</span>`)}</div><div contenteditable="true">text</div></div>`,
    ),
  },
  {
    name: 'a menu in a menu, opened by our presses',
    html: `${each(['Report', 'Budget'], (what) => `<div class="row"><div>${what}</div><span class="x" data-menu="m" id="of-${what}" says="${what}">⋮</span></div>`)}<template id="m"><div class="x" id="more" says="Budget">Share</div><div class="x" says="Budget">Move</div></template>`,
    setup: () => {
      for (const opener of document.querySelectorAll<HTMLElement>('[data-menu]'))
        opener.addEventListener('click', () => {
          const box = document.createElement('div')
          box.className = 'pop'
          box.innerHTML = document.querySelector<HTMLTemplateElement>('#m')!.innerHTML
          document.body.append(box)
          box.querySelector('#more')!.addEventListener('click', () => {
            const inner = document.createElement('div')
            inner.className = 'pop'
            inner.style.left = '420px'
            inner.innerHTML =
              '<div class="x" says="Budget|Share">Copy link</div><div class="x" says="Budget|Share">By mail</div>'
            document.body.append(inner)
          })
        })
    },
    press: ['#of-Budget', '#more'],
  },
]
