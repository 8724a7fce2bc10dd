import type { Json, Tree } from '../columns.ts'

export type SegmentTable = {
  id: string
  organization: string
  name: string
  owner: string
  owner_name: string
  shared: boolean
  kind: 'dynamic' | 'picked'
  question: Json<Tree>
  created_at: Date
  updated_at: Date
}

export type SearchTables = {
  segment: SegmentTable
  segment_device: { segment_id: string; device_id: string }
}
