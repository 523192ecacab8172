// The words and answers in Spanish. See `en.ts` for the form.
const common = `
_: un, una, unos, unas, el, la, los, las, lo, de, del, al, por favor, porfa, yo, nosotros, me, nos, te, le, les, se, mi,
 mis, nuestro, nuestra, tu, su, quisiera, quisiéramos, quiero, queremos, querría, querríamos, me gustaría, nos gustaría,
 puedo, puede, puedes, pueden, podría, podrían, podrías, podemos, es, son, están, estar, ser, sea, sería, a, con, sobre,
 necesito, necesitamos, ahora, también, muy, bien, ok, perdón, disculpe, hacer, favor, ese, esa, esos, esas, este, esta,
 estos, estas, soy, tener, pues, si, solo quiero, si es posible, tengo, como, alguna, alguno, algún, tenemos, os, algo,
 entonces, quizás, quizá, creo, por favor y, ponernos, tendría, hemos, he, va, íbamos, éramos, te queda; hello: hola,
 buenos días, buenas tardes, buenas noches, buenas, saludos, qué tal, buen día; thanks: gracias, muchas gracias, mil
 gracias; help: ayuda, ayúdame, qué puedes hacer, quién eres, qué sabes hacer, cómo funciona, eres un robot, qué eres;
 undo: deshacer, deshaz, deshazlo, deshaz eso, deshacer eso, revierte, revierte eso; not: no, sin, nunca, ningún,
 ninguna, nada, excepto, menos los, tampoco, en vez de, en lugar de, ya no; all: todo, todos, toda, todas, cada; only:
 sólo, solamente, únicamente; it: eso, esto, ese producto, de estos, de esos; q: ?, ¿; have: tienen, tenéis, tienes,
 hay, venden, vendéis, ofrecen, queda, quedan, habrá, tendrían, tenéis algo, hay algo, tendríais; and: y, e, más, así
 como, &; in: en, dentro de; for: para; attime: a las, a la, sobre las, hacia las, alrededor de las, a eso de las, para
 las; from: desde, a partir de, a partir del; people: persona*, comensales, invitados, gente, adultos, niños; weare:
 somos, seremos, vamos, seríamos; num=1: uno; num=2: dos, un par de; num=3: tres; num=4: cuatro; num=5: cinco; num=6:
 seis; num=7: siete; num=8: ocho; num=9: nueve; num=10: diez; num=11: once; num=12: doce, una docena de; num=20: veinte;
 nth=1: primer*; nth=2: segund*; nth=3: tercer*; nth=-1: últim*; day=0: hoy; day=0+part=evening: esta noche; day=1:
 mañana; day=2: pasado mañana; next: próximo, próxima, que viene, siguiente; days: días, día; weeks: semanas, semana;
 part=morning: de la mañana, por la mañana; clock=12:00: mediodía; part=afternoon: tarde, de la tarde, por la tarde;
 part=evening: noche, por la noche; oclock: horas, hora, h, en punto; shift=30: y media; shift=15: y cuarto; shift=-15:
 menos cuarto; euro: euro, euros, eur, €; under: menos de, por menos de, hasta, máximo, por debajo de; best=low: más
 barat*, más económic*; best=high: más caro, más cara, más caros, más caras; instead: mejor, en su lugar, en cambio;
 nameis: me llamo, nombre es; lastis: a nombre de, al nombre de; change: que sean, que sea, cambi*, pon, ponga, poner,
 ponlo, marca*, marque, modifica*, mueve, mover, actualiza*; remove: quita*, quite, saca, saque, sacar, retir*, elimin*,
 borra*, borre, olvida, olvídate de, sácame, déjalo sin; clear: vacía, vacíe, vaciar, limpi*, restablece; show: muestr*,
 mostra*, muéstr*, enséñame, enseña, busca*, busque, encuentra, ver, lista, dime, dígame, mira, enseñe, enseñen; what:
 qué, cuál, cuáles; howmany: cuántos, cuántas, número de; when: cuándo, a qué hora, qué días, qué día; howmuch: cuánto,
 cuánto cuesta, cuánto cuestan, cuesta, cuestan, precio, precios, cuánto vale, vale, pagar, costaría, costarían;
 private: contraseña, tarjeta de crédito, tarjeta; party=2: nosotros dos, los dos, mi mujer y yo, mi marido y yo, mi
 pareja y yo, mi novia y yo, mi novio y yo
`
const booking = `
table: mesa, mesas, cenar, comer, cena, sitio; book: reservar, reserve, reserva, resérvame, venimos, vendremos, vamos a
 ir; free: libre*, disponible, disponibles, disponibilidad; open: abierto*, abren, abrís, cerrado*, horario*, cierran,
 cierre, abre, cierra, cerráis, apertura; submit: envía, enviar, envíe, confirm*, envía la reserva, enviar la reserva,
 confirma la reserva, confirmar la reserva; filled: qué has rellenado, hasta ahora; seating=Dining room: comedor, en el
 comedor, dentro, interior, en el interior; seating=Terrace: terraza, en la terraza, fuera, afuera, al aire libre;
 seating=At the bar: barra, en la barra, bar, en el bar; occasion=Birthday: cumpleaños; occasion=Anniversary:
 aniversario; diet=Vegetarian: vegetarian*; diet=Vegan: vegan*; diet=Gluten-free: sin gluten, celíac*; diet=Halal:
 halal; diet=Kosher: kosher; check=High chair: trona, silla alta, silla de bebé; check=Step-free way to the table: silla
 de ruedas, sin escalones, en silla de ruedas, acceso sin escalones; allergy: alérgico, alérgica, alergia, alergias, no
 come, no como, intolerante*, intolerante* a, no puede comer, no puedo comer, no puede tomar, no puedo tomar; food:
 marisco, mariscos, nueces, cacahuetes, cacahuete, frutos secos, pescado, huevos, huevo, leche, soja, sésamo, cerdo,
 setas, cebolla, ajo, apio, trigo, alcohol, mostaza, carne, gluten, lactosa; wish: ventana, junto a la ventana, al lado
 de la ventana, rincón tranquilo, tranquilo, mesa tranquila, tranquila; sit: sentarnos, sentados, sentarme; who_: madre,
 mamá, padre, papá, mujer, esposa, marido, amigo, amiga, hermana, hermano, hijo, hija, uno de nosotros, una persona,
 celebramos, celebrar, alguien, pareja; f=date: fecha; f=time: hora, hora de llegada; f=guests: número de personas,
 número de comensales; f=name: nombre; f=email: correo, correo electrónico, email, e mail, mail; f=phone: teléfono,
 número, móvil, número de teléfono, llámame al, tel; f=notes: nota, observaciones; later=60: una hora más tarde, una
 hora después, 1 hora más tarde; later=-60: una hora antes, 1 hora antes, una hora más temprano; later=30: media hora
 más tarde, media hora después; later=-30: media hora antes; later=15: un cuarto de hora más tarde; diet=Lactose-free:
 sin lactosa, intolerante* a la lactosa, intolerancia a la lactosa; occasion=Family dinner: cena familiar, comida
 familiar; occasion=Team dinner: cena de equipo, cena de empresa; occasion=Client lunch: comida de negocios
`
const shop = `
cart: carrito, cesta, carro, carrito de la compra; add: añade, añada, añadir, agreg*, pon, ponga, poner, compra*, mete,
 llevo, ponme, añádeme, dame, deme, dadme, nos llevamos; stock: existencias, en stock, stock, disponible, disponibles,
 disponibilidad, en existencias; delivery: entrega, envío, enviar, llega, llegar, entregar, llegaría, tardaría; howlong:
 cuánto tarda, cuánto tiempo, tarda, cuánto tardaría, cuánto dura, en llegar; coupon: cupón, código, código de
 descuento, vale; fromcart: del carrito, de mi carrito, de la cesta, del carro; apply: aplica*, aplique, usa, usar, use,
 canjea; remember: vivo en, vivimos en, recuerda, recuerda que; total: total, en total, juntos, juntas, todo junto,
 suma; product: producto*, artículo*, cosa, cosas, algo; contents: contenido, contiene, qué hay en; count: unidad*, más,
 paquete*, cantidad; category=pots: tetera*; category=cups: taza, tazas, vaso, vasos; category=kettles: hervidor*;
 category=tea: té, tés; category=extras: accesorio*; product_=pot-kyoto: tetera* kyoto, tetera* de hierro, tetera* de
 hierro fundido, tetera* de kyoto; product_=pot-betty: tetera* brown betty, tetera* de barro, tetera* de arcilla;
 product_=pot-glass: tetera* de cristal, tetera* de vidrio, tetera* glass; product_=cup-celadon: taza* celadón, taza* de
 celadón, taza* de gres; product_=cup-travel: taza* de viaje, vaso* de viaje; product_=kettle-goose: hervidor* de cuello
 de cisne, hervidor* cuello de cisne, cuello de cisne, hervidor* eléctrico*; product_=kettle-hob: hervidor* esmaltado*,
 hervidor* de esmalte, hervidor* de fogón, hervidor* hob; product_=tea-sencha: té* verde*, té* verde* sencha, té*
 sencha; product_=tea-assam: té* negro*, té* negro* assam, té* assam; product_=tea-mint: menta, menta marroquí, té* de
 menta, té* de menta marroquí; product_=whisk-matcha: batidor*, batidor* de bambú, batidor* de matcha;
 product_=sieve-fine: colador*, colador* de té, colador* fino*, colador* de té fino*; num=1+count: otro, otra; num=1:
 una; remove+num=1: uno menos, una menos
`
const orders = `
orders: pedido*, lista, tabla, orden, órdenes; late: atrasado*, retrasado*, tarde, con retraso; status=New: nuevo*,
 nueva*; status=Packed: empaquetado*, embalado*, preparado*; status=Shipped: enviado*, expedido*; status=Delivered:
 entregado*; status=Cancelled: cancelado*, anulado*; cancelorder: cancela, cancelar, cancele, anula, anular;
 change+status=Shipped: envía, enviar, envíe; change+status=Packed: empaqueta, empaquetar; filters: filtro*; sort:
 ordena*, ordene, ordena por, ordenar por, por, arriba, arriba del todo; col=Order: número, número de pedido;
 col=Customer: cliente*; col=Ordered: fecha, fecha de pedido; col=Ship by: fecha de envío; col=Total: total, importe,
 precio, suma; col=Status: estado; asc: ascendente, de menor a mayor; desc: descendente, de mayor a menor; nextpage:
 siguiente página, página siguiente, a la página siguiente, próxima página; prevpage: página anterior, anterior página,
 a la página anterior; open: abre, abrir, abra, detalles; note: nota, anotación, escribe, añade una nota; best=high: más
 grande, más grandes, mayor, más alto; best=low: más pequeño, menor, más bajo
`
const answers = `
offers_booking: Una mesa para 4 el viernes a las 19:30 en la terraza / ¿Hay una mesa libre el sábado para 6? / ¿Qué has
 rellenado? ¦ offers_shop: Muestra la tetera más barata / Añade dos tazas celadón al carrito / Muestra mi carrito ¦
 offers_orders: Muestra solo los pedidos atrasados / Ordena por total descendente / Marca el pedido 4148 como
 empaquetado ¦ hello: ¡Hola! Soy el modelo sin conexión: reglas fijas, no un modelo de lenguaje. Solo actúo si entiendo
 cada palabra. ¦ can_booking: En esta página de un restaurante busco mesas libres y relleno el formulario. Lo envía
 usted. ¦ can_shop: En esta tienda de té busco productos, cambio el carrito y digo existencias y plazos de entrega. ¦
 can_orders: En esta lista de pedidos filtro, ordeno y abro pedidos, y cambio su estado. ¦ try: Puede decir, por
 ejemplo: ¦ unknown: No he entendido {0}, así que no he hecho nada. ¦ known: He entendido {0}. ¦ together: Conozco estas
 palabras, pero no lo que piden juntas, así que no he hecho nada: {0}. ¦ real: Un modelo de verdad entiende más. Elija
 uno arriba, en «Offline model». ¦ server: Un modelo de verdad entiende más: dé MODEL_ENDPOINT y MODEL_API_KEY a este
 servidor y reinícielo. ¦ filled: He rellenado: {0}. ¦ refused: {0} no se aceptó: {1}. ¦ missing: Todavía falta: {0}. ¦
 submit: No se ha enviado nada. Revíselo y pulse usted mismo «{0}». ¦ hand: No puedo hacerlo por usted. Pulse usted
 mismo «{0}». ¦ private: Nunca relleno contraseñas, tarjetas ni códigos. Escríbalos usted mismo. ¦ took: He entendido
 «{0}» como {1}. ¦ day: «{0}» puede ser {1} o {2}. ¿Qué día quiere decir? ¦ time: ¿A qué hora exactamente? ¦ name: No
 distingo nombre y apellido en «{0}». Escriba «First name: …, Last name: …». ¦ which: ¿Cuál quiere decir: {0}? ¦ says:
 La página dice: «{0}» ¦ nofield: En esta página no hay ningún campo «{0}». ¦ nothing: No he encontrado nada. ¦ cart: En
 el carrito: {0}. Total: {1}. ¦ empty: El carrito está vacío. ¦ added: Puesto en el carrito: {0}. ¦ now: {0}: ahora {1},
 antes {2}. ¦ emptied: El carrito está vacío ahora. Se ha quitado: {0}. ¦ stock: {0}: {1} en existencias. ¦ delivery: La
 entrega en {0} tarda {1} días laborables y llega el {2}. ¦ coupon: Cupón {0}: {1} % de descuento. El total es {2}. ¦
 place: {0} queda guardado para las entregas. ¦ failed: No ha funcionado: {0} ¦ denied: Usted no lo permitió, así que no
 lo hice. ¦ moved: Usted siguió sin responder, así que no lo hice. ¦ stopped: Se ha detenido. ¦ left: Se salió de la
 página antes de la respuesta. ¦ unsure: Puede que se haya hecho de todos modos: compruébelo, por favor. ¦ retried: El
 primer intento falló, el segundo funcionó. ¦ elsewhere: No puedo ayudar con eso en esta página. Quizá otra página
 pueda: {0} ¦ steps: Los {0} pasos están hechos. ¦ some: {0} de {1} pasos están hechos. ¦ open: queda abierto ¦ undone:
 Lo he deshecho. ¦ noundo: No hay nada que pueda deshacer. ¦ already: Ya está así. ¦ thanks: De nada. ¦ filters:
 Filtros: {0}. ¦ counted: Con {0}, la página dice: «{1}». Los filtros están como antes. ¦ nofilter: No hay ningún filtro
 activo. ¦ noorder: No veo ningún pedido {0}. ¦ opened: El pedido {0} está abierto. ¦ unclear: He pulsado, pero no he
 visto ningún mensaje de la página. Compruébelo, por favor. ¦ languages: Entiendo español, inglés, alemán, francés,
 chino, japonés y árabe.
`

export const spanish = { words: { common, booking, shop, orders, page: '' }, answers }
