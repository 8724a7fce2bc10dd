import type { Module } from './modules.ts'

type Fault = { rule: string; text: string }

/** Names that a framework asks for in many files: pages of the router, and entries of programs. */
const given = new Set(['Component', 'loader', 'main'])

const packageOf = (file: string) => /^(?:packages|services|apps)\/[^/]+/.exec(file)?.[0]

/** Functions that more than one file of a package defines, with these files, by package and name. */
function definitionsOf(modules: Iterable<Module>) {
  const found = new Map<string, Map<string, string[]>>()
  for (const { file, functions } of modules) {
    const owner = packageOf(file)
    if (owner === undefined) continue
    const names = found.get(owner) ?? new Map<string, string[]>()
    found.set(owner, names)
    for (const name of functions) names.set(name, [...(names.get(name) ?? []), file])
  }
  return found
}

/**
 * Packages with more, or fewer, names of functions that are defined twice than the list allows: one
 * name has one definition in a package, so that a definition is found by its name.
 */
export function repeatedNames(
  modules: Iterable<Module>,
  allowed: Readonly<Record<string, number>>,
): Fault[] {
  const rule = 'one-name-has-one-definition'
  return [...definitionsOf(modules)].flatMap(([owner, names]) => {
    const repeated = [...names].filter(([name, files]) => files.length > 1 && !given.has(name))
    const most = allowed[owner] ?? 0
    if (repeated.length === most) return []
    if (repeated.length < most) {
      const text = `lower the number of ${owner} in scripts/boundary-exceptions.ts from ${most} to ${repeated.length}`
      return [{ rule, text }]
    }
    const lines = repeated.map(([name, files]) => `      ${name}: ${files.join(', ')}`)
    const text = `${owner}: ${repeated.length} names of functions, ${most} allowed`
    return [{ rule, text: [text, ...lines].join('\n') }]
  })
}
