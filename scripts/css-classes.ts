import { readFileSync } from 'node:fs'
import { glob } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { mostRawLengths, otherBreakpoints, rawLengths, unknownTokens } from './css-lengths.ts'

/** Classes that a module style sheet defines more than once in the same place, with their lines. */
export function classesDefinedTwice(css: string) {
  const lines = new Map<string, number[]>()
  const around: string[] = []
  const text = css.replace(/\/\*[^]*?\*\//g, (comment) => comment.replace(/[^\n]/g, ' '))
  for (const { 0: part, index } of text.matchAll(/[^{};]*[{};]/g)) {
    if (part.endsWith('{')) {
      const selector = part.slice(0, -1).trim().replace(/\s+/g, ' ')
      around.push(selector)
      const place = around.join(' { ')
      const line = text.slice(0, index + part.length).split('\n').length
      if (isClass.test(selector)) lines.set(place, [...(lines.get(place) ?? []), line])
    }
    if (part.endsWith('}')) around.pop()
  }
  return [...lines]
    .filter(([, at]) => at.length > 1)
    .map(([place, at]) => ({ name: place.split(' { ').at(-1) ?? '', lines: at }))
}

const mostLines = 200
const isClass = /^\.[\w-]+$/

/** Why the style sheets of the portal and of the design system do not pass, in one line each. */
async function faultsOfSheets(root: string) {
  const tokensFile = 'packages/ui/src/tokens.css'
  const tokens = readFileSync(path.join(root, tokensFile), 'utf8')
  const raw: { file: string; count: number }[] = []
  const faults: string[] = []
  for await (const file of glob('{packages,apps}/*/src/**/*.css', { cwd: root })) {
    const css = readFileSync(path.join(root, file), 'utf8')
    for (const { name, lines } of classesDefinedTwice(css))
      faults.push(`${file}: ${name} is defined twice, in lines ${lines.join(' and ')}`)
    for (const name of unknownTokens(css, tokens)) faults.push(`${file}: nothing defines ${name}`)
    for (const width of otherBreakpoints(css))
      faults.push(`${file}: ${width} is none of the three widths at which layouts change`)
    const lines = css.split('\n').length - 1
    if (lines > mostLines) faults.push(`${file}: ${lines} lines, of ${mostLines}`)
    if (path.join(file) !== path.join(tokensFile)) raw.push({ file, count: rawLengths(css) })
  }
  return [...faults, ...tooManyLengths(raw, tokensFile)]
}

function tooManyLengths(raw: readonly { file: string; count: number }[], tokensFile: string) {
  const total = raw.reduce((sum, { count }) => sum + count, 0)
  if (total <= mostRawLengths) return []
  const files = raw.filter(({ count }) => count > 0)
  return [
    ...files.map(({ file, count }) => `${file}: ${count} lengths in px`),
    `${total} lengths in px, of ${mostRawLengths}: use those of ${tokensFile}`,
  ]
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const faults = await faultsOfSheets(path.resolve(import.meta.dirname, '..'))
  for (const fault of faults) process.stdout.write(`${fault}\n`)
  process.exitCode = faults.length > 0 ? 1 : 0
}
