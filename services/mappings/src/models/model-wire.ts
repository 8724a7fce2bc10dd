import type { Model } from './model-contract.ts'
import type { ModelRow } from './model-store.ts'

/** A model as clients get it. */
export const toModel = ({ json, ...row }: ModelRow): Model => ({
  ...toModelWithoutContent(row),
  json,
})

/** The same without its tree. */
export const toModelWithoutContent = (row: Omit<ModelRow, 'json'>): Model => ({
  id: row.id,
  realmId: row.realm,
  name: row.name,
  nameRaw: row.name,
  version: row.version,
  orgResourceId: row.organization,
  creationDate: row.created_at.getTime(),
  updatedAt: row.updated_at.getTime(),
  parentId: row.parent_id,
  deleted: false,
  subOrgsEnabledToView: row.shared,
})
