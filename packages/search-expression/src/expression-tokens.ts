type Token = { kind: 'text' | 'number' | 'word' | 'sign' | 'end'; text: string; at: number }

/** A mistake in an expression at one place; thrown to leave the parser from its depth, and caught there. */
export class WrongHere extends Error {
  readonly at: number
  constructor(message: string, at: number) {
    super(message)
    this.at = at
  }
}

const tokenPattern =
  /\s+|"((?:[^"\\]|\\.)*)"|(-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)|([A-Za-z_][\w-]*(?:\.[\w-]+)*)|(!~=|~=|==|!=|>=|<=|>|<|\(|\)|\[|\]|,)/y

function tokensOf(source: string): Token[] {
  const tokens: Token[] = []
  tokenPattern.lastIndex = 0
  while (tokenPattern.lastIndex < source.length) {
    const at = tokenPattern.lastIndex
    const match = tokenPattern.exec(source)
    if (!match) {
      const what = source[at] === '"' ? 'a text that does not end' : `unexpected ${source[at]}`
      throw new WrongHere(what, at)
    }
    const [, text, number, word, sign] = match
    if (text !== undefined) tokens.push({ kind: 'text', text: text.replace(/\\(.)/g, '$1'), at })
    if (number !== undefined) tokens.push({ kind: 'number', text: number, at })
    if (word !== undefined) tokens.push({ kind: 'word', text: word, at })
    if (sign !== undefined) tokens.push({ kind: 'sign', text: sign, at })
  }
  return tokens
}

/** Going through the tokens of a text, from the first to the end. */
export type Cursor = {
  peek: () => Token
  take: () => Token
  isWord: (word: string) => boolean
  isSign: (sign: string) => boolean
  /** Take one of these signs, or say what stands there instead. */
  expect: (signs: string) => string
}

export function createTokenCursor(source: string): Cursor {
  const tokens = tokensOf(source)
  const end: Token = { kind: 'end', text: 'the end', at: source.length }
  let next = 0
  const peek = () => tokens[next] ?? end
  const take = () => {
    const token = peek()
    next += 1
    return token
  }
  return {
    peek,
    take,
    isWord: (word) => peek().kind === 'word' && peek().text.toLowerCase() === word,
    isSign: (sign) => peek().kind === 'sign' && peek().text === sign,
    expect(signs) {
      const { kind, text, at } = take()
      if (kind === 'sign' && signs.includes(text)) return text
      throw new WrongHere(`expected ${[...signs].join(' or ')}, found ${text}`, at)
    },
  }
}
