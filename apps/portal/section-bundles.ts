import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'

/** Wishes of a section about the files of the build, from its `bundle.json`; most sections have none. */
type Bundle = {
  /** Files of words that are joined, by the name of the file: all languages have one each. */
  words?: Record<string, readonly string[]>
  /** Pages with a list, whose common modules come as one file. */
  lists?: readonly string[]
}

const folder = path.join(import.meta.dirname, 'src/sections')
const bundles = globSync('*/bundle.json', { cwd: folder }).map((file) => ({
  section: path.dirname(file),
  ...(JSON.parse(readFileSync(path.join(folder, file), 'utf8')) as Bundle),
}))

/** Name of the file into which words are joined; undefined for words with a file of their own. */
export const joinedWords = (name: string) =>
  bundles
    .flatMap(({ words = {} }) => Object.entries(words))
    .find(([, names]) => names.includes(name))?.[0]

/** Pages with a list, from the folder of the sections. */
export const listPages = bundles.flatMap(({ section, lists = [] }) =>
  lists.map((file) => `${section}/${file}`),
)
