type Attributes = ReadonlyMap<string, string>
/** Callbacks for tags and texts of a document, in its order; names come without their prefix. */
type Heard = {
  open?: (name: string, attributes: Attributes) => void
  close?: (name: string) => void
  text?: (text: string) => void
}

const parts =
  /<!--[\s\S]*?-->|<\?[\s\S]*?\?>|<!\[CDATA\[([\s\S]*?)\]\]>|<(\/?)([^\s<>/]+)((?:[^"'<>]|"[^"]*"|'[^']*')*?)(\/?)>|([^<]+)/gy
const attribute = /([^\s=]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g

/** Walk through a document of XML; false when it is none. Document types are refused. */
export function scanXml(xml: string, heard: Heard): boolean {
  const start = xml.startsWith('\uFEFF') ? 1 : 0
  const part = new RegExp(parts)
  part.lastIndex = start
  let [at, depth] = [start, 0]
  for (let found = part.exec(xml); found; found = part.exec(xml)) {
    at += found[0].length
    const [, literal, ends, name, more = '', closed = '', words] = found
    const text = words === undefined ? literal : unescaped(words)
    if (text !== undefined) heard.text?.(text)
    if (name !== undefined) depth += tag(localName(name), { ends, more, closed }, heard)
  }
  return at === xml.length && depth === 0
}

type Tag = { ends: string | undefined; more: string; closed: string }

/** Change of depth by a tag: 1, 0 or -1. */
function tag(name: string, { ends, more, closed }: Tag, { open, close }: Heard) {
  if (ends === '/') {
    close?.(name)
    return -1
  }
  open?.(name, attributesIn(more))
  if (closed === '') return 1
  close?.(name)
  return 0
}

const localName = (name: string) => name.slice(name.indexOf(':') + 1)

const none: Attributes = new Map()

function attributesIn(text: string): Attributes {
  if (text === '') return none
  return new Map(
    [...text.matchAll(attribute)].map(([, name = '', one, other]) => [
      localName(name),
      unescaped(one ?? other ?? ''),
    ]),
  )
}

const named: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
}

function unescaped(text: string) {
  if (!text.includes('&')) return text
  return text.replaceAll(
    /&(?:#x([\da-f]{1,6})|#(\d{1,7})|(\w{2,4}));/gi,
    (whole, hex, number, name) => {
      if (typeof name === 'string') return named[name] ?? whole
      const code = typeof hex === 'string' ? Number.parseInt(hex, 16) : Number(number)
      return code <= 0x10_ff_ff ? String.fromCodePoint(code) : whole
    },
  )
}
