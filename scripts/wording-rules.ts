/** Fault of wording, with the line that it begins in, counted from 1. */
type WordingFault = { line: number; text: string }

/** Words that a docstring must not begin with: it names what the code is. */
const opening = /^(What|Who|Whose|Whom|Where|Whether|How|When|That|Which|If)\b/

/** Metaphors and unclear words that comments and documents must not use, with what to write. */
const refused: readonly [RegExp, string][] = [
  [/\bdoors?\b/i, 'call, request or way to sign in'],
  [/\b(this|the|our|own) house\b/i, 'installation, server or product'],
  [/\bbells?\b/i, 'notification'],
  [/\btides?\b/i, 'load'],
  [/\banswer(s|ed|ing)?-for\b/i, 'is responsible for'],
  [/\bat home\b/i, 'the place itself'],
  [/\bdear(er|est)?\b/i, 'costly'],
  [/\bknock(s|ed|ing)?\b/i, 'request'],
  [/\bbreathes?\b/i, 'let other work run'],
  [/\bgood-?bye\b/i, 'disconnect'],
  [/\bshuts? (in|out|themselves)\b/i, 'end the access of'],
  [/\bhears? of\b/i, 'get, be notified of'],
  [/\blooked after\b/i, 'maintained'],
  [/\bwhoever\b/i, 'the person, caller or part that is meant'],
]

/** Faults in the comments of a program's source. */
export function faultsInCode(code: string): WordingFault[] {
  return commentsIn(code).flatMap(({ line, text, isDocstring }) => {
    const plain = text.replaceAll(/`[^`]*`|\{@link [^}]*\}/g, '')
    const found = wordsIn(plain).map((fault) => ({ line, text: fault }))
    const first = isDocstring ? opening.exec(text) : null
    if (!first) return found
    return [{ line, text: `a docstring begins with "${first[0]}": begin with a noun` }, ...found]
  })
}

/** Faults in a document, outside of its code. */
export function faultsInDocument(document: string): WordingFault[] {
  const prose = document.replaceAll(/^```[^]*?^```|`[^`\n]*`/gm, (code) =>
    code.replaceAll(/[^\n]/g, ' '),
  )
  return prose
    .split('\n')
    .flatMap((text, index) => wordsIn(text).map((fault) => ({ line: index + 1, text: fault })))
}

const wordsIn = (text: string) =>
  refused.flatMap(([pattern, better]) => {
    const found = pattern.exec(text)
    return found ? [`"${found[0]}": write ${better}`] : []
  })

const comment = /(?<=^|[\s{(])(?:\/\*[^]*?\*\/|\/\/[^\n]*)/gm

function commentsIn(code: string) {
  let line = 1
  let seen = 0
  return [...code.matchAll(comment)].map(({ 0: raw, index }) => {
    line += linesIn(code.slice(seen, index))
    seen = index
    const text = raw
      .replaceAll(/^\/[/*]+|\*\/$|^\s*\*/gm, ' ')
      .replaceAll(/\s+/g, ' ')
      .trim()
    return { line, text, isDocstring: raw.startsWith('/**') }
  })
}

const linesIn = (text: string) => text.split('\n').length - 1

/** Differences between the counts by area and the list of areas that are not repaired yet. */
export function listFaults(
  counts: ReadonlyMap<string, number>,
  unrepaired: Readonly<Record<string, number>>,
) {
  const areas = [...new Set([...counts.keys(), ...Object.keys(unrepaired)])].toSorted()
  return areas.flatMap((area) => {
    const [count, listed] = [counts.get(area) ?? 0, unrepaired[area] ?? 0]
    if (count === listed) return []
    if (count > listed) {
      return [{ area, text: `${count} faults of wording, ${listed} allowed`, isHigher: true }]
    }
    const text = `lower the number in scripts/wording-unrepaired.ts from ${listed} to ${count}`
    return [{ area, text, isHigher: false }]
  })
}
