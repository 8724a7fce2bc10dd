/** Fault of a JSON text, as a rule that a screen has texts for, and as a message in English. */
type JsonMistake = {
  rule: 'value' | 'key' | 'colon' | 'comma' | 'end' | 'text' | 'deep' | 'twice'
  message: string
  offset: number
}
type JsonPlaces = {
  value: unknown
  /** Offset of the value of each path: keys from the root, joined by dots. */
  places: ReadonlyMap<string, number>
  /** Faults in the order of the text; without any, `value` has the content. */
  mistakes: JsonMistake[]
}

const deepest = 500
/** Most paths whose offsets are kept; for others the nearest path around them is used. */
const mostPlaces = 100_000
const longestPath = 2_000

class Broken extends Error {
  readonly mistake: JsonMistake
  constructor(mistake: JsonMistake) {
    super(mistake.message)
    this.mistake = mistake
  }
}

type Scan = { text: string; at: number; places: Map<string, number>; twice: JsonMistake[] }

/** Parse JSON with the offset of every value, so that a problem with a value has a line and a column. */
export function readJson(text: string): JsonPlaces {
  const scan: Scan = { text, at: 0, places: new Map(), twice: [] }
  try {
    scanValue(scan, '', 0)
    space(scan)
    if (scan.at < text.length) throw broken(scan, 'end', 'the text goes on after its end')
    const value: unknown = JSON.parse(text)
    return { value, places: scan.places, mistakes: scan.twice }
  } catch (error) {
    if (error instanceof Broken) {
      return { value: undefined, places: scan.places, mistakes: [...scan.twice, error.mistake] }
    }
    throw error
  }
}

/** Line and column of an offset in a text, both counted from 1. */
export function positionAt(text: string, offset: number) {
  const before = text.slice(0, offset)
  const line = before.split('\n').length
  return { line, column: offset - before.lastIndexOf('\n') }
}

/** Lines and columns of many offsets in a text, as `positionAt` answers them, with one pass over the text. */
export function positionsIn(text: string) {
  const starts = [0]
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
  return (offset: number) => {
    let [low, high] = [0, starts.length - 1]
    while (low < high) {
      const middle = Math.ceil((low + high) / 2)
      if ((starts[middle] ?? 0) <= offset) low = middle
      else high = middle - 1
    }
    return { line: low + 1, column: offset - (starts[low] ?? 0) + 1 }
  }
}

/** Offset of a path; for a missing path the offset of the nearest value around it. */
export function offsetOf(places: ReadonlyMap<string, number>, path: string): number {
  let rest = path
  while (rest !== '') {
    const offset = places.get(rest)
    if (offset !== undefined) return offset
    rest = rest.slice(0, Math.max(0, rest.lastIndexOf('.')))
  }
  return places.get('') ?? 0
}

function broken({ text, at }: Scan, rule: JsonMistake['rule'], why: string) {
  const found = at >= text.length ? 'the end of the text' : JSON.stringify(text[at])
  return new Broken({ rule, message: `${why}, and here is ${found}`, offset: at })
}

const blank = /[ \t\r\n]*/y
const plain = /true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y
// oxlint-disable-next-line no-control-regex -- these are what JSON forbids inside of a text
const unescaped = /[^"\\\u0000-\u001f]*/y
const escaped = /\\(?:["\\/bfnrt]|u[\da-fA-F]{4})/y

function take(scan: Scan, pattern: RegExp) {
  pattern.lastIndex = scan.at
  const found = pattern.exec(scan.text)?.[0]
  if (found !== undefined) scan.at += found.length
  return found
}
const space = (scan: Scan) => take(scan, blank)

function scanValue(scan: Scan, path: string, depth: number): void {
  space(scan)
  if (depth > deepest) throw broken(scan, 'deep', `nested deeper than ${deepest}`)
  if (path.length <= longestPath && scan.places.size < mostPlaces) scan.places.set(path, scan.at)
  const first = scan.text[scan.at]
  if (first === '{') return scanObject(scan, path, depth)
  if (first === '[') return scanArray(scan, path, depth)
  if (first === '"') return void scanText(scan)
  if (take(scan, plain) === undefined) throw broken(scan, 'value', 'a value is expected')
}

function scanText(scan: Scan): string {
  const from = scan.at
  scan.at += 1
  // Piece by piece: one expression for all of a long text would overflow its stack.
  do take(scan, unescaped)
  while (take(scan, escaped) !== undefined)
  if (scan.text[scan.at] !== '"') {
    scan.at = from
    throw broken(scan, 'text', 'a text does not end, or has a bad character')
  }
  scan.at += 1
  return JSON.parse(scan.text.slice(from, scan.at)) as string // only JSON texts come here
}

const below = (path: string, key: string | number) => (path === '' ? String(key) : `${path}.${key}`)

function scanObject(scan: Scan, path: string, depth: number) {
  scan.at += 1
  space(scan)
  if (closes(scan, '}')) return
  const keys = new Set<string>()
  do {
    space(scan)
    const offset = scan.at
    if (scan.text[offset] !== '"') throw broken(scan, 'key', 'a name in double quotes is expected')
    const key = scanText(scan)
    if (keys.has(key)) {
      scan.twice.push({ rule: 'twice', message: `${key} is there twice`, offset })
    }
    keys.add(key)
    space(scan)
    if (scan.text[scan.at] !== ':') throw broken(scan, 'colon', 'a colon is expected')
    scan.at += 1
    scanValue(scan, below(path, key), depth + 1)
  } while (goesOn(scan, '}'))
}

function scanArray(scan: Scan, path: string, depth: number) {
  scan.at += 1
  space(scan)
  if (closes(scan, ']')) return
  let index = 0
  do {
    scanValue(scan, below(path, index), depth + 1)
    index += 1
  } while (goesOn(scan, ']'))
}

function closes(scan: Scan, sign: string) {
  if (scan.text[scan.at] !== sign) return false
  scan.at += 1
  return true
}

function goesOn(scan: Scan, end: string) {
  space(scan)
  if (closes(scan, end)) return false
  if (closes(scan, ',')) return true
  throw broken(scan, 'comma', `a comma or ${end} is expected`)
}
