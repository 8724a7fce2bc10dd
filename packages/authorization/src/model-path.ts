/** Longest pattern in characters. */
const longest = 500
const mostSegments = 32

type Read = { ok: true; pattern: string } | { ok: false; message: string }
const wrong = (message: string): Read => ({ ok: false, message })

/**
 * Normalizes a pattern of model paths, or returns why it is invalid. Segments are separated by
 * slashes; `*` is one segment, `**` any number of segments (also none), `[*]` every index of an
 * array and `Oven:*` every version of a model.
 */
export function readPattern(text: string): Read {
  if (text.length > longest) return wrong(`a path has at most ${longest} characters`)
  const segments = text.split('/')
  if (segments.length > mostSegments) return wrong(`a path has at most ${mostSegments} segments`)
  const fault = segments.map(faultOf).find((one) => one !== undefined)
  if (fault !== undefined) return wrong(fault)
  // Two `**` in a row mean the same as one.
  const kept = segments.filter((one, at) => one !== '**' || segments[at - 1] !== '**')
  return { ok: true, pattern: kept.join('/') }
}

function faultOf(segment: string) {
  if (segment === '') return 'a path has no empty segments: no slash at its ends, none twice'
  if (segment === '*' || segment === '**') return undefined
  if (/[^\P{C}]/u.test(segment)) return 'a path holds no control characters'
  const plain = segment.replace(/:\*$/, '').replaceAll('[*]', '')
  if (plain.includes('*')) {
    return `"${segment}": * stands for a whole segment, as [*] for an index, or as :* for a version`
  }
  if (segment.includes('[*]') && /\[\d+\]/.test(segment)) {
    return `"${segment}" mixes [*] with an index; take [*] for all of them`
  }
  return undefined
}

/**
 * Converts a regular expression to a pattern, when segments can express it:
 * `^Oven:1/[^/]+/temperature$`, `Oven:1/.*`. It is parsed as text and never run.
 */
export function patternOfRegExp(text: string): Read {
  if (text.length > longest) return wrong(`a path has at most ${longest} characters`)
  const body = text.replace(/^\^/, '').replace(/(?<!\\)\$$/, '')
  const segments: string[] = []
  for (const part of splitAtSlashes(body)) {
    const segment = segmentOfRegExp(part)
    if (segment === undefined) {
      return wrong(
        `"${part}" is more than segments can say; use names, [^/]+ for one segment and .* for the rest`,
      )
    }
    segments.push(segment)
  }
  return readPattern(segments.join('/'))
}

/** Splits at `/` and `\/`, but not at the slash in `[^/]`. */
const splitAtSlashes = (body: string) =>
  body
    .replaceAll('[^\\/]', '[^/]')
    .replaceAll('[^/]', '\u0001')
    .split(/\\?\//)
    .map((part) => part.replaceAll('\u0001', '[^/]'))

function segmentOfRegExp(part: string) {
  if (part === '[^/]*' || part === '[^/]+') return '*'
  if (part === '.*' || part === '.+') return '**'
  const generic = part
    .replaceAll('\\[\\d+\\]', '\u0001')
    .replace(/:(?:\\d\+|\[\^\/\]\+)$/, '\u0002')
    .replaceAll(/\\([.[\](){}+*?^$|\\-])/g, (_, escaped: string) => escapedMark(escaped))
  if (/[.[\](){}+*?^$|\\]/.test(generic)) return undefined
  const text = generic.replaceAll(/[\uE000-\uE0FF]/g, (mark) =>
    String.fromCodePoint((mark.codePointAt(0) ?? 0) - 0xe000),
  )
  return text.replaceAll('\u0001', '[*]').replace('\u0002', ':*')
}

/** Private character in place of an escaped one, so that it is not taken for an operator. */
const escapedMark = (escaped: string) =>
  String.fromCodePoint((escaped.codePointAt(0) ?? 0) + 0xe000)

/** Equivalent regular expression of a pattern, for clients that use one. */
export const regExpOf = (pattern: string) =>
  `^${pattern
    .split('/')
    .map((segment) =>
      segment === '**'
        ? '.*'
        : segment === '*'
          ? '[^/]+'
          : segment
              .replace(/:\*$/, '\u0002')
              .replaceAll('[*]', '\u0001')
              .replaceAll(/[.[\](){}+*?^$|\\]/g, String.raw`\$&`)
              .replaceAll('\u0001', String.raw`\[\d+\]`)
              .replace('\u0002', String.raw`:[^/]+`),
    )
    .join('/')}$`
