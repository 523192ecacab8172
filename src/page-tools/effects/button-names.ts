// Names of buttons that turn pages or step a number, in the languages of the SDK. They count only together with what is
// around the button.

const named = (...names: string[]): ((name: string) => boolean) => {
  const pattern = new RegExp(`^(?:${names.join('|')})$`, 'iu')
  return (name) => pattern.test(name.trim())
}

/** Whether a name or a class says that something is a pager. */
export const saysPager = (text: string): boolean => /pagin|pager|seiten|páginas|ページ|分页|分頁|صفحات/i.test(text)

/** Whether a text has the number of a page: "Page 2", "1–10 of 50". */
export const saysPage = (text: string): boolean =>
  /(?:page|seite|página|صفحة)\s*\d+|\d+\s*(?:of|von|de|sur|من|\/)\s*\d+|第?\s*\d+\s*(?:ページ|页|頁)/iu.test(text)

/** Whether a name leads to the next page. */
export const turnsForward = named(
  '(?:go to )?(?:the )?next(?: page)?|nächste(?: seite)?|siguiente|suivante?',
  '次へ?|下一页|التالي|[›»>→]+',
)
/** Whether a name leads to the page before. */
export const turnsBackward = named(
  '(?:go to )?(?:the )?prev(?:ious)?(?: page)?|vorherige(?: seite)?|anterior|précédente?',
  '前へ?|上一页|السابق|[‹«<←]+',
)
const turnsTo = named(
  '(?:go to )?(?:page|seite|página|صفحة)?\\s*\\d{1,4}|(?:go to )?(?:the )?(?:first|last)(?: page)?',
  '(?:erste|letzte)(?: seite)?|primera|última|première|dernière',
)
/** Whether a name leads to a page of a list. */
export const turnsPage = (name: string): boolean => turnsForward(name) || turnsBackward(name) || turnsTo(name)

/** Whether a name makes a number greater. */
export const stepsUp = named('[+＋➕]|plus|increase\\b.*|increment|mehr|erhöhen|aumentar|augmenter|増やす|增加|زيادة')
/** Whether a name makes a number smaller. */
export const stepsDown = named(
  '[-−–—➖]|minus|decrease\\b.*|decrement|weniger|verringern|disminuir|diminuer|減らす|减少|إنقاص',
)
