import { existsSync, globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import ts from 'typescript'

/** One import (or re-export) of a module. */
export type Import = {
  /** Path of the imported file from the root, or the name of a package outside the project. */
  to: string
  /** Imported names; `*` for the whole module. */
  names: readonly string[] | '*'
  /** Only types are imported: nothing of it runs. */
  isType: boolean
}

/** Source file of the project: its imports, the names that it exports, and its functions at the top level. */
export type Module = {
  file: string
  imports: readonly Import[]
  exports: readonly string[]
  functions: readonly string[]
}

type Found = Omit<Import, 'to'> & { from: string }

const folders = ['packages', 'services', 'apps', 'e2e', 'bench', 'scripts']

/** Every TypeScript source of the project, by its path from `root`. */
export function readModules(root: string, within: readonly string[] = folders) {
  const files = globSync(
    within.map((folder) => `${folder}/**/*.{ts,tsx,mts}`),
    { cwd: root, exclude: (name) => /^(node_modules|dist|\.vitest)$/.test(path.basename(name)) },
  ).toSorted()
  const packages = packagesOf(root)
  const modules = files.map((file) => moduleOf(root, file, packages))
  return new Map(modules.map((module) => [module.file, module]))
}

/** Folder and exported files of each package of the project, by its name. */
function packagesOf(root: string) {
  const manifests = globSync('{packages,services,apps}/*/package.json', { cwd: root })
  return new Map(
    manifests.map((file) => {
      const text = readFileSync(path.join(root, file), 'utf8')
      const { name, exports } = JSON.parse(text) as { name: string; exports?: Exports }
      return [name, { folder: path.dirname(file), exports: exports ?? {} }]
    }),
  )
}
type Exports = Record<string, string | { default: string }>
type Packages = ReturnType<typeof packagesOf>

function moduleOf(root: string, file: string, packages: Packages): Module {
  const text = readFileSync(path.join(root, file), 'utf8')
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest)
  const place = path.dirname(file)
  const found = [
    ...source.statements.flatMap(importsOf),
    ...lateImportsOf(text),
    ...globImportsOf(text, path.join(root, place)),
  ]
  const imports = [
    ...found.map(({ from, ...one }) => ({ ...one, to: placeOf(root, file, from, packages) })),
    ...calledInWorkers(text).map((name) => ({ to: file, names: [name], isType: false })),
  ]
  const { statements } = source
  return {
    file,
    imports,
    exports: statements.flatMap(exportsOf),
    functions: statements.flatMap(functionsOf),
  }
}

/** The file that an import names, from the root; a name that is none of the project stays as it is. */
function placeOf(root: string, file: string, name: string, packages: Packages) {
  if (name.startsWith('.')) {
    const place = path.join(path.dirname(file), name.replace(/\?.*$/, ''))
    return existsSync(path.join(root, place)) ? place : place.replace(/\.js$/, '.ts')
  }
  const own = name.split('/').slice(0, 2).join('/')
  const found = packages.get(own)
  if (!found) return name
  const below = `.${name.slice(own.length)}`
  const target = found.exports[below] ?? wildcard(found.exports, below)
  if (target === undefined) return name
  return path.join(found.folder, typeof target === 'string' ? target : target.default)
}

/** The target of an `exports` entry such as `./*`. */
function wildcard(exports: Exports, below: string) {
  for (const [key, target] of Object.entries(exports)) {
    const [before = '', after] = key.split('*')
    if (after === undefined || !below.startsWith(before) || !below.endsWith(after)) continue
    const middle = below.slice(before.length, below.length - after.length)
    return (typeof target === 'string' ? target : target.default).replace('*', middle)
  }
  return undefined
}

function importsOf(statement: ts.Statement): Found[] {
  if (ts.isImportDeclaration(statement)) return [importOf(statement)]
  if (ts.isModuleDeclaration(statement)) return augmentationOf(statement)
  if (!ts.isExportDeclaration(statement) || !statement.moduleSpecifier) return []
  const clause = statement.exportClause
  const names = clause && ts.isNamedExports(clause) ? namesIn(clause.elements) : ('*' as const)
  return [{ from: textOf(statement.moduleSpecifier), names, isType: statement.isTypeOnly }]
}

/** Names that `declare module 'x' { interface Name … }` adds to. */
function augmentationOf({ name, body }: ts.ModuleDeclaration): Found[] {
  if (!ts.isStringLiteral(name) || !body || !ts.isModuleBlock(body)) return []
  const names = body.statements.filter(ts.isInterfaceDeclaration).map((one) => one.name.text)
  return [{ from: name.text, names, isType: true }]
}

function importOf({ importClause: clause, moduleSpecifier }: ts.ImportDeclaration): Found {
  const from = textOf(moduleSpecifier)
  const isType = clause?.isTypeOnly === true
  const bindings = clause?.namedBindings
  if (bindings && ts.isNamespaceImport(bindings)) return { from, names: '*', isType }
  const elements = bindings?.elements ?? []
  if (clause?.name) return { from, names: [...namesIn(elements), 'default'], isType }
  const areTypes = elements.length > 0 && elements.every((one) => one.isTypeOnly)
  return { from, names: namesIn(elements), isType: isType || areTypes }
}

const textOf = (node: ts.Expression) => (ts.isStringLiteral(node) ? node.text : '')

const namesIn = (elements: readonly (ts.ImportSpecifier | ts.ExportSpecifier)[]) =>
  elements.map(({ propertyName, name }) => (propertyName ?? name).text)

/** Imports at run time, and in types: `import('./x.ts')`, `new URL('./x.ts', import.meta.url)`. */
function lateImportsOf(text: string): Found[] {
  const late = /\b(?:import\(|new URL\()\s*'([^']+\.[mc]?[jt]sx?|@longreach\/[^']+)'/g
  return [...text.matchAll(late)].map(([, from = '']) => ({
    from: from.startsWith('.') || from.startsWith('@') ? from : `./${from}`,
    names: '*' as const,
    isType: false,
  }))
}

/** Imports by a pattern: of `import.meta.glob`, with the one name that it imports, and of `import` with a template. */
function globImportsOf(text: string, folder: string): Found[] {
  const calls = /\bimport\.meta\.glob(?:<[^>]*>)?\(\s*'([^']+\.tsx?)'(?:,\s*\{([^}]*)\})?/g
  const late = /\bimport\(\s*`(\.[^`]+\.tsx?)`/g
  const patterns = [
    ...[...text.matchAll(calls)].map(([, pattern = '', options = '']) => ({
      pattern,
      name: /\bimport: '(\w+)'/.exec(options)?.[1],
    })),
    ...[...text.matchAll(late)].map(([, pattern = '']) => ({
      pattern: pattern.replaceAll(/\$\{[^}]*\}/g, '*'),
      name: undefined,
    })),
  ]
  return patterns.flatMap(({ pattern, name }) =>
    globSync(pattern, { cwd: folder }).map((from) => ({
      from: `./${from}`,
      names: name === undefined ? ('*' as const) : [name],
      isType: false,
    })),
  )
}

/** Functions of a module that its own worker threads call by name. */
const calledInWorkers = (text: string) =>
  [...text.matchAll(/module: new URL\(import\.meta\.url\),\s*name: '(\w+)'/g)].map(
    ([, name = '']) => name,
  )

function exportsOf(statement: ts.Statement): string[] {
  if (ts.isExportDeclaration(statement))
    return statement.exportClause && ts.isNamedExports(statement.exportClause)
      ? statement.exportClause.elements.map(({ name }) => name.text)
      : []
  if (ts.isExportAssignment(statement)) return ['default']
  const isExported =
    ts.canHaveModifiers(statement) &&
    ts.getModifiers(statement)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)
  if (isExported !== true) return []
  if (ts.isVariableStatement(statement))
    return statement.declarationList.declarations.flatMap(({ name }) => bound(name))
  const { name } = statement as unknown as { name?: ts.Identifier }
  return [name?.text ?? 'default']
}

/** Functions that a statement defines: declared ones, and constants that are functions. */
function functionsOf(statement: ts.Statement): string[] {
  if (ts.isFunctionDeclaration(statement)) return statement.name ? [statement.name.text] : []
  if (!ts.isVariableStatement(statement)) return []
  return statement.declarationList.declarations.flatMap(({ name, initializer }) => {
    const isFunction =
      initializer && (ts.isArrowFunction(initializer) || ts.isFunctionExpression(initializer))
    return isFunction && ts.isIdentifier(name) ? [name.text] : []
  })
}

const bound = (name: ts.BindingName): string[] =>
  ts.isIdentifier(name)
    ? [name.text]
    : name.elements.flatMap((one) => (ts.isOmittedExpression(one) ? [] : bound(one.name)))
