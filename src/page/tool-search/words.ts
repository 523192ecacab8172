// From a text to the terms of the index, for tools and queries alike: words of names, without endings, and the concepts
// that they stand for. A concept is a term of its own, so `erase` finds `delete`, and its weight follows from how often
// it occurs.

/** Words that mean the same in descriptions of tools. German ones are stems: visitors write compounds and endings. */
const groups: readonly (readonly [english: string, german: string])[] = [
  [
    'create add new make insert generate build register compose draft write set',
    'erstell anleg erzeug hinzufueg fueg neu schreib eintrag trage',
  ],
  ['delete remove erase destroy drop clear discard purge trash', 'loesch entfern verwerf'],
  [
    'get show read view fetch retrieve display open load see look details info describe',
    'zeig anzeig lies lesen hole abruf oeffne details',
  ],
  ['list all overview show browse enumerate', 'list alle uebersicht auflist welch'],
  ['search find query look lookup locate filter discover', 'such find filter'],
  [
    'update edit change modify alter rename patch correct adjust set replace',
    'aender bearbeit aktualisier umbenenn anpass ersetz korrigier',
  ],
  [
    'send sent post publish submit deliver broadcast push notify tell say announce',
    'send schick veroeffentlich verschick sag mitteil',
  ],
  ['move relocate transfer shift', 'verschieb umzieh beweg'],
  ['copy duplicate clone fork', 'kopier dupliz klon'],
  ['upload attach import', 'hochlad lade anhang anhaeng import'],
  ['download export save', 'herunterlad speicher export'],
  ['run execute start launch trigger invoke', 'ausfuehr start starte fuehre ausloes'],
  ['stop cancel abort terminate kill end', 'stopp abbrech beend storni'],
  ['close archive resolve finish complete done', 'schliess archiv erledig abschliess'],
  ['reply respond answer comment', 'antwort kommentar kommentier'],
  ['message chat dm text', 'nachricht chat'],
  ['mail email letter inbox', 'mail email posteingang'],
  ['file document doc attachment', 'datei dokument unterlag'],
  ['folder directory', 'ordner verzeichnis'],
  ['picture image photo screenshot', 'bild foto aufnahm'],
  ['issue ticket bug problem', 'ticket fehler problem'],
  ['task todo item work', 'aufgab'],
  ['pull merge request pr review', 'aenderungsantrag zusammenfueh'],
  ['commit revision change', 'commit aenderung'],
  ['branch', 'zweig'],
  ['repository repo project', 'repository projekt'],
  [
    'user person member people who account contact profile login',
    'benutzer nutzer person mitglied leute wer kontakt konto profil zugang',
  ],
  ['team group', 'team gruppe'],
  ['channel room', 'kanal raum'],
  ['event appointment meeting calendar', 'termin besprech kalender veranstalt'],
  ['time date schedule when', 'zeit datum uhr'],
  ['free busy available availability', 'frei verfuegbar'],
  ['address place street location geocode coordinates', 'adress ort strasse koordinat standort'],
  ['route directions way travel drive navigation', 'weg route fahr strecke'],
  ['distance far long duration', 'entfern weit dauer'],
  ['near nearest closest next around radius nearby', 'naechst umkreis umgeb naehe'],
  ['map', 'karte landkart'],
  ['page website site url web', 'seite webseit'],
  ['click press tap', 'klick drueck'],
  ['type fill enter input', 'eingeb ausfuell tipp'],
  ['chart graph plot diagram visualize', 'diagramm grafik schaubild'],
  ['table column schema', 'tabell spalt'],
  ['database db sql', 'datenbank'],
  ['row record entry item', 'zeile datensatz eintraeg'],
  ['money amount payment transaction spend spent spending expense', 'geld betrag zahlung buchung ausgab'],
  ['bill invoice', 'rechnung'],
  ['customer client', 'kund'],
  ['order purchase', 'bestell auftrag'],
  ['product article', 'produkt artikel'],
  ['company organization business', 'firma unternehm organisation'],
  ['budget', 'budget haushalt'],
  ['category tag label', 'kategori schlagwort etikett label'],
  ['history log record past', 'verlauf protokoll geschicht'],
  ['error failure crash exception', 'fehler absturz'],
  ['permission access role', 'recht zugriff berechtig rolle'],
  ['share invite', 'teil freigeb einlad'],
  ['link relation connect associate', 'verknuepf verbind link'],
  ['test check verify validate', 'test pruef'],
  ['pipeline build deploy deployment', 'build bereitstell'],
  ['name title', 'name titel'],
  ['note memo knowledge memory remember forget', 'notiz wissen weisst erinner merk vergiss'],
  ['comment remark', 'kommentar'],
  ['compare diff difference', 'vergleich unterschied'],
  ['count number total statistic', 'anzahl viele zahl summe statistik'],
  ['translate language', 'uebersetz sprach'],
  ['wait', 'wart'],
  ['request call http header', 'anfrage aufruf header'],
  ['employee staff worker', 'mitarbeit angestellt arbeiter'],
  ['leave vacation holiday', 'urlaub ferien'],
  ['price cost value worth', 'preis kosten wert'],
  ['crypto cryptocurrency coin bitcoin', 'krypto'],
  ['mobile phone device', 'handy telefon geraet mobil'],
]

const stopWords: ReadonlySet<string> = new Set(
  (
    'a an the of to for in on at by with and or is are be been it its this that these those from as into my me i we ' +
    'you your our their his her please can could would should want need like which who what how do does if not no ' +
    'only also use used using will has have had there here then than so up out about via per one some any now right ' +
    'let may everything something still left much many how long ' +
    'der die das den dem des ein eine einen einem einer eines und oder ist sind im in am an auf aus bei mit nach von ' +
    'vom zu zum zur fuer ich mir mich mein meine meinen meiner wir uns unser bitte kann kannst soll sollen will ' +
    'moechte es er sie wie was wo welche welcher dass alles du dir nicht nur auch noch hat haben wird werden dieser ' +
    'diese dieses diesen gibt'
  ).split(' '),
)

/** Before the number of a group: no word begins with it. */
const mark = '§'
/** Whether a term is a concept. It is neither shortened nor misspelled. */
export const isConcept = (term: string): boolean => term.startsWith(mark)

/** The terms of a text. A word stands for each of its concepts, too. */
export function termsOf(text: string): string[] {
  return wordsOf(text).flatMap((word) => {
    if (stopWords.has(word)) return []
    const stem = stemOf(word)
    return [stem, ...conceptsOf(word, stem)]
  })
}

/** `getHTTPUrls`, `get_http_urls` and "Get HTTP URLs" have the same words. */
function wordsOf(text: string): string[] {
  const plain = text
    .replace(/(\p{Ll}|\d)(\p{Lu})/gu, '$1 $2')
    .replace(/(\p{Lu})(\p{Lu}\p{Ll}{2})/gu, '$1 $2')
    .toLowerCase()
    .replace(/ä/g, 'ae')
    .replace(/ö/g, 'oe')
    .replace(/ü/g, 'ue')
    .replace(/ß/g, 'ss')
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
  return (plain.match(/[\p{L}\p{N}]+/gu) ?? []).flatMap(piecesOf)
}

/** Chinese and Japanese have no spaces: each pair of characters is a word. */
function piecesOf(word: string): string[] {
  if (!/[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]/u.test(word) || word.length < 3) return [word]
  return Array.from({ length: word.length - 1 }, (_, at) => word.slice(at, at + 2))
}

/** An English word without the ending of its form: `creates`, `created`, `creating` and `creation` are `creat`. */
export function stemOf(word: string): string {
  if (word.length < 4) return word
  let stem = word
  if (stem.endsWith('ies') && stem.length > 4) stem = `${stem.slice(0, -3)}y`
  else if (/(?:ss|sh|ch|x|z)es$/.test(stem)) stem = stem.slice(0, -2)
  else if (/[^siu]s$/.test(stem)) stem = stem.slice(0, -1)
  const bare = stem.replace(/(?:ing|ed|ion)$/, '')
  if (bare.length >= 3 && bare !== stem && /[aeiouy]/.test(bare))
    stem = /([bdfgmnprt])\1$/.test(bare) ? bare.slice(0, -1) : bare
  return stem.length > 3 ? stem.replace(/e$/, '') : stem
}

/** The concepts of English words, by stem. */
const byStem = new Map<string, string[]>()
/** The concepts of German stems. */
const byPart: (readonly [part: string, concept: string])[] = []
for (const [place, [english, german]] of groups.entries()) {
  const concept = mark + place
  for (const word of english.split(' ')) {
    const stem = stemOf(word)
    byStem.set(stem, [...(byStem.get(stem) ?? []), concept])
  }
  for (const part of german.split(' ')) byPart.push([part, concept])
}

/** A German stem is found at the beginning of a word and, if it is long, anywhere in it. */
function conceptsOf(word: string, stem: string): Iterable<string> {
  const concepts = new Set(byStem.get(stem))
  for (const [part, concept] of byPart)
    if (word.startsWith(part) || (part.length > 5 && word.includes(part))) concepts.add(concept)
  return concepts
}
