import type { Json, Tree } from '../columns.ts'

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

export type ModelsTables = {
  model: ModelTable
  model_path: ModelPathTable
}
