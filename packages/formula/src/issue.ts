/** Marker severities of editors. */
const severity = { error: 8, warning: 4 } as const

/** Fault messages by code; the portal translates them with the issue's values. */
const messages = {
  empty: 'the formula is empty',
  too_long: 'the formula has more than {most} characters',
  too_deep: 'more than {most} brackets, signs or conditions inside each other',
  too_many_parts: 'the formula has more than {most} parts',
  unexpected_character: '{found} has no meaning here',
  unclosed_text: "the text has no closing '",
  unclosed_path: 'the path has no closing "',
  bad_number: '{found} is no number',
  bad_index: 'between [ and ] stands a whole number',
  unexpected: '{found} is not expected here',
  unexpected_end: 'the formula ends too early',
  expected: '{expected} is missing before {found}',
  unknown_function: 'there is no function {name}',
  unknown_function_similar: 'there is no function {name}; is {similar} meant?',
  argument_count: '{name} takes {expected} arguments, not {given}',
  needs_path: 'the first argument of {name} is a path',
  needs_window: 'the second argument of {name} is a number of seconds from 1 to {most}',
  unknown_path: 'the device has no path {path}',
  unknown_path_similar: 'the device has no path {path}; is {similar} meant?',
  divide_with_blanks: 'there is no path {path}; to divide, write {similar} with blanks',
  refers_to_itself: 'the formula needs its own result: {path}',
} as const

export type IssueCode = keyof typeof messages
/** All fault codes, for translations. */
export const issueCodes = Object.keys(messages) as IssueCode[]

type Values = Readonly<Record<string, string | number>>

/** Fault with its range; `from` and `to` count characters from 0. */
export type Fault = { code: IssueCode; from: number; to: number; values: Values }

/** Fault for editors: lines and columns count from 1, the end is exclusive. */
export type FormulaIssue = {
  code: IssueCode
  values: Values
  message: string
  severity: number
  startLineNumber: number
  startColumn: number
  endLineNumber: number
  endColumn: number
}

/** Fault with lines, columns and an English message. */
export function issueOf(text: string, { code, from, to, values }: Fault): FormulaIssue {
  const start = placeOf(text, from)
  const end = placeOf(text, Math.max(to, from + 1))
  return {
    code,
    values,
    message: messages[code].replaceAll(/\{(\w+)\}/g, (_, key: string) => String(values[key] ?? '')),
    severity: severity.error,
    startLineNumber: start.line,
    startColumn: start.column,
    endLineNumber: end.line,
    endColumn: end.column,
  }
}

function placeOf(text: string, at: number) {
  const before = text.slice(0, at)
  const lineStart = before.lastIndexOf('\n') + 1
  const line = before.split('\n').length
  return { line, column: at - lineStart + 1 }
}

/** Limits of the search for similar words: length of the word, and candidates. */
const longestWord = 80
const mostCandidates = 100

/** Candidate most similar to a mistyped word; undefined when none is close. */
export function similarTo(word: string, candidates: Iterable<string>): string | undefined {
  let best: string | undefined
  let least = Math.max(1, Math.floor(word.length / 4)) + 1
  let looked = 0
  if (word.length > longestWord) return undefined
  for (const candidate of candidates) {
    if (Math.abs(candidate.length - word.length) >= least) continue
    if (++looked > mostCandidates) break
    const distance = distanceOf(word.toLowerCase(), candidate.toLowerCase())
    if (distance < least) {
      least = distance
      best = candidate
    }
  }
  return best
}

/** Edit distance between two words. */
function distanceOf(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index)
  for (let at = 1; at <= one.length; at += 1) {
    const next = [at]
    for (let index = 1; index <= other.length; index += 1) {
      const change = (row[index - 1] ?? 0) + (one[at - 1] === other[index - 1] ? 0 : 1)
      next.push(Math.min(change, (row[index] ?? 0) + 1, (next[index - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[other.length] ?? 0
}
