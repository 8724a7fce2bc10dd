const widest = 12
const mostCodes = 2 ** widest

/**
 * Indexes of colors from codes of LZW whose width grows to 12 bits (GIF89a, appendix F); undefined for codes
 * that cannot be. Indexes that are missing at the end are 0.
 */
export function decodeLzw(data: Buffer, least: number, most: number): Uint8Array | undefined {
  if (least < 1 || least > 8) return undefined
  const table = createTable(least, new Uint8Array(most))
  let [bits, held] = [0, 0]
  for (const byte of data) {
    held |= byte << bits
    bits += 8
    while (bits >= table.width()) {
      const width = table.width()
      const code = held & (2 ** width - 1)
      held >>>= width
      bits -= width
      if (table.isEnd(code)) return table.out
      if (!table.take(code)) return undefined
    }
  }
  return table.out
}

/** Texts of indexes by their codes: each is an earlier one and one index more. */
function createTable(least: number, out: Uint8Array) {
  const clear = 2 ** least
  const end = clear + 1
  const prefix = new Uint16Array(mostCodes)
  const suffix = new Uint8Array(mostCodes)
  const stack = new Uint8Array(mostCodes + 1)
  let [next, width, last, first, written] = [end + 1, least + 1, -1, 0, 0]

  /** Writes the text of a code; the one that this very step makes is the last text and its first index. */
  const write = (code: number) => {
    let depth = 0
    if (code === next) stack[depth++] = first
    let rest = code === next ? last : code
    for (; rest > end; rest = prefix[rest] ?? 0) stack[depth++] = suffix[rest] ?? 0
    first = rest
    stack[depth++] = rest
    while (depth > 0 && written < out.length) out[written++] = stack[--depth] ?? 0
  }
  const add = () => {
    if (last === -1 || next >= mostCodes) return
    prefix[next] = last
    suffix[next] = first
    next += 1
    if (next === 2 ** width && width < widest) width += 1
  }
  return {
    out,
    width: () => width,
    isEnd: (code: number) => code === end || written >= out.length,
    take(code: number) {
      if (code === clear) {
        ;[next, width, last] = [end + 1, least + 1, -1]
        return true
      }
      if (code > next || (last === -1 && code > end)) return false
      write(code)
      add()
      last = code
      return true
    },
  }
}
