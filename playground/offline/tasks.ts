// One message, several tasks: "do A, then B, then C", a list, or sentences that are each a task of their own.

const separators =
  /\s*(?:[,;.]?\s*\b(?:and\s+)?then\b,?|;|[,.]?\s*\b(?:and\s+)?(?:after that|afterwards|finally|lastly)\b,?|[.,]\s*next,)\s*/i
const listItem = /^\s*(?:\d+[.)]|[-*•])\s+/
const maxTasks = 20

/** The tasks in order, one or more. `isTask` says whether a text alone would lead to a call. */
export function splitTasks(text: string, isTask: (text: string) => boolean): string[] {
  const quotes: string[] = []
  const masked = text.replace(/"[^"]*"|“[^”]*”|\{[^{}]*\}/g, (quote) => `\u0001${quotes.push(quote) - 1}\u0001`)
  const unmask = (part: string): string =>
    part.replace(/\u0001(\d+)\u0001/g, (_, index: string) => quotes[Number(index)] ?? '')
  const lines = masked.split('\n').filter((line) => line.trim() !== '')
  const items = lines.filter((line) => listItem.test(line))
  const parts = items.length > 1 ? items.map((line) => line.replace(listItem, '')) : masked.split(separators)
  return parts
    .flatMap((part) => splitFurther(part, (one) => isTask(unmask(one))))
    .map((part) => tidy(unmask(part)))
    .filter((part) => part !== '')
    .slice(0, maxTasks)
}

/** Sentences, and what an "and" joins, are tasks of their own only where each leads to a call. */
function splitFurther(part: string, isTask: (text: string) => boolean): string[] {
  for (const joint of [/(?<=[^.\s][.!?])\s+(?=[A-Z])/, /,?\s+and\s+/i, /\s*,\s+/]) {
    const pieces = part
      .split(joint)
      .map(tidy)
      .filter((piece) => piece !== '')
    if (pieces.length > 1 && pieces.every(isTask)) return pieces
  }
  return [part]
}

function tidy(part: string): string {
  const plain = part
    .trim()
    .replace(/^(?:(?:please|first(?!\s+(?:name|one|item|of))|firstly|and|also|now)\b,?\s*)+/i, '')
    .replace(/[\s,;]+$/, '')
    .trim()
  return /^(please|thanks?|thank you)?[.!]*$/i.test(plain) ? '' : plain.replace(/(?<!\.)\.$/, '')
}
