// The words and answers in German. See `en.ts` for the form.
const common = `
_: draus, daraus, ein, eine, einen, einem, einer, eines, der, die, das, den, dem, des, bitte, bitteschön, ich, wir, du,
 ihr, sie, mir, mich, euch, ihnen, mein, meine, meinen, meinem, meiner, unser, unsere, unseren, unserem, dein, deine,
 würde, würden, möchte, möchten, will, wollen, kann, können, könnte, könnten, könntest, kannst, dürfte, hätte, hätten,
 gern, gerne, mal, bin, ist, sind, sein, wäre, wären, werden, wird, auch, noch, so, zum, zur, mit, nur mal, doch, mögen,
 am, im, ins, vom, auf, an, jetzt, als, ok, okay, gut, also, brauche, brauchen, wünsche, wünschen, schön,
 entschuldigung, sorry, ja, etwa, circa, ca, es, dazu, dabei, einfach, direkt, da, bräuchte, bräuchten, soll, sollen,
 kurz, liebe, dann, wenn es geht, wenns, geht, ach, hm, naja, vielleicht, eigentlich, habe, hab, möcht, könnt, lass,
 lassen, wirs, wir s, denn, mach mal, wieder; hello: hallo, hi, hey, guten tag, guten morgen, guten abend, moin, servus,
 grüß gott, grüezi, guten, hallöchen, grüß dich; thanks: danke, dankeschön, vielen dank, danke dir, besten dank, danke
 sehr; help: hilfe, was kannst du, was kannst du tun, was kann ich sagen, wer bist du, was bist du, wie funktioniert
 das, hilf mir, bist du ein roboter, bist du ein mensch; undo: rückgängig, mach das rückgängig, mache das rückgängig,
 rückgängig machen, nimm das zurück, mach es rückgängig; not: nicht, kein, keine, keinen, keiner, keinem, nie, ohne,
 nichts, außer, statt, anstatt, anstelle von, nicht mehr; all: alle, alles, allen, aller, jede, jeden, jedes, sämtliche,
 ganz, ganze, gesamte, gesamten; only: nur, lediglich; it: davon, diesen, dieses, diese, diesem, den da, ihn; q: ?;
 have: gibt es, hast du, gibts, verkauft ihr, verkaufen sie, führt ihr, bietet ihr, hat, haben, gäbe es, habts ihr,
 habt, hätten sie, hättet ihr, gibt s; and: und, sowie, plus, &; in: in; for: für; attime: um, gegen, ab, so gegen;
 from: von, seit, ab dem; people: person*, leute*, gäste*, gast, menschen, erwachsene, kinder, plätze, mann, uns; weare:
 wir sind, wir kommen zu, sind wir, wir werden, wir wären, zu; party=2: zu zweit, zwei personen, uns zwei, uns beide,
 wir zwei, wir beide, meine frau und ich, meine frau und mich, mein mann und ich, meinen mann und mich; party=3: zu
 dritt; party=4: zu viert; party=5: zu fünft; party=6: zu sechst; party=7: zu siebt; party=8: zu acht; num=1: eins;
 num=2: zwei, zwo, ein paar; num=3: drei; num=4: vier; num=5: fünf; num=6: sechs; num=7: sieben; num=8: acht; num=9:
 neun; num=10: zehn; num=11: elf; num=12: zwölf, ein dutzend; num=20: zwanzig; nth=1: erste*; nth=2: zweite*; nth=3:
 dritte*; nth=-1: letzte*; day=0: heute; day=1: morgen; day=1+part=noon: morgen mittag; day=2: übermorgen; next:
 nächsten, nächste, nächster, nächstes, kommenden, kommende; days: tagen, tage, tag; weeks: wochen, woche; part=morning:
 morgens, früh, vormittags, vormittag, am morgen; part=noon: mittag, mittags; part=afternoon: nachmittag, nachmittags;
 part=evening: abend, abends, nachts, abends um; oclock: uhr; shift=-30: halb; shift=15: viertel nach; shift=-15:
 viertel vor; euro: euro, euros, eur, €; under: unter, weniger als, höchstens, maximal, günstiger als, billiger als, bis
 zu; best=low: billigste*, günstigste*, preiswerteste*; best=high: teuerste*; instead: stattdessen, lieber, besser;
 nameis: ich heiße, wir heißen, name ist, mein name lautet; lastis: auf den namen, auf namen, unter dem namen, auf den
 namen von; change: änder*, setze*, setz, mach, mache*, stell*, verschiebe*, verlege, markiere*, wechsle, korrigiere;
 remove: entferne*, nimm, raus, heraus, rausnehmen, wirf, herausnehmen, weg, nehme*, wegnehmen, lösche*, streich*,
 weglassen; clear: leere*, leer, ausleeren, zurücksetzen; show: zeig, zeige*, anzeigen, suche*, such, finde*, liste,
 auflisten, sehen, ansehen, sag, sage; what: was, welche, welcher, welches, welchen, wie; howmany: wie viele, wieviele,
 anzahl; when: wann, um wie viel uhr, um wieviel uhr, an welchen tagen, welche tage, welchen tag, ab wann, bis wann;
 howmuch: wie viel, wieviel, was kostet, was kosten, kostet, kosten, preis, preise, wie teuer, zahlen, bezahlen, macht,
 was macht, wie hoch ist; private: passwort, kennwort, kreditkarte, kartennummer; wd=5+part=evening: freitagabend;
 wd=6+part=evening: samstagabend
`
const booking = `
table: tisch, tische, platz, reservierung, buchung, essen, abendessen; book: reservie*, buche*, bestellen, komme,
 kommen; free: frei, freie*, verfügbar, plätze frei, was frei, platz frei, etwas frei; open: geöffnet, offen,
 öffnungszeiten, öffnet, geschlossen, ruhetag, schließt, macht ihr zu, macht ihr auf, schließen, öffnen, habt ihr auf,
 habt ihr zu, haben sie auf, haben sie zu, macht zu, macht auf; submit: absenden, schick ab, schick die reservierung ab,
 schicke die reservierung ab, schick es ab, abschicken, sende die buchung, bestätige*; filled: was hast du eingetragen,
 was ist eingetragen, was hast du ausgefüllt, bisher; seating=Dining room: drinnen, innen, speisesaal, gastraum;
 seating=Terrace: terrasse, draußen, im freien; seating=At the bar: bar, theke, tresen; occasion=Birthday: geburtstag,
 geburtstagsfeier, geburtstagsessen; occasion=Anniversary: jubiläum, hochzeitstag, jahrestag; diet=Vegetarian:
 vegetarisch*, vegetarier*; diet=Vegan: vegan, vegane*; diet=Gluten-free: glutenfrei, zöliakie; diet=Halal: halal;
 diet=Kosher: koscher; check=High chair: hochstuhl, kinderstuhl, kinderhochstuhl; check=Step-free way to the table:
 barrierefrei, stufenlos, rollstuhl, rollstuhlfahrer, rollstuhlfahrerin; allergy: allergisch, allergisch gegen,
 allergie, allergie gegen, verträgt, vertrage, gegen, unverträglichkeit, verträgt keine*, vertrage keine*, isst kein*,
 esse kein*; food: schalentiere, meeresfrüchte, nüsse, erdnüsse, fisch, eier, milch, soja, sesam, schweinefleisch,
 pilze, zwiebeln, knoblauch, sellerie, weizen, alkohol, senf, fleisch, gluten, laktose, nuss, nussallergie,
 erdnussallergie; wish: fenster, fensterplatz, ruhige ecke, ruhig, ruhigen tisch, ruhiger tisch, in einer ruhigen ecke;
 sit: sitzen, sitzplatz; who_: mutter, mama, vater, papa, frau, mann, freund, freundin, schwester, bruder, sohn,
 tochter, eine person, einer von uns, eine von uns, er, partner, partnerin, feiern, jemand; f=date: datum; f=time:
 uhrzeit, ankunftszeit, zeit; f=guests: gästezahl, personenzahl, anzahl der gäste, anzahl der personen; f=name: name,
 namen; f=email: e mail, email, mail, e mail adresse, mailadresse, emailadresse, mail adresse; f=phone: telefon,
 telefonnummer, handynummer, handy, nummer, rückruf, mobilnummer, unter; f=notes: notiz, anmerkung, bemerkung, wunsch,
 wünsche; later=60: eine stunde später, 1 stunde später; later=-60: eine stunde früher, 1 stunde früher; later=30: halbe
 stunde später; later=-30: halbe stunde früher; later=15: eine viertelstunde später; diet=Lactose-free: laktosefrei,
 laktosefreie*, laktoseintolerant, laktoseintoleranz; occasion=Family dinner: familienessen, familienfeier;
 occasion=Team dinner: teamessen, firmenessen; occasion=Client lunch: geschäftsessen
`
const shop = `
cart: warenkorb, einkaufswagen, korb, einkaufskorb, wagen; add: leg, lege, legen, pack, packe*, hinzufügen, füge, hinzu,
 kaufe*, ich nehme, wir nehmen, hinein, rein, bestellen, bestelle, tu, nehm, nehme ich, nehmen wir, gib mir; stock:
 lager, vorrätig, verfügbar, lieferbar, vorrat; delivery: lieferung, liefern, lieferzeit, liefert, versand, ankommen,
 versenden, verschickt, zugestellt, geliefert, kommt; howlong: wie lange, dauert, wie schnell, bis, brauchen, braucht;
 coupon: gutschein, gutscheincode, code, rabattcode, rabatt, coupon; fromcart: aus dem warenkorb, aus dem korb, aus
 meinem warenkorb, aus dem einkaufswagen, vom warenkorb; apply: einlösen, löse, ein, verwende*, benutze, nutze,
 anwenden, wende; remember: merk dir, merke dir, ich wohne in, wir wohnen in, ich lebe in, wohne; total: gesamt,
 insgesamt, zusammen, summe, gesamtsumme, gesamtbetrag, zu zahlen; product: produkt*, artikel, sachen, dinge, ding,
 etwas, ware, waren, was, irgendwas; contents: inhalt, drin, was ist drin, liegt, steckt; count: stück*, mal, mehr,
 weitere, packung*, dose*, tüte*, menge; category=pots: teekanne*, kanne*; category=cups: tasse*, becher*;
 category=kettles: wasserkocher, kessel, wasserkessel; category=tea: tee, tees, teesorten; category=extras: zubehör;
 product_=pot-kyoto: kyoto kanne*, kyoto teekanne, gusseiserne kanne; product_=pot-betty: brown betty kanne, brown betty
 teekanne, tonkanne; product_=pot-glass: glaskanne*, glasteekanne*, gläserne teekanne; product_=cup-celadon: celadon
 becher*, celadon tasse*, celadonbecher*, celadontasse*; product_=cup-travel: reisebecher*, reisetasse*, thermobecher*,
 travel cup*, stahlbecher*; product_=kettle-goose: schwanenhalskessel*, schwanenhals wasserkocher*, schwanenhals
 kessel*, gooseneck kessel*; product_=kettle-hob: herdkessel*, emaillekessel*, emailkessel*, flötenkessel*;
 product_=tea-sencha: grüner tee, grünen tee, grüntee, sencha tee; product_=tea-assam: schwarzer tee, schwarzen tee,
 schwarztee, assam tee; product_=tea-mint: marokkanische minze, minztee*, pfefferminztee*, minze, marokkanischen
 minztee; product_=whisk-matcha: bambusbesen*, matchabesen*, matcha besen, schneebesen, besen; product_=sieve-fine:
 teesieb*, sieb*, feines teesieb, feine teesieb, feines sieb; _: nach, aus; num=1+count: noch eine, noch einen, noch
 ein, noch eins
`
const orders = `
from: aus; orders: bestellung*, auftr*, liste, tabelle, order*; late: verspätet*, überfällig*, zu spät, verzögert*;
 status=New: neu, neue, neuen, neuer; status=Packed: gepackt*, verpackt*, eingepackt; status=Shipped: versendet*,
 versandt*, verschickt, verschickte*, unterwegs, abgeschickt; status=Delivered: geliefert, gelieferte*, zugestellt,
 zugestellte*, ausgeliefert*; status=Cancelled: storniert*, abgesagt; cancelorder: storniere, stornieren;
 change+status=Shipped: versende, verschicke; filters: filter; sort: sortier*, ordne, nach, nach oben, ganz oben, oben;
 col=Order: nummer, bestellnummer; col=Customer: kunde*, kundenname; col=Ordered: datum, bestelldatum; col=Ship by:
 versanddatum, liefertermin, versandtermin; col=Total: summe, betrag, gesamtbetrag, preis, gesamtsumme, wert;
 col=Status: status; asc: aufsteigend, kleinste zuerst, älteste zuerst, kleinster zuerst; desc: absteigend, größte
 zuerst, höchste zuerst, neueste zuerst, größter zuerst; nextpage: nächste seite, zur nächsten seite, eine seite weiter,
 weiter zur nächsten seite, weiterblättern; prevpage: vorherige seite, zur vorherigen seite, vorige seite, seite zurück;
 open: öffne*, aufmachen, details zu, details von, details; note: notiz, notiz zu, vermerk, anmerkung, notiz hinzu,
 notiere, schreibe; best=high: größte*, höchste*; best=low: kleinste*, niedrigste*
`
const answers = `
offers_booking: Ein Tisch für 4 am Freitag um 19:30 auf der Terrasse / Ist am Samstag ein Tisch für 6 frei? / Was hast
 du eingetragen? ¦ offers_shop: Zeig mir die billigste Teekanne / Leg zwei Celadon-Becher in den Warenkorb / Was ist im
 Warenkorb? ¦ offers_orders: Zeig nur verspätete Bestellungen / Sortiere nach Summe absteigend / Setze Bestellung 4148
 auf gepackt ¦ hello: Hallo! Ich bin das Offline-Modell: feste Regeln, kein Sprachmodell. Ich handle nur, wenn ich jedes
 Wort verstehe. ¦ can_booking: Auf dieser Seite eines Restaurants suche ich freie Tische und fülle das Formular aus.
 Abschicken können Sie es selbst. ¦ can_shop: In diesem Teeladen finde ich Produkte, ändere den Warenkorb und nenne
 Bestand und Lieferzeit. ¦ can_orders: In dieser Bestellübersicht filtere und sortiere ich Bestellungen, öffne sie und
 ändere ihren Status. ¦ try: Sagen Sie zum Beispiel: ¦ unknown: {0} habe ich nicht verstanden, deshalb habe ich nichts
 getan. ¦ known: Verstanden habe ich {0}. ¦ together: Ich kenne diese Wörter, aber nicht, was sie hier zusammen
 bedeuten, deshalb habe ich nichts getan: {0}. ¦ real: Ein echtes Modell versteht mehr. Wählen Sie oben unter „Offline
 model“ eines aus. ¦ server: Ein echtes Modell versteht mehr: Setzen Sie MODEL_ENDPOINT und MODEL_API_KEY für diesen
 Server und starten Sie ihn neu. ¦ filled: Eingetragen: {0}. ¦ refused: {0} wurde nicht angenommen: {1}. ¦ missing: Noch
 nötig: {0}. ¦ submit: Nichts wurde abgeschickt. Bitte prüfen Sie alles und drücken Sie selbst auf „{0}“. ¦ hand: Das
 kann ich nicht für Sie tun. Bitte drücken Sie selbst auf „{0}“. ¦ private: Passwörter, Karten und Codes trage ich nie
 ein. Bitte tun Sie das selbst. ¦ took: „{0}“ habe ich als {1} verstanden. ¦ day: „{0}“ kann {1} oder {2} sein. Welcher
 Tag ist gemeint? ¦ time: Um wie viel Uhr genau? ¦ name: Bei „{0}“ erkenne ich Vor- und Nachnamen nicht. Schreiben Sie
 „First name: …, Last name: …“. ¦ which: Welches meinen Sie: {0}? ¦ says: Auf der Seite steht: „{0}“ ¦ nofield: Auf
 dieser Seite ist kein Feld „{0}“. ¦ nothing: Ich habe nichts gefunden. ¦ cart: Im Warenkorb: {0}. Summe: {1}. ¦ empty:
 Der Warenkorb ist leer. ¦ added: In den Warenkorb gelegt: {0}. ¦ now: {0}: jetzt {1}, vorher {2}. ¦ emptied: Der
 Warenkorb ist jetzt leer. Herausgenommen: {0}. ¦ stock: {0}: {1} auf Lager. ¦ delivery: Die Lieferung nach {0} dauert
 {1} Arbeitstage und kommt am {2} an. ¦ coupon: Gutschein {0}: {1} % Rabatt. Die Summe ist {2}. ¦ place: {0} ist für
 Lieferungen gemerkt. ¦ failed: Das hat nicht geklappt: {0} ¦ denied: Sie haben es nicht erlaubt, deshalb habe ich es
 gelassen. ¦ moved: Sie haben ohne Antwort weitergemacht, deshalb habe ich es gelassen. ¦ stopped: Es wurde angehalten.
 ¦ left: Die Seite wurde verlassen, bevor eine Antwort kam. ¦ unsure: Es kann trotzdem geschehen sein, bitte sehen Sie
 nach. ¦ retried: Der erste Versuch ist gescheitert, der zweite hat geklappt. ¦ elsewhere: Dabei kann ich auf dieser
 Seite nicht helfen. Eine andere Seite kann es vielleicht: {0} ¦ steps: Alle {0} Schritte sind erledigt. ¦ some: {0} von
 {1} Schritten sind erledigt. ¦ open: offen geblieben ¦ undone: Ich habe es zurückgenommen. ¦ noundo: Es gibt nichts,
 was ich zurücknehmen kann. ¦ already: Das ist schon so. ¦ thanks: Gern geschehen. ¦ filters: Filter: {0}. ¦ counted:
 Mit {0} steht auf der Seite: „{1}“. Die Filter sind wie vorher. ¦ nofilter: Kein Filter ist gesetzt. ¦ noorder: Ich
 sehe keine Bestellung {0}. ¦ opened: Bestellung {0} ist geöffnet. ¦ unclear: Ich habe gedrückt, aber keine Meldung der
 Seite gesehen. Bitte sehen Sie nach. ¦ languages: Ich verstehe Deutsch, Englisch, Französisch, Spanisch, Chinesisch,
 Japanisch und Arabisch.
`

export const german = { words: { common, booking, shop, orders, page: '' }, answers }
