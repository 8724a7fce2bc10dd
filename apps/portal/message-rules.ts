import { parse, TYPE, type MessageFormatElement } from '@formatjs/icu-messageformat-parser'

/** File of words: its language, its name (the beginning of its ids), and texts by key. */
export type WordFile = {
  language: string
  name: string
  texts: Readonly<Record<string, string>>
}

/** Texts of a language by message id. */
export const textsById = (files: readonly WordFile[], language: string) =>
  new Map(
    files
      .filter((file) => file.language === language)
      .flatMap(({ name, texts }) =>
        Object.entries(texts).map(([key, text]) => [`${name}.${key}`, text] as const),
      ),
  )

/** Differences of a language from English: missing and unknown ids, other placeholders. */
export function faultsOfLanguage(files: readonly WordFile[], language: string) {
  const [english, texts] = [textsById(files, 'en'), textsById(files, language)]
  const missing = [...english.keys()].filter((id) => !texts.has(id))
  const unknown = [...texts.keys()].filter((id) => !english.has(id))
  const others = [...texts].filter(([id, text]) => {
    const original = english.get(id)
    return original !== undefined && placeholders(text) !== placeholders(original)
  })
  return [
    ...missing.map((id) => `${language}: ${id} is missing`),
    ...unknown.map((id) => `${language}: ${id} is not in English`),
    ...others.map(([id]) => `${language}: ${id} has other placeholders than in English`),
  ]
}

const placeholders = (text: string) => [...new Set(placeholdersIn(parse(text)))].toSorted().join()

/** Names of the placeholders in a message; its plural forms are left to the language. */
function placeholdersIn(elements: MessageFormatElement[]): string[] {
  return elements.flatMap((element) => {
    if (element.type === TYPE.literal || element.type === TYPE.pound) return []
    const inner =
      element.type === TYPE.plural || element.type === TYPE.select
        ? Object.values(element.options).flatMap(({ value }) => placeholdersIn(value))
        : element.type === TYPE.tag
          ? placeholdersIn(element.children)
          : []
    return [element.value, ...inner]
  })
}

/** Beginnings of ids that continue with a code, which may have dots. */
const codes = ['door.setup.', 'errors.', 'gateway.told.', 'log.call.', 'problems.', 'register.']

/** Ids that no source names, neither in quotes nor by a template such as `models.add.${type}`. */
export function unusedIds(ids: Iterable<string>, sources: readonly string[]) {
  const quoted = new Set<string>()
  const templates: RegExp[] = []
  for (const source of sources) {
    for (const [, id = ''] of source.matchAll(/['"`]([\w-]+\.[\w.-]+)['"`]/g)) quoted.add(id)
    for (const [, text = ''] of source.matchAll(/`([\w-]+\.[^`\s]*\$\{[^`\n]+)`/g))
      templates.push(patternOf(text))
  }
  return [...ids].filter((id) => !quoted.has(id) && !templates.some((one) => one.test(id)))
}

/** Expression for the ids that a template can give; an inserted value has no dot if it is not a code. */
function patternOf(template: string) {
  const value = codes.some((code) => template.startsWith(code)) ? '.+' : '[^.]+'
  const parts = template.split(/\$\{[^}]*\}/)
  return new RegExp(`^${parts.map((part) => part.replaceAll('.', '\\.')).join(value)}$`)
}

/** Calls of `formatMessage`, which takes any text as id; `useWords` takes message ids only. */
export const untypedCalls = (source: string) => source.match(/\bformatMessage\(/g)?.length ?? 0
