/** Largest count of lengths in px over all style sheets but the one of tokens. It may only shrink. */
export const mostRawLengths = 75

const withoutComments = (css: string) => css.replace(/\/\*[^]*?\*\//g, '')

/** Count of the lengths in px that a style sheet writes out, its conditions included. */
export const rawLengths = (css: string) => withoutComments(css).match(/[\d.]px\b/g)?.length ?? 0

const token = /--(?:space|text|radius|line|size)-[\d-]+/

/** Tokens that a style sheet uses and `tokens` does not define. */
export function unknownTokens(css: string, tokens: string) {
  const defined = new Set(
    [...tokens.matchAll(new RegExp(`(${token.source}):`, 'g'))].map(([, name]) => name),
  )
  const used = [...css.matchAll(new RegExp(`var\\((${token.source})\\)`, 'g'))]
  return [...new Set(used.map(([, name = '']) => name))].filter((name) => !defined.has(name))
}

/** Widths at which layouts change: phone, tablet, small desktop (600, 900 and 1,100 px). */
const breakpoints = new Set(['37.5em', '56.25em', '68.75em'])

/** Widths in conditions on the window that are none of the three; those on containers are not counted. */
export const otherBreakpoints = (css: string) =>
  [...withoutComments(css).matchAll(/@media[^{]*/g)].flatMap(([condition]) =>
    (condition.match(/[\d.]+(?:px|r?em)\b/g) ?? []).filter((width) => !breakpoints.has(width)),
  )
