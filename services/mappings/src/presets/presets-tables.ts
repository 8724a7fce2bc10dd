import type { Json, Tree } from '../columns.ts'

export type PresetTable = {
  id: string
  organization: string
  realm: string
  name: string
  model_id: string
  model_name: string
  model_version: string
  uuid: string
  json: Json<Tree>
  compiled: string
  created_at: Date
  updated_at: Date
  sub_orgs_enabled_to_view: boolean
}

export type PresetsTables = {
  preset: PresetTable
}
