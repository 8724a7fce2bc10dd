import { glob, readFile } from 'node:fs/promises'
import path from 'node:path'

/** Texts of files below the project's root, by their path. */
export async function textsOf(root: string, patterns: readonly string[]) {
  const texts = new Map<string, string>()
  const exclude = (name: string) => name === 'node_modules' || name === 'dist'
  for await (const file of glob(patterns, { cwd: root, exclude })) {
    texts.set(file, await readFile(path.join(root, file), 'utf8'))
  }
  return texts
}

/** Topics of all events that the sources declare. */
export const topicsIn = (sources: Iterable<string>) =>
  new Set([...sources].flatMap((text) => all(text, /topic: *'([a-z]+\.[a-z_]+)'/g)))

/**
 * Topics that a document names: in a table's cell or a paragraph that begins with "Event". `.name`
 * repeats the service before it; a bare name is an event of `service`.
 */
export function topicsNamed(document: string, service = '') {
  const places = document
    .split(/\n\n+/)
    .filter((part) => /^(\| *Event\b|Events?:)/.test(part))
    .flatMap((part) => (part.startsWith('|') ? firstCells(part) : [part]))
  return places.flatMap((place) => {
    let owner = service
    return all(place, /`((?:[a-z]+)?\.?[a-z]+_[a-z_]+|[a-z]+\.[a-z_]+)`/g).map((name) => {
      const [before, after] = name.includes('.') ? name.split('.', 2) : [service, name]
      owner = before || owner
      return `${owner}.${after}`
    })
  })
}

const firstCells = (table: string) => table.split('\n').map((line) => line.split('|', 2)[1] ?? '')

/** Names of functions that a document calls in backticks, such as `compile(snapshot)`. */
export const callsNamed = (document: string) => all(prose(document), /`([a-zA-Z]\w+)\(/g)

/** Names in camel case that a document puts in backticks. */
export const namesIn = (document: string) => all(prose(document), /`([a-z]+[A-Z]\w*)`/g)

const prose = (document: string) => document.replaceAll(/^```[^]*?^```/gm, '')

const all = (text: string, pattern: RegExp) =>
  [...text.matchAll(pattern)].map(([, found = '']) => found)
