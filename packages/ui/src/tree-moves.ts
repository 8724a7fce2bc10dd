/** Line of a tree as it is drawn; `open` is absent for one that has nothing below it. */
type TreeLine = {
  readonly level: number
  readonly open?: boolean | undefined
  readonly name: string
}
/** Meaning of a key in a tree: another line gets the focus, or the same line opens or closes. */
export type TreeMove = { to: number } | { toggle: boolean }

/** Meaning of a key by the WAI-ARIA tree pattern; undefined for a key without one. */
export function treeMove(
  lines: readonly TreeLine[],
  at: number,
  key: string,
): TreeMove | undefined {
  switch (key) {
    case 'ArrowDown':
      return { to: Math.min(at + 1, lines.length - 1) }
    case 'ArrowUp':
      return { to: Math.max(at - 1, 0) }
    case 'Home':
      return { to: 0 }
    case 'End':
      return { to: lines.length - 1 }
    case 'ArrowRight':
      return moveIn(lines, at)
    case 'ArrowLeft':
      return moveOut(lines, at)
    default:
      return undefined
  }
}

function moveIn(lines: readonly TreeLine[], at: number): TreeMove {
  if (lines[at]?.open === false) return { toggle: true }
  return { to: levelOf(lines, at + 1) > levelOf(lines, at) ? at + 1 : at }
}

function moveOut(lines: readonly TreeLine[], at: number): TreeMove {
  if (lines[at]?.open === true) return { toggle: false }
  const parent = lines.slice(0, at).findLastIndex(({ level }) => level < levelOf(lines, at))
  return { to: parent === -1 ? at : parent }
}

const levelOf = (lines: readonly TreeLine[], at: number) => lines[at]?.level ?? 0

const typingMs = 600

/**
 * Search for the line whose name begins with what is typed. Letters within 600 ms are one text; the
 * same letter again goes on to the next line when no name begins with both.
 */
export function createTypeAhead() {
  let typed = { text: '', at: -Infinity }
  return (lines: readonly TreeLine[], at: number, letter: string, now: number) => {
    const first = letter.toLocaleLowerCase()
    const text = (now - typed.at < typingMs ? typed.text : '') + first
    typed = { text, at: now }
    const repeated = text === first.repeat(text.length)
    return (
      (text.length > 1 ? findFrom(lines, at, text) : undefined) ??
      (repeated ? findFrom(lines, at + 1, first) : undefined)
    )
  }
}

/** Index of the first line that begins with a text: from one on, and then from the start. */
function findFrom(lines: readonly TreeLine[], from: number, text: string) {
  const begins = ({ name }: TreeLine) => name.toLocaleLowerCase().startsWith(text)
  const after = lines.slice(from).findIndex(begins)
  const found = after === -1 ? lines.findIndex(begins) : from + after
  return found === -1 ? undefined : found
}
