import { visit } from 'jsonc-parser'

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

/** Deepest nesting that is read, so that brackets without end do not exhaust the stack. */
const deepest = 500
/** Most paths whose offsets are kept; for others the nearest path around them is used. */
const mostPlaces = 100_000
const longestPath = 2_000

/** Object or array that is being read: its path, and the key or index of its present value. */
type Container = { path: string; key: string | number; keys: Set<string> | undefined }

class JsonFault extends Error {
  readonly mistake: JsonMistake
  constructor(mistake: JsonMistake) {
    super(mistake.message)
    this.mistake = mistake
  }
}

/** Parses JSON with the offset of every value, so that a problem with a value has a line and a column. */
export function readJson(text: string): JsonPlaces {
  const places = new Map<string, number>()
  const twice: JsonMistake[] = []
  try {
    visitValues(text, places, twice)
  } catch (error) {
    if (!(error instanceof JsonFault)) throw error
    return { value: undefined, places, mistakes: [...twice, error.mistake] }
  }
  const value: unknown = JSON.parse(text)
  return { value, places, mistakes: twice }
}

/** Reads a text to its end or its first fault, which it throws. */
function visitValues(text: string, places: Map<string, number>, twice: JsonMistake[]) {
  const containers: Container[] = []
  let expected: 'value' | 'key' | 'colon' | 'comma' | 'end' = 'value'

  const enterValue = (offset: number) => {
    if (containers.length > deepest) {
      throw fault(text, 'deep', offset, `nested deeper than ${deepest}`)
    }
    const path = pathIn(containers.at(-1))
    if (path.length <= longestPath && places.size < mostPlaces) places.set(path, offset)
    return path
  }
  const leaveValue = () => {
    expected = containers.length === 0 ? 'end' : 'comma'
  }
  const leaveContainer = (_offset: number, length: number) => {
    if (length === 0) return // The text ends before its bracket: an error follows.
    containers.pop()
    leaveValue()
  }
  const readKey = (key: string, offset: number) => {
    const container = containers.at(-1)
    if (container?.keys?.has(key) === true) {
      twice.push({ rule: 'twice', message: `${key} is there twice`, offset })
    }
    container?.keys?.add(key)
    if (container) container.key = key
    expected = 'colon'
  }
  const readSeparator = (sign: string) => {
    const container = containers.at(-1)
    expected = sign === ',' && container?.keys ? 'key' : 'value'
    if (typeof container?.key === 'number') container.key += 1
  }

  visit(
    text,
    {
      onObjectBegin(offset) {
        containers.push({ path: enterValue(offset), key: '', keys: new Set() })
        expected = 'key'
      },
      onArrayBegin(offset) {
        containers.push({ path: enterValue(offset), key: 0, keys: undefined })
        expected = 'value'
      },
      onLiteralValue(_value, offset) {
        enterValue(offset)
        leaveValue()
      },
      onObjectProperty: readKey,
      onSeparator: readSeparator,
      onObjectEnd: leaveContainer,
      onArrayEnd: leaveContainer,
      onError(_code, offset) {
        throw syntaxFault(text, offset, expected, containers.at(-1))
      },
    },
    { disallowComments: true },
  )
}

const pathIn = (container: Container | undefined) => {
  if (!container) return ''
  return container.path === '' ? String(container.key) : `${container.path}.${container.key}`
}

/** Fault of a token that is not the expected one, or is a text with a fault. */
function syntaxFault(
  text: string,
  offset: number,
  expected: 'value' | 'key' | 'colon' | 'comma' | 'end',
  container: Container | undefined,
) {
  if (text[offset] === '"' && (expected === 'value' || expected === 'key')) {
    return fault(text, 'text', offset, 'a text does not end, or has a bad character')
  }
  const messages = {
    value: 'a value is expected',
    key: 'a name in double quotes is expected',
    colon: 'a colon is expected',
    comma: `a comma or ${container?.keys ? '}' : ']'} is expected`,
    end: 'the text goes on after its end',
  }
  return fault(text, expected, offset, messages[expected])
}

function fault(text: string, rule: JsonMistake['rule'], offset: number, why: string) {
  const found = offset >= text.length ? 'the end of the text' : JSON.stringify(text[offset])
  return new JsonFault({ rule, message: `${why}, and here is ${found}`, offset })
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
