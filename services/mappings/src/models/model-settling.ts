import type { Kysely } from 'kysely'
import type { MappingsDb } from '../database.ts'
import type { Tree } from '../columns.ts'
import { isTree, readInstanceOf } from '../tree-rules.ts'
import { changeBetween, nextVersion } from './model-changes.ts'
import { newestUsable, usableModel } from './model-visibility.ts'
import { withoutArguments } from './parameters-contract.ts'

/** A tree in which every object and struct inside names a model of its own, by its path when it had none. */
export function withNames(root: Tree, rootName: string): Tree {
  const named = (node: unknown, path: string): unknown => {
    if (!isTree(node)) return node
    const { type, properties, item } = node
    const below = (name: string) => (path === '' ? name : `${path}.${name}`)
    const next = { ...node }
    if (isTree(properties)) {
      next['properties'] = Object.fromEntries(
        Object.entries(properties).map(([name, child]) => [
          name,
          named(child, below(name.replaceAll('/', '.'))),
        ]),
      )
    }
    if (item !== undefined) next['item'] = named(item, path)
    const mayName = path !== '' && (type === 'object' || type === 'struct')
    return mayName && !readInstanceOf(node['instanceOf'])
      ? { ...next, instanceOf: `${rootName}.${path}:1.0.0` }
      : next
  }
  return named(root, '') as Tree // a tree in is a tree out
}

type Known = Pick<Tree, string> | undefined

/**
 * The same tree with versions that fit: a model inside that departs from the one of its name and
 * version gets the next version. What was settled once in the tree counts for its other places.
 */
export async function withVersions(db: Kysely<MappingsDb>, organization: string, root: Tree) {
  const settled = new Map<string, { version: string; node: Tree }>()
  const versions = new Map<string, Tree>()
  const known = async (name: string, version: string): Promise<Known> =>
    versions.get(`${name}:${version}`) ??
    (await usableModel(db, organization, { name, version }))?.json
  const newest = async (name: string) => {
    const here = settled.get(name)
    const kept = await newestUsable(db, organization, name)
    return here ?? (kept && { version: kept.version, node: kept.json })
  }
  const versionOf = async (node: Tree, name: string, version: string) => {
    const same = await known(name, version)
    if (!same || changeBetween(same, node) === 'none') return version
    const last = await newest(name)
    return last ? nextVersion(last.version, changeBetween(last.node, node)) : version
  }
  const settle = async (node: unknown, isRoot: boolean): Promise<unknown> => {
    if (!isTree(node)) return node
    const next = { ...node }
    if (isTree(node['properties'])) {
      const children: [string, unknown][] = []
      for (const [name, child] of Object.entries(node['properties'])) {
        children.push([name, await settle(child, false)])
      }
      next['properties'] = Object.fromEntries(children)
    }
    if (node['item'] !== undefined) next['item'] = await settle(node['item'], false)
    const instance = isRoot ? undefined : readInstanceOf(node['instanceOf'])
    if (!instance || (node['type'] !== 'object' && node['type'] !== 'struct')) return next
    const own = withoutArguments(next)
    const version = await versionOf(own, instance.name, instance.version)
    const kept = `${instance.name}:${version}`
    settled.set(instance.name, { version, node: own })
    if (!versions.has(kept)) versions.set(kept, own)
    return { ...next, instanceOf: kept }
  }
  return (await settle(root, true)) as Tree // a tree in is a tree out
}
