// The words and answers in English. An entry `kind: phrase, phrase` names what the phrases mean, `kind=value+kind` several
// tokens; `word*` may have an ending of up to three letters. Answers are parted by `¦`.
const common = `
_: a, an, id, ill, im, the, please, pls, plz, i, we, you, me, us, my, our, your, would, will, shall, could, can, may i,
 may we, as, into, onto, want, wanna, wish, need, to, of, is, are, be, like, love, d, s, m, ll, ve, let, lets, just, so,
 ok, okay, also, too, now, with, on, do, does, sorry, wait, actually, here, right, have to, thats, got, get, give,
 there, kind, possible, if possible, able, hope, looking for, i am, any, some, hmm, well, oh, um, then, maybe, perhaps,
 changed my mind, i think, us down, put us, has, if you can, made of, made from, out of, about the, after all; hello:
 hi, hello, hey, good morning, good evening, good afternoon, good day, dear, hiya, howdy, greetings, good night; thanks:
 thanks, thank you, thx, cheers, thank you very much, many thanks, thanks a lot; help: help, what can you do, what can i
 say, what can i ask, how does this work, what do you do, who are you, what are you, are you a real ai, are you a robot,
 are you human, are you an ai, are you real, which model are you; undo: undo, undo that, undo it, undo this, undo the
 last change, take that back, revert that, revert, go back on that; not: not, no, dont, don t, never, without, nothing,
 isn t, aren t, can t, cannot, didn t, except, instead of, rather than, no longer, not any more; all: all, every,
 everything, each, whole, all of; only: only; it: it, that, them, this, these, this one, that one, these ones, those,
 its, of these, of those, of them; q: ?; have: do you have, have you got, you got, have, is there, are there, do you
 offer, sell, there is; and: and, plus, as well as, &; in: in; for: for; attime: at, around, about, by around, at about,
 at around, @; from: from, since; people: people, persons, person, guests, guest, pax, adults, adult, kids, kid,
 children, child, of us, seats; weare: we are, we re, we r, we will be, we ll be, there will be, party of, group of,
 there are; num=0: zero; num=1: one; num=2: two, couple of, pair of; num=3: three; num=4: four; num=5: five; num=6: six;
 num=7: seven; num=8: eight; num=9: nine; num=10: ten; num=11: eleven; num=12: twelve, dozen; num=13: thirteen; num=14:
 fourteen; num=15: fifteen; num=16: sixteen; num=20: twenty; num=30: thirty; nth=1: first, 1st; nth=2: second, 2nd;
 nth=3: third, 3rd; nth=4: fourth, 4th; nth=5: fifth, 5th; nth=-1: last; day=0: today; day=0+part=evening: tonight, this
 evening; day=1: tomorrow, tmrw, tmr, tomorow; day=2: day after tomorrow; next: next, coming; days: days, day; weeks:
 weeks, week; part=morning: morning, in the morning, am, a.m.; part=noon: noon, midday, lunchtime, at noon, lunch;
 part=afternoon: afternoon, in the afternoon; part=evening: evening, in the evening, night, at night, pm, p.m.; oclock:
 o clock, oclock, hrs, hours; shift=30: half past, half; shift=15: quarter past; shift=-15: quarter to; euro: euro,
 euros, eur, €, bucks; under: under, below, less than, cheaper than, at most, up to, max, maximum; best=low: cheapest,
 cheapest one, cheapest ones, least expensive, lowest priced, cheapest of them, cheapest of those; best=high: most
 expensive, most expensive one, priciest, dearest; instead: instead, rather, better; nameis: name is, i am called, my
 name s; lastis: under the name, under the name of, in the name of, name of; change: change, set, make, make it, make
 that, switch, update, move, move it, correct, mark, should be, edit, adjust; remove: remove, take out, take off, drop,
 get rid of, throw out, delete, erase, scrap, skip, cancel the, take them out, take it out, take that out, take those
 out, lose, ditch; clear: clear, empty, reset, clear out, forget; show: show, list, see, find, search, search for, look
 for, display, view, browse, look at, tell; what: what, which; howmany: how many, number of, count; when: when, what
 time, what times, at what time, which times, which days, what days, which day; howmuch: how much, what does, cost,
 costs, price, prices, price of, how expensive, what do, pay, come to, what would, amount; private: password, passwords,
 credit card, card number, pin; party=2: the two of us, us two, me and my wife, my wife and me, my wife and i, me and my
 husband, my husband and me, my husband and i, me and my partner, my partner and i, me and a friend
`
const booking = `
table: table, tables, a spot, reservation, booking, place, room, dinner, to eat, dine, have dinner, a seat; _: only fill
 in the form, just fill in the form, i send it myself, i will send it myself, i ll send it myself; book: book, reserve,
 make a reservation, make a booking, get a table, need, take, have, like to come; free: free, available, availability,
 open slots, left, space, vacancy, vacancies; open: open, opened, opening, closed, opening hours, opening times, hours,
 close, closes, closing, shut, shuts, closing time; submit: send the booking, send it, submit, submit it, book it,
 confirm, confirm it, send it off, submit the form, send the form, send the reservation, confirm the booking, finish the
 booking; filled: what did you fill in, what is filled in, what have you filled in, so far, what did you enter;
 seating=Dining room: dining room, inside, indoors, in the dining room; seating=Terrace: terrace, outside, outdoors, al
 fresco, patio; seating=At the bar: bar, at the bar, bar seats, counter; occasion=Birthday: birthday, bday, birthday
 party, birthday dinner; occasion=Anniversary: anniversary, wedding anniversary; diet=Vegetarian: vegetarian,
 vegetarians, veggie; diet=Vegan: vegan, vegans; diet=Gluten-free: gluten free, coeliac, celiac; diet=Halal: halal;
 diet=Kosher: kosher; check=High chair: high chair, highchair, baby chair, baby seat; check=Step-free way to the table:
 step free, step free way, step free access, wheelchair, wheelchair access, in a wheelchair, wheelchair user; allergy:
 allergic, allergy, allergies, can t eat, cannot eat, don t eat, intolerant, can t have, cannot have; food: shellfish,
 nuts, nut, peanuts, peanut, fish, eggs, egg, milk, soy, sesame, pork, mushrooms, onions, garlic, seafood, celery,
 wheat, alcohol, mustard, shrimp, meat, gluten, lactose; wish: window, by the window, window seat, at the window, quiet
 corner, quiet, quiet table; sit: sit, seating, seated, table on; who_: mom, mum, mother, dad, father, wife, husband,
 friend, sister, brother, son, daughter, guest, one of us, one of my guests, she, he, her, his, they, another one,
 another, someone, partner, celebrate, celebrating, it is, it s, bring, coming, come; f=date: date, day; f=time: time,
 arrival time, arrival; f=guests: number of guests, number of people, party size; f=name: name; f=email: email, e mail,
 mail, email address, e mail address, mail address; f=phone: phone, telephone, phone number, mobile, number, call me,
 call me back, reach me at, tel, call us; f=notes: notes, note, wishes, allergies and wishes; later=60: an hour later,
 one hour later, 1 hour later; later=-60: an hour earlier, one hour earlier, 1 hour earlier; later=30: half an hour
 later, 30 minutes later; later=-30: half an hour earlier, 30 minutes earlier; later=15: 15 minutes later, a quarter of
 an hour later; diet=Lactose-free: lactose free, lactose intolerant, dairy free, lactose intolerance; change: put, put
 us, shift, let s do; occasion=Family dinner: family dinner, family meal; occasion=Team dinner: team dinner, team meal;
 occasion=Client lunch: client lunch, business lunch
`
const shop = `
cart: cart, basket, shopping cart, bag, trolley, shopping basket; add: add, put, buy, order, i ll take, throw in,
 purchase, place, put in, i will take, we will take, we ll take; stock: in stock, stock, available, availability, still
 have, left; delivery: delivery, deliver, delivered, shipping, ship, arrive, arrives, get to, gets to, send, sent;
 howlong: how long, take, takes, when, how fast, how soon, till, how quickly; coupon: coupon, code, discount code,
 voucher, promo code, promotion code; fromcart: from the cart, from my cart, out of the cart, out of my cart, from the
 basket, from my basket, out of my basket, from my bag, out; apply: apply, use, redeem, enter, activate; remember:
 remember, i live in, remember that, we live in, remember my city, live; total: total, together, altogether, in total,
 sum, so far, pay, owe; product: product, products, thing, things, item, items, article, articles, something, anything,
 goods, ones; nth=1+product: first one; nth=2+product: second one; nth=3+product: third one; contents: what s in, what
 is in, what do i have in, inside, contents, content; count: pieces, piece, more, of, quantity, pack*, packet*, box,
 boxes; category=pots: teapot, teapots, tea pot, tea pots, pot, pots; category=cups: cup, cups, mug, mugs;
 category=kettles: kettle, kettles; category=tea: tea, teas; category=extras: extras, accessories, accessory;
 num=1+count: another, another one; remove+num=1: take one out, take one off, one less, one fewer; have: got any,
 anything for, anything to, something to, something for, anything with, do you carry, do you stock
`
const orders = `
orders: order, orders, ones, list, table, entries; late: late, overdue, delayed, behind schedule; status=New: new,
 status new; status=Packed: packed; status=Shipped: shipped, sent, on its way, on their way; status=Delivered:
 delivered; status=Cancelled: cancelled, canceled; cancelorder: cancel; change+status=Shipped: ship;
 change+status=Packed: pack; filters: filter, filters, filters again; sort: sort, order by, sort by, sorted, sort the
 list by, arrange, by, on top, at the top, put; col=Order: number, order number; col=Customer: customer, customers,
 customer name, client; col=Ordered: date, order date, ordered; col=Ship by: ship by, ship date, shipping date, ship by
 date, due date; col=Total: total, sum, amount, price, value; col=Status: status; asc: ascending, smallest first, lowest
 first, oldest first, a to z, cheapest first; desc: descending, biggest first, highest first, largest first, newest
 first, most expensive first, z to a; nextpage: next page, go to the next page, page forward; prevpage: previous page,
 last page back, go back a page, page back; open: open, show details of, details, open up; note: note, add a note,
 comment, write; best=high: biggest, largest, highest; best=low: smallest, lowest
`
const answers = `
offers_booking: A table for 4 on Friday at 19:30 on the terrace / Is a table free on Saturday for 6? / What did you fill
 in? ¦ offers_shop: Find the cheapest teapot / Add two Celadon cups to the cart / What is in my cart? ¦ offers_orders:
 Show only late orders / Sort by total, biggest first / Mark order 4148 as packed ¦ hello: Hello! I am the offline
 model: fixed rules, not a language model. I act only when I understand every word. ¦ can_booking: On this page of a
 restaurant I look for free tables and fill in the booking form. You send it yourself. ¦ can_shop: In this tea shop I
 find products, change the cart, and tell stock and delivery times. ¦ can_orders: At this order desk I filter and sort
 orders, open them, and change their status. ¦ try: You can say, for example: ¦ unknown: I did not understand {0}, so I
 did nothing. ¦ known: I understood {0}. ¦ together: I know these words, but not what they ask for together, so I did
 nothing: {0}. ¦ real: A real model understands more. Choose one with “Offline model” at the top. ¦ server: A real model
 understands more: set MODEL_ENDPOINT and MODEL_API_KEY for this server, and start it again. ¦ languages: I know
 English, German, French, Spanish, Chinese, Japanese and Arabic. ¦ filled: Filled in: {0}. ¦ refused: {0} was not
 accepted: {1}. ¦ missing: Still needed: {0}. ¦ submit: Nothing was submitted. Please check it, and press “{0}”
 yourself. ¦ hand: I cannot do that for you. Please press “{0}” yourself. ¦ private: I never fill in passwords, cards
 and codes. Please type them yourself. ¦ took: I took “{0}” to be {1}. ¦ day: “{0}” can be {1} or {2}. Which day do you
 mean? ¦ time: At what time exactly? ¦ name: I cannot tell first and last name of “{0}” apart. Write “First name: …,
 Last name: …”. ¦ which: Which one do you mean: {0}? ¦ says: The page says: “{0}” ¦ nofield: I found no field “{0}” on
 this page. ¦ nothing: I found nothing. ¦ cart: In the cart: {0}. Total: {1}. ¦ empty: The cart is empty. ¦ added: {0}
 put into the cart. ¦ now: {0}: {1} now, {2} before. ¦ emptied: The cart is empty now. Taken out: {0}. ¦ stock: {0}: {1}
 in stock. ¦ delivery: Delivery to {0} takes {1} working days and arrives on {2}. ¦ coupon: Coupon {0}: {1} % off. The
 total is {2}. ¦ place: {0} is remembered for deliveries. ¦ failed: That did not work: {0} ¦ denied: You did not allow
 it, so I left it. ¦ moved: You went on without answering, so I left it. ¦ stopped: It was stopped. ¦ left: The page was
 left before there was an answer. ¦ unsure: It may have happened all the same, so please check. ¦ retried: The first try
 failed, the second worked. ¦ elsewhere: I cannot help with that on this page. Another page may have a tool for it: {0}
 ¦ steps: All {0} steps are done. ¦ some: {0} of {1} steps are done. ¦ open: left open ¦ undone: I took it back. ¦
 noundo: There is nothing that I can take back. ¦ already: It is so already. ¦ thanks: You are welcome. ¦ filters:
 Filters: {0}. ¦ counted: With {0}, the page says “{1}”. Its filters are as they were. ¦ nofilter: No filter is set. ¦
 noorder: I see no order {0}. ¦ opened: Order {0} is open. ¦ unclear: I pressed it, but saw no message of the page.
 Please check.
`

export const english = { words: { common, booking, shop, orders, page: '' }, answers }
