import type { ColumnType, RawBuilder } from 'kysely'
import type { Json, Tree } from '../columns.ts'
import type { ShownPath } from './view-event-contract.ts'

export type ModelTable = {
  id: string
  organization: string
  realm: string
  name: string
  version: string
  major: number
  minor: number
  patch: number
  json: Json<Tree>
  parent_id: string | null
  /** Organizations below see it and may use it. */
  shared: boolean
  created_at: Date
  updated_at: Date
}

type ModelPathTable = {
  organization: string
  model: string
  path: string
  model_id: string
  type: string
  instance_of: string | null
  label: string
  description: string
  unit: string
  tags: string[]
  version: string
  deprecated: boolean
}

/** Copy of a saved view of the data explorer: who sees it, and the paths of models that it shows. */
type ViewUseTable = {
  view_id: string
  organization: string
  author: string
  shared: boolean
  name: string
  shown: ColumnType<ShownPath[], RawBuilder<ShownPath[]>>
}

export type ModelsTables = {
  view_use: ViewUseTable
  model: ModelTable
  model_path: ModelPathTable
}
