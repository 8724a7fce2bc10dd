import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { exceptions, type Exceptions } from './boundary-exceptions.ts'
import { breaks, rules } from './boundary-rules.ts'
import { findCycles, type Graph } from './cycles.ts'
import { readModules, type Module } from './modules.ts'
import { repeatedNames } from './repeated-names.ts'

type Modules = ReadonlyMap<string, Module>
type Fault = { rule: string; text: string }

const isTest = (file: string) =>
  /\.test\.tsx?$|(^|[/-])(test|testing|for-tests)[\w-]*(\.tsx?$|\/)/.test(file)

/** Imports that break a rule of `boundary-rules.ts`. */
const forbiddenImports = (modules: Modules): Fault[] =>
  [...modules.values()].flatMap(({ file, imports }) =>
    imports.flatMap((one) =>
      rules
        .filter((rule) => breaks(rule, file, one))
        .map(({ name }) => ({ rule: name, text: `${file} → ${one.to}` })),
    ),
  )

/** Files that import each other in a circle. */
function fileCycles(modules: Modules): Fault[] {
  const graph = new Map(
    [...modules.values()].map(({ file, imports }) => [
      file,
      new Set(imports.map(({ to }) => to).filter((to) => to !== file)),
    ]),
  )
  return findCycles(graph).map((files) => ({ rule: 'no-cycles', text: files.join(' → ') }))
}

/** The folder of a service, or of the portal's parts, that a file is in: its part. */
const partOf = (file: string) =>
  /^(services\/[^/]+)\/src\/([^/]+)\//.exec(file) ??
  /^(apps\/portal)\/src\/parts\/([^/]+)\//.exec(file)

/** Imports of parts by parts, of services and of the portal, without those that are known; types count too. */
function partGraphs(modules: Modules, known: readonly string[] = []) {
  const graphs = new Map<string, Map<string, Set<string>>>()
  for (const { file, imports } of modules.values()) {
    const [, service, part] = partOf(file) ?? []
    if (!service || !part || isTest(file)) continue
    const graph = graphs.get(service) ?? new Map<string, Set<string>>()
    graphs.set(service, graph)
    for (const target of otherParts(service, part, imports)) {
      if (known.includes(`${service}/${part} → ${target}`)) continue
      graph.set(part, (graph.get(part) ?? new Set()).add(target))
    }
  }
  return graphs
}

/** The parts of the same service that a file of one part imports. */
const otherParts = (service: string, part: string, imports: Module['imports']) =>
  imports.flatMap(({ to }) => {
    const [, other, target] = partOf(to) ?? []
    return other === service && target && target !== part ? [target] : []
  })

const partFile = /^(services\/[^/]+)\/src\/([^/]+)\/part\.ts$/

/** Folders of services without a `part.ts`, and imports of parts that the own `part.ts` does not import. */
function unnamedParts(modules: Modules): Fault[] {
  const divided = new Set([...modules.keys()].map((file) => partFile.exec(file)?.[1]))
  return [...modules.values()].flatMap(({ file, imports }) => {
    const [, service, part] = /^(services\/[^/]+)\/src\/([^/]+)\//.exec(file) ?? []
    if (!service || !part || !divided.has(service) || isTest(file)) return []
    const place = `${service}/src/${part}/part.ts`
    const own = modules.get(place)
    if (!own) return [{ rule: 'a-folder-of-a-service-is-a-part', text: `${place} is missing` }]
    const named = new Set(own.imports.map(({ to }) => to))
    return [...new Set(otherParts(service, part, imports))]
      .filter((other) => !named.has(`${service}/src/${other}/part.ts`))
      .map((other) => ({ rule: 'a-part-names-the-parts-it-uses', text: `${file} → ${other}` }))
  })
}

/** Imports of contracts by other services. */
function serviceGraph(modules: Modules, known: readonly string[] = []): Graph {
  const graph = new Map<string, Set<string>>()
  for (const { file, imports } of modules.values()) {
    const [, service] = /^services\/([^/]+)\//.exec(file) ?? []
    if (!service || isTest(file)) continue
    for (const { to } of imports) {
      const [, other] = /^services\/([^/]+)\//.exec(to) ?? []
      if (!other || other === service || known.includes(`${service} → ${other}`)) continue
      graph.set(service, (graph.get(service) ?? new Set()).add(other))
    }
  }
  return graph
}

const cyclesOfParts = (modules: Modules, known: readonly string[]): Fault[] =>
  [...partGraphs(modules, known)].flatMap(([service, graph]) =>
    findCycles(graph).map((parts) => ({
      rule: 'parts-form-no-cycle',
      text: `${service}: ${parts.join(', ')}\n${edgesWithin(graph, parts).join('\n')}`,
    })),
  )

const cyclesOfServices = (modules: Modules, known: readonly string[]): Fault[] => {
  const graph = serviceGraph(modules, known)
  return findCycles(graph).map((services) => ({
    rule: 'services-form-no-cycle',
    text: `${services.join(', ')}\n${edgesWithin(graph, services).join('\n')}`,
  }))
}

const edgesWithin = (graph: Graph, names: readonly string[]) =>
  names.flatMap((from) =>
    [...(graph.get(from) ?? [])]
      .filter((to) => names.includes(to))
      .map((to) => `      ${from} → ${to}`),
  )

/** Exceptions that are not needed any more: the list may only shrink. */
function staleExceptions(modules: Modules, { parts, services }: Exceptions): Fault[] {
  const graphs = partGraphs(modules)
  const edges = new Set(
    [...graphs].flatMap(([service, graph]) =>
      [...graph].flatMap(([from, to]) => [...to].map((one) => `${service}/${from} → ${one}`)),
    ),
  )
  const known = [...serviceGraph(modules)].flatMap(([from, to]) =>
    [...to].map((one) => `${from} → ${one}`),
  )
  return [
    ...parts.filter((one) => !edges.has(one)),
    ...services.filter((one) => !known.includes(one)),
  ].map((text) => ({ rule: 'exceptions-only-shrink', text: `${text} is not imported any more` }))
}

/** Exported names that no other file of the project imports. */
function unusedExports(modules: Modules): Fault[] {
  const used = new Map<string, Set<string> | '*'>()
  for (const { imports } of modules.values())
    for (const { to, names } of imports) {
      const before = used.get(to) ?? new Set()
      used.set(to, names === '*' || before === '*' ? '*' : new Set([...before, ...names]))
    }
  return [...modules.values()].flatMap(({ file, exports }) => {
    const names = used.get(file)
    if (names === '*' || isReadByTools(file)) return []
    const unused = exports.filter((name) => names?.has(name) !== true && !forTestRuns.test(name))
    return unused.map((name) => ({ rule: 'exports-are-used', text: `${file}: ${name}` }))
  })
}

/** Functions of a `globalSetup` that the test runner calls by name. */
const forTestRuns = /^(setup|teardown)$/

/** Files whose exports a tool or a worker reads by name. */
const isReadByTools = (file: string) => /\.config\.ts$|\.d\.m?ts$/.test(file)

/** Everything that breaks the boundaries of the project, in words. */
export const findFaults = (modules: Modules, known: Exceptions): Fault[] => [
  ...forbiddenImports(modules),
  ...fileCycles(modules),
  ...cyclesOfParts(modules, known.parts),
  ...cyclesOfServices(modules, known.services),
  ...unnamedParts(modules),
  ...staleExceptions(modules, known),
  ...unusedExports(modules),
  ...repeatedNames(
    [...modules.values()].filter(({ file }) => !isTest(file)),
    known.names,
  ),
]

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const modules = readModules(path.join(import.meta.dirname, '..'))
  const faults = findFaults(modules, exceptions)
  for (const { rule, text } of faults) process.stdout.write(`${rule}: ${text}\n`)
  process.stdout.write(`${modules.size} files, ${faults.length} faults\n`)
  process.exitCode = faults.length > 0 ? 1 : 0
}
