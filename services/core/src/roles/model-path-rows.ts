import type { RolePath } from '@longreach/authorization/path-grants'
import { patternOfRegExp, readPattern } from '@longreach/authorization/model-path'
import { failure } from '@longreach/kit/errors'
import type { Kysely } from 'kysely'
import { coreContract } from '../contract.ts'
import type { CoreDb } from '../database.ts'
import type { NewModelPath, NewModelPathPermission } from './model-path-contract.ts'
import { ensureModelPaths, modelPathsByIds } from './model-path-store.ts'
import type { RolePathRow } from './role-store.ts'

export const badPath = (field: string, message: string) =>
  failure(coreContract, 'bad_path', { field, message })

export const noModelPath = (id: number) =>
  failure(coreContract, 'not_found', {
    message: `There is no model path ${id} in this organization`,
  })

/** The one pattern that a path, a regular expression, or both of the same meaning say. */
export function pathOf({ path = '', pathRegExp = '' }: NewModelPath) {
  const own = path === '' ? undefined : checked('path', readPattern(path))
  const other = pathRegExp === '' ? undefined : checked('pathRegExp', patternOfRegExp(pathRegExp))
  if (own !== undefined && other !== undefined && own !== other) {
    throw badPath('pathRegExp', `It means ${other}, and not the path ${own}; leave one of them out`)
  }
  return own ?? other ?? ''
}

function checked(field: string, read: ReturnType<typeof readPattern>) {
  if (!read.ok) throw badPath(field, read.message)
  return read.pattern
}

/** Paths that a body names by id or as text, each once: what is given twice adds up. Writes nothing. */
export async function namedPaths(
  db: Kysely<CoreDb>,
  organizationId: number,
  wanted: readonly NewModelPathPermission[],
): Promise<RolePath[]> {
  const ids = wanted.flatMap(({ modelPath }) => idOf(modelPath) ?? [])
  const known = await modelPathsByIds(db, organizationId, ids)
  const textOf = new Map(known.map(({ id, path }) => [id, path]))
  const paths = new Map<string, RolePath>()
  for (const { modelPath, ...rights } of wanted) {
    const path =
      typeof modelPath === 'string'
        ? checked('modelPathPermissions', readPattern(modelPath))
        : textOf.get(idOf(modelPath) ?? 0)
    if (path === undefined) throw noModelPath(idOf(modelPath) ?? 0)
    const { read, history, write } = paths.get(path) ?? nothing
    paths.set(path, {
      path,
      read: read || rights.read,
      history: history || rights.history,
      write: write || rights.write,
    })
  }
  return [...paths.values()]
}
const nothing = { read: false, history: false, write: false }

const idOf = (named: NewModelPathPermission['modelPath']) =>
  typeof named === 'string' ? undefined : typeof named === 'number' ? named : named.id

/** The same as rows, with paths made where there are none yet. */
export async function pathRows(
  tx: Kysely<CoreDb>,
  organizationId: number,
  paths: readonly RolePath[],
  now: Date,
): Promise<RolePathRow[]> {
  const texts = paths.map(({ path }) => path)
  const ids = await ensureModelPaths(tx, organizationId, texts, now)
  return paths.flatMap(({ path, ...rights }) => {
    const row = ids.find((one) => one.path === path)
    return row ? [{ ...rights, modelPathId: row.id }] : []
  })
}
