/** Text as it is searched, without case and accents; the same as `foldedSql` in the database. */
export const foldText = (text: string) =>
  text
    .toLowerCase()
    .normalize('NFKD')
    .replaceAll(/[\u0300-\u036f]/g, '')

/** One character that a text must have; undefined for any character. */
type Atom = string | undefined

/**
 * Pattern of a folded text: its characters in order. `gaps[i]` admits any text before the character
 * `i`, and the last one any text at the end.
 */
export type TextPattern = { atoms: readonly Atom[]; gaps: readonly boolean[] }

type Ends = { begin: boolean; end: boolean }

/**
 * Pattern that a text contains, in any case and accents; with `*` for any text, the whole text must
 * match.
 */
export function plainPattern(text: string): TextPattern {
  const folded = foldText(text)
  return patternOf(folded, /\*/y, folded.includes('*') ? whole : anywhere)
}

const anywhere: Ends = { begin: true, end: true }
const whole: Ends = { begin: false, end: false }

/**
 * Pattern of a text after `~=`. Clients send parts of regular expressions: `.` is any character, `.+` some
 * text, `.*` and `*` any text, `^` the beginning and `$` the end. With one of the two the other end
 * is free; otherwise the whole text must match where any text is admitted, and else contains the
 * pattern. All other characters stand for themselves.
 */
export function expressionPattern(text: string): TextPattern {
  const begins = text.startsWith('^')
  const ends = text.length > (begins ? 1 : 0) && text.endsWith('$')
  const folded = foldText(text.slice(begins ? 1 : 0, ends ? -1 : undefined))
  // Folding makes three dots of an ellipsis, which is no pattern.
  const signs = text.includes('.') ? /\.[*+]?|\*/y : /\*/y
  if (begins || ends) return patternOf(folded, signs, { begin: !begins, end: !ends })
  const admitsAny = text.includes('.+') || folded.includes('*')
  return patternOf(folded, signs, admitsAny ? whole : anywhere)
}

function patternOf(folded: string, signs: RegExp, { begin, end }: Ends): TextPattern {
  const atoms: Atom[] = []
  const gaps = [begin]
  for (let at = 0; at < folded.length;) {
    signs.lastIndex = at
    const sign = signs.exec(folded)?.[0]
    const character = sign ?? String.fromCodePoint(folded.codePointAt(at) ?? 0)
    at += character.length
    if (sign === '*' || sign === '.*') {
      gaps[atoms.length] = true
      continue
    }
    atoms.push(sign === undefined ? character : undefined)
    gaps.push(sign === '.+')
  }
  if (end) gaps[atoms.length] = true
  return { atoms, gaps }
}

/** The same pattern for `like`. */
export function toLike({ atoms, gaps }: TextPattern) {
  const parts = atoms.map(
    (atom, at) => `${gaps[at] ? '%' : ''}${atom?.replace(/[\\%_]/, String.raw`\$&`) ?? '_'}`,
  )
  return `${parts.join('')}${gaps[atoms.length] ? '%' : ''}`
}

/** True for a pattern that every text matches. */
export const isAnyText = ({ atoms, gaps }: TextPattern) => atoms.length === 0 && gaps[0] === true

/** Pattern for `like` of a text that contains this one, or matches it with its `*` as a whole. */
export const likePattern = (text: string) => toLike(plainPattern(text))

/** Pattern of a longer text that contains one that matches. */
export const within = ({ atoms, gaps }: TextPattern): TextPattern => ({
  atoms,
  gaps: gaps.map((gap, at) => gap || at === 0 || at === atoms.length),
})

/**
 * Test of folded texts. It goes once through a text, with the set of all places in the pattern that
 * were reached as the bits of a number: no pattern makes it go back.
 */
export function patternTest({ atoms, gaps }: TextPattern): (folded: string) => boolean {
  const contained = containedText({ atoms, gaps })
  if (contained !== undefined) return (folded) => folded.includes(contained)
  const stays = bitsWhere(gaps, (gap) => gap)
  const anyCharacter = bitsWhere(atoms, (atom) => atom === undefined) << 1n
  const steps = new Map<string, bigint>()
  for (const [at, atom] of atoms.entries()) {
    if (atom !== undefined)
      steps.set(atom, (steps.get(atom) ?? anyCharacter) | (1n << BigInt(at + 1)))
  }
  const last = 1n << BigInt(atoms.length)
  return (folded) => {
    if (folded.length < atoms.length) return false
    let reached = 1n
    for (const character of folded) {
      reached = ((reached << 1n) & (steps.get(character) ?? anyCharacter)) | (reached & stays)
      if (reached === 0n) return false
    }
    return (reached & last) !== 0n
  }
}

/** Text that is contained, where a pattern asks for no more. */
function containedText({ atoms, gaps }: TextPattern) {
  const isFree = gaps.every((gap, at) => gap === (at === 0 || at === atoms.length))
  return isFree && !atoms.includes(undefined) ? atoms.join('') : undefined
}

const bitsWhere = <T>(items: readonly T[], isSet: (item: T) => boolean) =>
  BigInt(
    `0b0${items
      .map((item) => (isSet(item) ? '1' : '0'))
      .toReversed()
      .join('')}`,
  )
