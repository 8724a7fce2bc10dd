import { readFileSync } from 'node:fs'
import { glob } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

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

const isClass = /^\.[\w-]+$/

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const root = path.resolve(import.meta.dirname, '..')
  let faults = 0
  for await (const file of glob('{packages,apps}/*/src/**/*.css', { cwd: root })) {
    for (const { name, lines } of classesDefinedTwice(
      readFileSync(path.join(root, file), 'utf8'),
    )) {
      process.stdout.write(`${file}: ${name} is defined twice, in lines ${lines.join(' and ')}\n`)
      faults++
    }
  }
  process.exitCode = faults > 0 ? 1 : 0
}
